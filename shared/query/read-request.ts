// From the query string to what is asked: every parameter read strictly, all errors at once (D1 to D5).

import type { NumberColumn } from '../records/data-sets';
import type { FoundKind } from '../records/found';
import { allOf, isOfOrganization, isOneOf, type Condition, type DateRange, type Period } from './condition';
import type { Filter } from './filters';
import type { FacetParameter, Grouping, NamesParameter, TextGrouping } from './groupings';
import type { OperationParameter, RequestParameters } from './operations';
import {
  RECORD_COUNT,
  type AnswerFormat,
  type ChangesParameter,
  type ExportFormat,
  type Order,
} from './paging-and-format';
import type { DateFilter, NumberFilter, ReadingSettings } from './parameter';
import { QueryValues, type ParameterError, type QueryItem } from './query-values';

/** A facet, and what the filter of its name asked for, if anything: one of the conjuncts of the condition. */
export interface AskedFacet {
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
  readonly facets: readonly AskedFacet[];
  /** The words of a name, and the kinds that are asked for by it; none for all (D60). */
  readonly words: readonly string[];
  readonly kinds: readonly FoundKind[];
  /** Undefined for the current one (D33). */
  readonly dataVersion?: string | undefined;
  /** Undefined when the header Accept decides. */
  readonly format?: AnswerFormat | undefined;
  /** The form of an export (D46), likewise. */
  readonly exportFormat?: ExportFormat | undefined;
  /** The parameters as links repeat them, without the page: names and order of the operation, values trimmed. */
  readonly given: readonly { readonly name: string; readonly value: string }[];
}

export type ReadRequest =
  | { readonly ok: true; readonly request: OperationRequest }
  | { readonly ok: false; readonly errors: readonly ParameterError[] };

/** Both ends are included, at least one of them is given; a record without the number is not within (D35). */
interface NumberRange {
  readonly least?: number;
  readonly most?: number;
}

/** What the parameters have said so far. */
interface Draft extends Writable<Omit<OperationRequest, 'condition' | 'given'>> {
  /** What each filter asks for, by its name, but for ranges, whose ends are two filters. */
  readonly conditions: Map<string, Condition>;
  readonly periods: Map<DateRange, Period>;
  readonly numbers: Map<NumberColumn, NumberRange>;
}

type Writable<Type> = { -readonly [Name in keyof Type]: Type[Name] };

export function readRequest(
  operation: RequestParameters,
  items: readonly QueryItem[],
  settings: ReadingSettings,
): ReadRequest {
  const values = new QueryValues(operation, items, settings);
  const draft: Draft = {
    ...{ conditions: new Map(), periods: new Map(), numbers: new Map() },
    ...{ startIndex: 0, recordCount: RECORD_COUNT.default, groupBy: [], facets: [], words: [], kinds: [] },
  };
  for (const parameter of operation.parameters) readParameter(parameter, values, draft);
  refuseReversedRanges(operation, values, draft);
  if (values.errors.length > 0) return { ok: false, errors: values.errors };
  const { conditions, periods, numbers, ...asked } = draft;
  const condition = allOf([
    ...conditions.values(),
    ...[...periods].map(([dates, period]): Condition => ({ kind: 'within', dates, ...period })),
    ...[...numbers].map(([column, range]): Condition => ({
      kind: 'number',
      member: { kind: 'number', column },
      ...range,
    })),
  ]);
  return { ok: true, request: { condition, ...asked, given: givenValues(operation, values) } };
}

