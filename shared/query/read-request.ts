// From the query string to what is asked: every parameter read strictly, all errors at once (D1 to D5).

import type { NumberColumn } from '../records/data-sets';
import { foldText } from '../values/text';
import type { Criteria, NumberRange, Period, RequestedBoundary } from './criteria';
import { filterTerm } from './filter-terms';
import type { FacetParameter, Grouping, NamesParameter, TextGrouping } from './groupings';
import type { OperationParameter, RequestParameters } from './operations';
import { RECORD_COUNT } from './paging-and-format';
import type { AnswerFormat, ChangesParameter, ExportFormat, Order } from './paging-and-format';
import type { DateFilter, DateRange, NumberFilter, ReadingSettings, TermFilter } from './parameter';
import { QueryValues, type ParameterError, type QueryItem } from './query-values';

/** A facet and the terms that the filter of its name asked for, if any: an item of the criteria's terms. */
export interface AskedFacet {
  readonly grouping: TextGrouping;
  readonly terms: readonly string[] | undefined;
}

export interface OperationRequest {
  readonly criteria: Criteria;
  readonly startIndex: number;
  readonly recordCount: number;
  /** Undefined for the order of D17. */
  readonly order?: Order | undefined;
  /** By what totals are grouped, each once, in the order asked for (D38). */
  readonly groupBy: readonly Grouping[];
  /** The facets that are counted, each once, in the order asked for (D41). */
  readonly facets: readonly AskedFacet[];
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

/** What the parameters have said so far. */
interface Draft extends Writable<Omit<OperationRequest, 'criteria' | 'given'>> {
  readonly terms: string[][];
  readonly ranges: Record<DateRange, Period>;
  readonly numbers: Map<NumberColumn, NumberRange>;
  organizations: readonly string[];
  owners: readonly string[];
  changedSince: Criteria['changedSince'];
  minimumYears: Criteria['minimumYears'];
  place: Pick<Criteria, 'boundary' | 'boundaryPlace'>;
  /** By the name of the filter that asked for them. */
  readonly termsOfFilters: Map<string, readonly string[]>;
}

type Writable<Type> = { -readonly [Name in keyof Type]: Type[Name] };

export function readRequest(
  operation: RequestParameters,
  items: readonly QueryItem[],
  settings: ReadingSettings,
): ReadRequest {
  const values = new QueryValues(operation, items, settings);
  const draft: Draft = {
    ...{ terms: [], ranges: { period: {}, published: {} }, numbers: new Map(), organizations: [], owners: [] },
    ...{ place: {}, changedSince: undefined, minimumYears: undefined },
    ...{ startIndex: 0, recordCount: RECORD_COUNT.default, groupBy: [], facets: [] },
    termsOfFilters: new Map(),
  };
  for (const parameter of operation.parameters) readParameter(parameter, values, draft);
  refuseReversedRanges(operation, values, draft);
  if (values.errors.length > 0) return { ok: false, errors: values.errors };
  const { terms, ranges, numbers, place, organizations, owners, changedSince, minimumYears } = draft;
  const { startIndex, recordCount, order, groupBy, facets, dataVersion, format, exportFormat } = draft;
  const criteria = {
    ...{ terms, ...ranges, ...place },
    ...(organizations.length === 0 ? {} : { organizations }),
    ...(owners.length === 0 ? {} : { owners }),
    ...(numbers.size === 0 ? {} : { numbers: [...numbers.values()] }),
    ...(changedSince === undefined ? {} : { changedSince }),
    ...(minimumYears === undefined ? {} : { minimumYears }),
  };
  const page = { startIndex, recordCount, order, groupBy, facets, dataVersion, format, exportFormat };
  return { ok: true, request: { criteria, ...page, given: givenValues(operation, values) } };
}

function takeDay(parameter: DateFilter, values: QueryValues, { ranges }: Draft): void {
  const { kind, range } = parameter;
  const day = values.readOne(parameter);
  if (day !== undefined) ranges[range] = { ...ranges[range], [kind]: day };
}

function takeBound(parameter: NumberFilter, values: QueryValues, { numbers }: Draft): void {
  const { kind, column } = parameter;
  const number = values.readOne(parameter);
  if (number !== undefined) numbers.set(column, { column, ...numbers.get(column), [kind]: number });
}

function readParameter(parameter: OperationParameter, values: QueryValues, draft: Draft): void {
  switch (parameter.kind) {
    case 'term':
      takeTerms(parameter, values, draft);
      break;
    case 'from':
    case 'to':
      takeDay(parameter, values, draft);
      break;
    case 'minimum':
    case 'maximum':
      takeBound(parameter, values, draft);
      break;
    case 'minimumYears':
      draft.minimumYears = values.readOne(parameter);
      break;
    case 'organization':
      draft.organizations = values.readAll(parameter).map(foldText);
      break;
    case 'owner':
      draft.owners = values.readAll(parameter);
      break;
    case 'boundary':
      takeBoundary(values.readOne(parameter), draft);
      break;
    case 'groupBy':
      draft.groupBy = readNames(parameter, values);
      break;
    case 'facet':
      draft.facets = readFacets(parameter, values, draft);
      break;
    case 'changedSince':
      draft.changedSince = readVersion(parameter, values);
      break;
    case 'startIndex':
    case 'recordCount':
    case 'order':
    case 'dataVersion':
    case 'format':
    case 'exportFormat':
      readOption(parameter, values, draft);
  }
}

type OptionKind = 'startIndex' | 'recordCount' | 'order' | 'dataVersion' | 'format' | 'exportFormat';

/** What changes nothing about which records match. */
function readOption(
  parameter: Extract<OperationParameter, { readonly kind: OptionKind }>,
  values: QueryValues,
  draft: Draft,
): void {
  switch (parameter.kind) {
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

function takeTerms(parameter: TermFilter, values: QueryValues, draft: Draft): void {
  const alternatives = values.readAll(parameter);
  if (alternatives.length === 0) return;
  const terms = alternatives.map((value) => filterTerm(parameter.field, value));
  draft.terms.push(terms);
  draft.termsOfFilters.set(parameter.name, terms);
}

/** All filters have been read then: an operation lists them first. */
function readFacets(parameter: FacetParameter, values: QueryValues, draft: Draft): readonly AskedFacet[] {
  const terms = draft.termsOfFilters;
  return readNames(parameter, values).map((grouping) => ({ grouping, terms: terms.get(grouping.name) }));
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

function takeBoundary(requested: RequestedBoundary | undefined, draft: Draft): void {
  switch (requested?.kind) {
    case 'geometry':
      draft.place = { boundary: requested.boundary };
      break;
    case 'place':
      draft.place = { boundaryPlace: requested.place };
      break;
    case 'term':
      draft.terms.push([filterTerm(requested.field, requested.value)]);
      break;
    case undefined:
      break;
  }
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
      const { from = -Infinity, to = Infinity } = draft.ranges[end.range];
      const isStart = (other: OperationParameter): boolean => other.kind === 'from' && other.range === end.range;
      if (from > to) refuse(parameters.find(isStart), end, 'later');
    } else if (end.kind === 'maximum') {
      const { minimum = -Infinity, maximum = Infinity } = draft.numbers.get(end.column) ?? {};
      const isStart = (other: OperationParameter): boolean => other.kind === 'minimum' && other.column === end.column;
      if (minimum > maximum) refuse(parameters.find(isStart), end, 'greater');
    }
  }
}

const PAGE_KINDS: ReadonlySet<OperationParameter['kind']> = new Set(['startIndex', 'recordCount', 'dataVersion']);

function givenValues({ parameters }: RequestParameters, values: QueryValues): OperationRequest['given'] {
  const repeated = parameters.filter(({ kind }) => !PAGE_KINDS.has(kind));
  return repeated.flatMap(({ name }) => values.textsOf({ name }).map((value) => ({ name, value })));
}
