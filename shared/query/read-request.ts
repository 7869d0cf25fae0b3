// From the query string to what is asked: every parameter read strictly, all errors at once (D1 to D5).

import { foldText } from '../values/text';
import type { Criteria, Period, RequestedBoundary } from './criteria';
import { filterTerm } from './filter-terms';
import type { OperationParameter, RequestParameters } from './operations';
import { RECORD_COUNT, type AnswerFormat } from './paging-and-format';
import type { DateRange, ReadingSettings } from './parameter';
import { QueryValues, type ParameterError, type QueryItem } from './query-values';

export interface OperationRequest {
  readonly criteria: Criteria;
  readonly startIndex: number;
  readonly recordCount: number;
  /** Undefined for the current one (D33). */
  readonly dataVersion?: string | undefined;
  /** Undefined when the header Accept decides. */
  readonly format?: AnswerFormat | undefined;
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
  organizations: readonly string[];
  owners: readonly string[];
  place: Pick<Criteria, 'boundary' | 'boundaryPlace'>;
}

type Writable<Type> = { -readonly [Name in keyof Type]: Type[Name] };

export function readRequest(
  operation: RequestParameters,
  items: readonly QueryItem[],
  settings: ReadingSettings,
): ReadRequest {
  const values = new QueryValues(operation, items, settings);
  const draft: Draft = {
    ...{ terms: [], ranges: { period: {}, published: {} }, organizations: [], owners: [], place: {} },
    ...{ startIndex: 0, recordCount: RECORD_COUNT.default },
  };
  for (const parameter of operation.parameters) readParameter(parameter, values, draft);
  refuseReversedRanges(operation, values, draft);
  if (values.errors.length > 0) return { ok: false, errors: values.errors };
  const { terms, ranges, place, organizations, owners, ...page } = draft;
  const criteria = {
    ...{ terms, ...ranges, ...place },
    ...(organizations.length === 0 ? {} : { organizations }),
    ...(owners.length === 0 ? {} : { owners }),
  };
  return { ok: true, request: { criteria, ...page, given: givenValues(operation, values) } };
}

function readParameter(parameter: OperationParameter, values: QueryValues, draft: Draft): void {
  switch (parameter.kind) {
    case 'term': {
      const alternatives = values.readAll(parameter);
      if (alternatives.length > 0) draft.terms.push(alternatives.map((value) => filterTerm(parameter.field, value)));
      break;
    }
    case 'from':
    case 'to': {
      const day = values.readOne(parameter);
      const range = draft.ranges[parameter.range];
      if (day !== undefined) draft.ranges[parameter.range] = { ...range, [parameter.kind]: day };
      break;
    }
    case 'organization':
      draft.organizations = values.readAll(parameter).map(foldText);
      break;
    case 'owner':
      draft.owners = values.readAll(parameter);
      break;
    case 'boundary':
      takeBoundary(values.readOne(parameter), draft);
      break;
    case 'startIndex':
    case 'recordCount':
      draft[parameter.kind] = values.readOne(parameter) ?? parameter.defaultValue;
      break;
    case 'dataVersion':
      draft.dataVersion = values.readOne(parameter);
      break;
    case 'format':
      draft.format = values.readOne(parameter);
      break;
  }
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

/** D7: a start after its end is an error that names both and stands under the start. */
function refuseReversedRanges({ parameters }: RequestParameters, values: QueryValues, { ranges }: Draft): void {
  for (const end of parameters) {
    if (end.kind !== 'to') continue;
    const { from, to } = ranges[end.range];
    if (from === undefined || to === undefined || from <= to) continue;
    const start = parameters.find((parameter) => parameter.kind === 'from' && parameter.range === end.range);
    if (start === undefined) throw new Error(`${end.name} ends a range that no parameter begins`);
    const value = [start, end].map((parameter) => values.textsOf(parameter)[0] ?? '').join(' to ');
    values.refuse(start.name, `must not be later than ${end.name}`, value);
  }
}

const PAGE_KINDS: ReadonlySet<OperationParameter['kind']> = new Set(['startIndex', 'recordCount', 'dataVersion']);

function givenValues({ parameters }: RequestParameters, values: QueryValues): OperationRequest['given'] {
  const repeated = parameters.filter(({ kind }) => !PAGE_KINDS.has(kind));
  return repeated.flatMap(({ name }) => values.textsOf({ name }).map((value) => ({ name, value })));
}
