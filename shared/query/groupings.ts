// The names that the parameters GroupBy (D38) and Facet (D41) accept. The text filters of an operation determine them.
// Totals can also be grouped by time.

import type { DataSetKind } from '../records/data-sets';
import { filterFields } from './filter-fields';
import { createChoice, type Parameter, type TermFilter } from './parameter';
import { VALUE_KINDS } from './text-filter-definition';

/** Groupings by the effective dates (D7) of amounts, and by the priority dates of rights (D39). */
const TIMES = {
  amounts: ['Year', 'WaterYear', 'Month'],
  allocations: ['PriorityYear', 'PriorityDecade'],
} as const;

export type TimeGrouping = (typeof TIMES)[keyof typeof TIMES][number];

/** A text filter whose values form groups. */
export type TextGrouping =
  | { readonly kind: 'organization'; readonly name: string }
  | { readonly kind: 'term'; readonly name: string; readonly filter: TermFilter; readonly canOverlap: boolean };

export type Grouping =
  | TextGrouping
  | { readonly kind: 'time'; readonly name: TimeGrouping }
  | { readonly kind: 'reportYear'; readonly name: 'ReportYear' };

export type GroupByParameter = Parameter<Grouping> & { readonly kind: 'groupBy' };

export type FacetParameter = Parameter<TextGrouping> & { readonly kind: 'facet' };

/** The parameter that makes each record count in only one group of each grouping (D78). */
export type CountOnceParameter = Parameter<boolean> & { readonly kind: 'countOnce' };

/** The group of records that have several values for a grouping, if each record counts only once (D78). */
export const SEVERAL_VALUES = '(several)';

/** With more groupings, rows would be too wide to read. */
const MAX_GROUPINGS = 3;

/** At least the number of text filters of any operation. */
const MAX_FACETS = 20;

type AnyFilter = TermFilter | { readonly kind: string; readonly name: string };

export function groupBy(dataSet: DataSetKind, filters: readonly AnyFilter[]): GroupByParameter {
  const isAllocations = dataSet === 'WaterAllocations';
  const groupings: readonly Grouping[] = [
    ...(isAllocations ? TIMES.allocations : TIMES.amounts).map((name) => ({ kind: 'time', name }) as const),
    ...(isAllocations ? [] : [{ kind: 'reportYear', name: 'ReportYear' } as const]),
    ...textGroupings(dataSet, filters, 'isGrouped'),
  ];
  const meaning = 'How to group the totals. Each name adds a member to the rows, in the requested order.';
  return { kind: 'groupBy', ...namesParameter('GroupBy', meaning, groupings), maxValues: MAX_GROUPINGS };
}

export const countOnce: CountOnceParameter = {
  kind: 'countOnce',
  name: 'CountOnce',
  type: 'string',
  meaning:
    'Whether each record counts in only one group, so that the groups add up. A record with several uses then counts ' +
    `under its primary use; any other record with several values counts in the group ${SEVERAL_VALUES}.`,
  example: 'true',
  ...createChoice([
    ['true', true],
    ['false', false],
  ]),
  defaultValue: false,
};

export function facet(dataSet: DataSetKind, filters: readonly AnyFilter[]): FacetParameter {
  const meaning = 'The name of a text filter. For each of its values, the answer has the number of matching records.';
  const facets = textGroupings(dataSet, filters, 'isFaceted');
  return { kind: 'facet', ...namesParameter('Facet', meaning, facets), maxValues: MAX_FACETS };
}

function textGroupings(
  dataSet: DataSetKind,
  filters: readonly AnyFilter[],
  named: 'isGrouped' | 'isFaceted',
): readonly TextGrouping[] {
  return filters.flatMap((filter): readonly TextGrouping[] => {
    if (filter.kind === 'organization') return [{ kind: 'organization', name: filter.name }];
    if (!('field' in filter)) return [];
    const { name, field } = filter;
    const { valueKind: values = 'text', scope: of } = filterFields[field];
    if (!VALUE_KINDS[values][named]) return [];
    // A record can have several uses, and a right can have several sites (D14).
    const canOverlap = of === 'use' || (dataSet === 'WaterAllocations' && of === 'place');
    return [{ kind: 'term', name, filter, canOverlap }];
  });
}

function namesParameter<Named extends { readonly name: string }>(
  name: string,
  meaning: string,
  named: readonly Named[],
): Parameter<Named> {
  const choice = createChoice(named.map((each) => [each.name, each] as const));
  const example = named[0]?.name ?? '';
  return { name, meaning, isRepeatable: true, type: 'string', example, ...choice };
}
