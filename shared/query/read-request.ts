// From the query string to what is asked: every parameter read strictly, all errors at once (D1 to D5).

import type { NamedKind } from '../records/find-results';
import { type Condition, joinAll } from './condition';
import type { Filter } from './filters';
import type { AnswerFormat, ExportFormat } from './format-parameters';
import type { FacetParameter, Grouping, TextGrouping } from './groupings';
import type { OperationParameter } from './operations';
import type { Order } from './order-parameter';
import { RECORD_COUNT } from './page-parameters';
import { joinNames, type Parameter, type RangeFilter, type ReadingSettings } from './parameter';
import type { QueryItem } from './query-string';
import { QueryValues, type ReadQuery } from './query-values';

/** A facet, and what the filter of its name asked for, if anything: one of the conjuncts of the condition. */
export interface RequestedFacet {
  readonly grouping: TextGrouping;
  readonly filter: Condition | undefined;
}

export interface OperationRequest {
  /** What the filters ask for together (D16). */
  readonly condition: Condition;
  readonly startIndex: number;
  readonly recordCount: number;
  /** Undefined for the order of D17. */
  readonly order?: Order | undefined;
  /** By what totals are grouped, each once, in the order asked for (D38). */
  readonly groupBy: readonly Grouping[];
  /** The facets that are counted, each once, in the order asked for (D41). */
  readonly facets: readonly RequestedFacet[];
  /** The words of a name, and the kinds that are asked for by it; none for all (D60). */
  readonly words: readonly string[];
  readonly kinds: readonly NamedKind[];
  /** Undefined for the current one (D33). */
  readonly dataVersion?: string | undefined;
  /** Undefined when the header Accept decides. */
  readonly format?: AnswerFormat | undefined;
  /** The form of an export (D46), likewise. */
  readonly exportFormat?: ExportFormat | undefined;
  /** The parameters as links repeat them, without the page: names and order of the operation, values trimmed. */
  readonly linkParameters: readonly { readonly name: string; readonly value: string }[];
}

/** What the parameters have said so far. */
interface Draft extends Writable<Omit<OperationRequest, 'condition' | 'linkParameters'>> {
  /** What each filter asks for, by its name; of a range, whose ends are two filters, by that of the range. */
  readonly conditions: Map<string, Condition>;
}

type Writable<Type> = { -readonly [Name in keyof Type]: Type[Name] };

/** `others` are names that an error may suggest beside those of the parameters. */
export function readRequest(
  parameters: readonly OperationParameter[],
  items: readonly QueryItem[],
  settings: ReadingSettings,
  others?: readonly string[],
): ReadQuery<OperationRequest> {
  const values = new QueryValues(parameters, items, settings, others);
  const draft: Draft = {
    conditions: new Map(),
    startIndex: 0,
    recordCount: RECORD_COUNT.default,
    groupBy: [],
    facets: [],
    words: [],
    kinds: [],
  };
  for (const parameter of parameters) readParameter(parameter, values, draft);
  refuseReversedRanges(parameters, values, draft);
  if (values.errors.length > 0) return { ok: false, errors: values.errors };
  const { conditions, ...asked } = draft;
  const condition = joinAll([...conditions.values()]);
  return { ok: true, query: { condition, ...asked, linkParameters: givenValues(parameters, values) } };
}

function readParameter(parameter: OperationParameter, values: QueryValues, draft: Draft): void {
  const { conditions } = draft;
  switch (parameter.kind) {
    case 'term':
    case 'organization':
    case 'owner': {
      const read = values.readAll(parameter);
      if (read.length > 0) conditions.set(parameter.name, parameter.buildCondition(read));
      break;
    }
    case 'boundary':
    case 'minimumYears':
    case 'changedSince': {
      const condition = values.readOne(parameter);
      if (condition !== undefined) conditions.set(parameter.name, condition);
      break;
    }
    case 'start':
    case 'end': {
      const value = values.readOne(parameter);
      const { range, open, end } = parameter;
      if (value !== undefined) conditions.set(range, { ...(conditions.get(range) ?? open), [end]: value });
      break;
    }
    case 'startIndex':
    case 'recordCount':
    case 'order':
    case 'dataVersion':
    case 'format':
    case 'exportFormat':
    case 'groupBy':
    case 'facet':
    case 'words':
    case 'foundKind':
      readOption(parameter, values, draft);
  }
}