function readParameter(parameter: OperationParameter, values: QueryValues, draft: Draft): void {
  switch (parameter.kind) {
    case 'term':
    case 'organization':
    case 'owner':
    case 'boundary':
    case 'minimumYears':
    case 'changedSince': {
      const condition = readCondition(parameter, values);
      if (condition !== undefined) draft.conditions.set(parameter.name, condition);
      break;
    }
    case 'from':
    case 'to': {
      const day = values.readOne(parameter);
      const { kind, range } = parameter;
      if (day !== undefined) draft.periods.set(range, { ...draft.periods.get(range), [kind]: day });
      break;
    }
    case 'minimum':
    case 'maximum': {
      const number = values.readOne(parameter);
      const { kind, column } = parameter;
      const end = kind === 'minimum' ? 'least' : 'most';
      if (number !== undefined) draft.numbers.set(column, { ...draft.numbers.get(column), [end]: number });
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

/** A filter that is a condition by itself. */
type ConditionParameter = Exclude<Filter, DateFilter | NumberFilter> | ChangesParameter;

/** Undefined where the filter is not given. */
function readCondition(parameter: ConditionParameter, values: QueryValues): Condition | undefined {
  switch (parameter.kind) {
    case 'term': {
      const read = values.readAll(parameter);
      return read.length === 0 ? undefined : isOneOf(parameter.field, read);
    }
    case 'organization': {
      const read = values.readAll(parameter);
      return read.length === 0 ? undefined : isOfOrganization(read);
    }
    case 'owner': {
      const read = values.readAll(parameter);
      return read.length === 0 ? undefined : hasOwner(read);
    }
    case 'boundary':
      return values.readOne(parameter);
    case 'minimumYears': {
      const years = values.readOne(parameter);
      return years === undefined ? undefined : { kind: 'minimumYears', years };
    }
    case 'changedSince': {
      const version = readVersion(parameter, values);
      return version === undefined ? undefined : { kind: 'changedSince', version };
    }
  }
}

function hasOwner(texts: readonly string[]): Condition {
  return { kind: 'text', member: { kind: 'owner' }, test: { kind: 'contains', isFolded: true, values: texts } };
}

/** What changes nothing about which records match. */
function readOption(
  parameter: Exclude<OperationParameter, Filter | ChangesParameter>,
  values: QueryValues,
  draft: Draft,
): void {
  switch (parameter.kind) {
    case 'groupBy':
      draft.groupBy = readNames(parameter, values);
      break;
    case 'facet':
      draft.facets = readFacets(parameter, values, draft);
      break;
    case 'words':
      if (values.textsOf(parameter).length === 0) values.refuse(parameter.name, 'is required: words of a name', '');
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
function readFacets(parameter: FacetParameter, values: QueryValues, draft: Draft): readonly AskedFacet[] {
  const { conditions } = draft;
  return readNames(parameter, values).map((grouping) => ({ grouping, filter: conditions.get(grouping.name) }));
}

function readVersion(parameter: ChangesParameter, values: QueryValues): string | undefined {
  if (parameter.isRequired && values.textsOf(parameter).length === 0) {
    values.refuse(parameter.name, 'is required: the data version that an earlier answer named in Data-Version', '');
  }
  return values.readOne(parameter);
}

/** The same name twice is an error that lists the names (D38, D52). */
function readNames<Named extends Grouping>(
  parameter: NamesParameter<string, Named>,
  values: QueryValues,
): readonly Named[] {
  const named = values.readAll(parameter);
  const repeated = named.find((one, index) => named.indexOf(one) !== index);
  if (repeated !== undefined) {
    values.refuse(parameter.name, `may have each name once: ${parameter.list}`, repeated.name);
  }
  return named;
}

/** D7, D35: a start after its end is an error that names both and stands under the start. */
function refuseReversedRanges({ parameters }: RequestParameters, values: QueryValues, draft: Draft): void {
  const refuse = (start: OperationParameter | undefined, end: OperationParameter, relation: string): void => {
    if (start === undefined) throw new Error(`${end.name} ends a range that no parameter begins`);
    const value = [start, end].map((parameter) => values.textsOf(parameter)[0] ?? '').join(' to ');
    values.refuse(start.name, `must not be ${relation} than ${end.name}`, value);
  };
  for (const end of parameters) {
    if (end.kind === 'to') {
      const { from = -Infinity, to = Infinity } = draft.periods.get(end.range) ?? {};
      const isStart = (other: OperationParameter): boolean => other.kind === 'from' && other.range === end.range;
      if (from > to) refuse(parameters.find(isStart), end, 'later');
    } else if (end.kind === 'maximum') {
      const { least = -Infinity, most = Infinity } = draft.numbers.get(end.column) ?? {};
      const isStart = (other: OperationParameter): boolean => other.kind === 'minimum' && other.column === end.column;
      if (least > most) refuse(parameters.find(isStart), end, 'greater');
    }
  }
}

const PAGE_KINDS: ReadonlySet<OperationParameter['kind']> = new Set(['startIndex', 'recordCount', 'dataVersion']);

function givenValues({ parameters }: RequestParameters, values: QueryValues): OperationRequest['given'] {
  const repeated = parameters.filter(({ kind }) => !PAGE_KINDS.has(kind));
  return repeated.flatMap(({ name }) => values.textsOf({ name }).map((value) => ({ name, value })));
}
