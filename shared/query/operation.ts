// An operation is data: its name and route, the data set it reads, and each parameter with what it is bound to. A
// parameter without a binding does not fit the list, so it does not compile.

import type { SearchArea } from '../values/boundary/boundary-names';
import type { Day } from '../values/dates';
import type { DataSetKind } from '../records/data-sets';
import type { FilterFieldOf } from './filter-terms';
import { answerFormat, type AnswerFormat } from './answer-format';
import type { Parameter } from './parameter';
import { dataVersion, recordCount, startIndex } from './paging-and-access';
import { endPublicationDate, startPublicationDate } from './ranges-and-boundary';
import { organizationUuid } from './text-filters';

/** Which dates a range goes by: the effective ones (D7) or the publication date (D34). */
export type Range = 'period' | 'published';

interface DateBinding {
  readonly role: 'from' | 'to';
  readonly range: Range;
  readonly parameter: Parameter<Day>;
}

/** A parameter and what it means for the search. */
export type Binding<Kind extends DataSetKind = DataSetKind> =
  | { readonly role: 'term'; readonly parameter: Parameter<string>; readonly field: FilterFieldOf<Kind> }
  | { readonly role: 'organization'; readonly parameter: Parameter<string> }
  | DateBinding
  | { readonly role: 'boundary'; readonly parameter: Parameter<SearchArea> }
  | { readonly role: 'startIndex' | 'recordCount'; readonly parameter: Parameter<number> }
  | { readonly role: 'dataVersion'; readonly parameter: Parameter<string> }
  | { readonly role: 'format'; readonly parameter: Parameter<AnswerFormat> };

export interface Operation {
  readonly name: string;
  /** Without a leading slash. */
  readonly route: string;
  readonly summary: string;
  readonly dataSet: DataSetKind;
  readonly bindings: readonly Binding[];
}

/** The organization, the publication dates, the paging, the data version and the format stand on every operation, after its own filters. */
export function defineOperation<Kind extends DataSetKind>(
  operation: Omit<Operation, 'bindings'> & { readonly dataSet: Kind; readonly filters: readonly Binding<Kind>[] },
): Operation {
  const { filters, ...rest } = operation;
  const bindings: readonly Binding[] = [
    ...(filters as readonly Binding[]), // A field of one kind is a field of the union; only writing one would not be.
    { role: 'organization', parameter: organizationUuid },
    ...between('published', startPublicationDate, endPublicationDate),
    { role: 'startIndex', parameter: startIndex },
    { role: 'recordCount', parameter: recordCount },
    { role: 'dataVersion', parameter: dataVersion },
    { role: 'format', parameter: answerFormat },
  ];
  return { ...rest, bindings };
}

export function term<Kind extends DataSetKind>(
  parameter: Parameter<string>,
  field: FilterFieldOf<Kind>,
): Binding<Kind> {
  return { role: 'term', parameter, field };
}

/** The two ends of a range, both included. */
export function between(range: Range, from: Parameter<Day>, to: Parameter<Day>): [DateBinding, DateBinding] {
  return [
    { role: 'from', range, parameter: from },
    { role: 'to', range, parameter: to },
  ];
}
