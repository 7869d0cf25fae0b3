// Reads the request of an operation from a query string, strictly, and reports all errors together (D1 to D5).

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

/**
 * A facet, and the condition of the filter with the same name, if the request has one. That condition is also one of
 * the conjuncts of the request.
 */
export interface RequestedFacet {
  readonly grouping: TextGrouping;
  readonly filter: Condition | undefined;
}

export interface OperationRequest {
  /** All filters, joined with AND (D16). */
  readonly condition: Condition;
  readonly startIndex: number;
  readonly recordCount: number;
  /** Undefined for the default order (D17). */
  readonly order?: Order | undefined;
  /** The groupings of totals, without duplicates, in the requested order (D38). */
  readonly groupBy: readonly Grouping[];
  /** Whether each record counts in only one group of each grouping (D78). */
  readonly countsOnce: boolean;
  /** The facets to count, without duplicates, in the requested order (D41). */
  readonly facets: readonly RequestedFacet[];
  /** The words to search for in names (D60). */
  readonly words: readonly string[];
  /** The kinds of named things to search for; empty for all kinds (D60). */
  readonly kinds: readonly NamedKind[];
  /** Undefined for the current version (D33). */
  readonly dataVersion?: string | undefined;
  /** Undefined if the header Accept determines the format. */
  readonly format?: AnswerFormat | undefined;
  /** The format of an export (D46); undefined if the header Accept determines the format. */
  readonly exportFormat?: ExportFormat | undefined;
  /**
   * The parameters to repeat in links, except those of the page: in the order of the operation, with trimmed values.
   */
  readonly linkParameters: readonly { readonly name: string; readonly value: string }[];
}

/** The request while its parameters are being read. */
interface Draft extends Writable<Omit<OperationRequest, 'condition' | 'linkParameters'>> {
  /** The conditions, keyed by filter name. The two filters of a range share an entry, under the name of the range. */
  readonly conditions: Map<string, Condition>;
}

type Writable<Type> = { -readonly [Name in keyof Type]: Type[Name] };

/** `otherNames` are additional names that an error may suggest. */
export function readRequest(
  parameters: readonly OperationParameter[],
  items: readonly QueryItem[],
  settings: ReadingSettings,
  otherNames?: readonly string[],
): ReadQuery<OperationRequest> {
  const values = new QueryValues(parameters, items, settings, otherNames);
  const draft: Draft = {
    conditions: new Map(),
    startIndex: 0,
    recordCount: RECORD_COUNT.default,
    groupBy: [],
    countsOnce: false,
    facets: [],
    words: [],
    kinds: [],
  };
  for (const parameter of parameters) readParameter(parameter, values, draft);
  refuseReversedRanges(parameters, values, draft);
  if (values.errors.length > 0) return { ok: false, errors: values.errors };
  const { conditions, ...options } = draft;
  const condition = joinAll([...conditions.values()]);
  return { ok: true, query: { condition, ...options, linkParameters: listLinkParameters(parameters, values) } };
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
    case 'countOnce':
    case 'facet':
    case 'words':
    case 'foundKind':
      readOption(parameter, values, draft);
  }
}

/** Reads a parameter that does not change which records match. */
function readOption(parameter: Exclude<OperationParameter, Filter>, values: QueryValues, draft: Draft): void {
  switch (parameter.kind) {
    case 'groupBy':
      draft.groupBy = readNames(parameter, values);
      break;
    case 'countOnce':
      draft.countsOnce = values.readOne(parameter) ?? false;
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

/** The filters have already been read, because operations list them before the facets. */
function readFacets(parameter: FacetParameter, values: QueryValues, draft: Draft): readonly RequestedFacet[] {
  const { conditions } = draft;
  return readNames(parameter, values).map((grouping) => ({ grouping, filter: conditions.get(grouping.name) }));
}

/** Rejects a repeated name. The error lists the allowed names (D38, D52). */
function readNames<Named extends Grouping>(parameter: Parameter<Named>, values: QueryValues): readonly Named[] {
  const groupings = values.readAll(parameter);
  const repeated = groupings.find((grouping, index) => groupings.indexOf(grouping) !== index);
  if (repeated !== undefined) {
    const list = joinNames(parameter.limits?.enum ?? []);
    values.refuse(parameter.name, `may have each name only once: ${list}`, repeated.name);
  }
  return groupings;
}

/** Rejects a range whose start is after its end (D7, D35). The error is reported for the start and shows both. */
function refuseReversedRanges(parameters: readonly OperationParameter[], values: QueryValues, draft: Draft): void {
  const isOfRange = (parameter: OperationParameter): parameter is RangeFilter =>
    parameter.kind === 'start' || parameter.kind === 'end';
  const ranges = parameters.filter(isOfRange);
  for (const end of ranges.filter(({ kind }) => kind === 'end')) {
    const start = ranges.find(({ kind, range }) => kind === 'start' && range === end.range);
    if (start === undefined) throw new Error(`${end.name} ends a range that has no start`);
    const range = draft.conditions.get(end.range);
    if (range === undefined || !isReversed(range)) continue;
    const value = [start, end].map((parameter) => values.getTexts(parameter)[0] ?? '').join(' to ');
    const relation = range.kind === 'within' ? 'later' : 'greater';
    values.refuse(start.name, `must not be ${relation} than ${end.name}`, value);
  }
}

function isReversed(range: Condition): boolean {
  if (range.kind === 'within') return (range.from ?? -Infinity) > (range.to ?? Infinity);
  if (range.kind === 'number') return (range.min ?? -Infinity) > (range.max ?? Infinity);
  return false;
}

const PAGE_KINDS: ReadonlySet<OperationParameter['kind']> = new Set(['startIndex', 'recordCount', 'dataVersion']);

function listLinkParameters(
  parameters: readonly OperationParameter[],
  values: QueryValues,
): OperationRequest['linkParameters'] {
  const repeated = parameters.filter(({ kind }) => !PAGE_KINDS.has(kind));
  return repeated.flatMap(({ name }) => values.getTexts({ name }).map((value) => ({ name, value })));
}