/** What changes nothing about which records match. */
function readOption(parameter: Exclude<OperationParameter, Filter>, values: QueryValues, draft: Draft): void {
  switch (parameter.kind) {
    case 'groupBy':
      draft.groupBy = readNames(parameter, values);
      break;
    case 'facet':
      draft.facets = readFacets(parameter, values, draft);
      break;
    case 'words':
      draft.words = values.readOne(parameter) ?? [];
      break;
    case 'foundKind':
      draft.kinds = values.readAll(parameter);
      break;
    case 'startIndex':
    case 'recordCount':
      draft[parameter.kind] = values.readOne(parameter) ?? parameter.defaultValue;
      break;
    case 'order':
      draft.order = values.readOne(parameter);
      break;
    case 'dataVersion':
      draft.dataVersion = values.readOne(parameter);
      break;
    case 'format':
      draft.format = values.readOne(parameter);
      break;
    case 'exportFormat':
      draft.exportFormat = values.readOne(parameter);
      break;
  }
}

/** All filters have been read then: an operation lists them first. */
function readFacets(parameter: FacetParameter, values: QueryValues, draft: Draft): readonly RequestedFacet[] {
  const { conditions } = draft;
  return readNames(parameter, values).map((grouping) => ({ grouping, filter: conditions.get(grouping.name) }));
}

/** The same name twice is an error that lists the names (D38, D52). */
function readNames<Named extends Grouping>(parameter: Parameter<Named>, values: QueryValues): readonly Named[] {
  const named = values.readAll(parameter);
  const repeated = named.find((one, index) => named.indexOf(one) !== index);
  if (repeated !== undefined) {
    const list = joinNames(parameter.limits?.enum ?? []);
    values.refuse(parameter.name, `may have each name once: ${list}`, repeated.name);
  }
  return named;
}

/** D7, D35: a start after its end is an error that names both and stands under the start. */
function refuseReversedRanges(parameters: readonly OperationParameter[], values: QueryValues, draft: Draft): void {
  const isOfRange = (one: OperationParameter): one is RangeFilter => one.kind === 'start' || one.kind === 'end';
  const ranges = parameters.filter(isOfRange);
  for (const end of ranges.filter(({ kind }) => kind === 'end')) {
    const start = ranges.find(({ kind, range }) => kind === 'start' && range === end.range);
    if (start === undefined) throw new Error(`${end.name} ends a range that no parameter begins`);
    const range = draft.conditions.get(end.range);
    const [first = -Infinity, last = Infinity] =
      range?.kind === 'within' ? [range.from, range.to] : range?.kind === 'number' ? [range.min, range.max] : [];
    if (first <= last) continue;
    const value = [start, end].map((parameter) => values.getTexts(parameter)[0] ?? '').join(' to ');
    const relation = range?.kind === 'within' ? 'later' : 'greater';
    values.refuse(start.name, `must not be ${relation} than ${end.name}`, value);
  }
}

const PAGE_KINDS: ReadonlySet<OperationParameter['kind']> = new Set(['startIndex', 'recordCount', 'dataVersion']);

function givenValues(
  parameters: readonly OperationParameter[],
  values: QueryValues,
): OperationRequest['linkParameters'] {
  const repeated = parameters.filter(({ kind }) => !PAGE_KINDS.has(kind));
  return repeated.flatMap(({ name }) => values.getTexts({ name }).map((value) => ({ name, value })));
}
