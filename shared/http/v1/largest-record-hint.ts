// Writes the sentence about totals in which one record makes up more than half of a sum (D72). Such a record is often
// an error in the data, such as an amount in the wrong unit.

import { computeLargestShare, type Statistics } from '../../aggregate/statistics';
import type { TotalsRow } from '../../aggregate/totals-rows';
import type { Condition } from '../../query/condition';
import type { Grouping, TimeGrouping } from '../../query/groupings';
import type { DataSetKind, NumberColumn } from '../../records/data-sets';
import type { Item } from '../../records/record-references';
import type { TotalsPage } from '../../render/write-totals';
import type { CatalogRelease } from '../../search/open-releases';
import { planPage } from '../../search/plan-page';
import { parseItems } from '../../store/joined-fragments';
import { toDay } from '../../values/dates';
import { encodeForHeader } from './header-text';

/** A single value is reported if its share of a sum is larger than this. */
const DOMINATING_SHARE = 0.5;

interface Measure {
  readonly column: NumberColumn;
  readonly sum: string;
  readonly member: string;
}

const AMOUNTS: readonly Measure[] = [{ column: 'amount', sum: 'Sum', member: 'Amount' }];

/** The measures in the order of the statistics. */
const MEASURES: Readonly<Record<DataSetKind, readonly Measure[]>> = {
  SiteVariableAmounts: AMOUNTS,
  AggregatedAmounts: AMOUNTS,
  WaterAllocations: [
    { column: 'flow', sum: 'FlowSum', member: 'AllocationFlow_CFS' },
    { column: 'volume', sum: 'VolumeSum', member: 'AllocationVolume_AF' },
  ],
};

/** A row, and the value that makes up more than half of one of its sums. */
interface DominatedRow {
  readonly row: TotalsRow;
  readonly measure: Measure;
  readonly value: number;
  readonly share: number;
}

/** Undefined if no record makes up more than half of a sum on the page. Throws what a search throws. */
export async function findLargestRecordHint(
  { query, totals, rows }: TotalsPage,
  releases: readonly CatalogRelease[],
): Promise<string | undefined> {
  const dominated = MEASURES[query.dataSet].flatMap((measure, index) =>
    rows.flatMap((row) => findDominatingValue(totals.statistics, row, measure, index)),
  );
  const [largest] = dominated.toSorted((a, b) => Math.abs(b.value) - Math.abs(a.value));
  if (largest === undefined) return undefined;
  const condition = describeRecord(query.condition, query.groupBy, largest);
  const record = await readFirstRecord(condition, releases);
  return record && writeSentence(largest, query, record, dominated.length);
}

/** Skips sums of a single value. */
function findDominatingValue(
  statistics: Statistics,
  row: TotalsRow,
  measure: Measure,
  index: number,
): readonly DominatedRow[] {
  const values = statistics.getMeasure(row.group, index);
  const { count, lowest, highest } = values;
  const share = computeLargestShare(values);
  if (count < 2 || share === null || share <= DOMINATING_SHARE || lowest === null || highest === null) return [];
  return [{ row, measure, share, value: Math.abs(lowest) > Math.abs(highest) ? lowest : highest }];
}

function describeRecord(
  condition: Condition,
  groupBy: readonly Grouping[],
  { row, measure, value }: DominatedRow,
): Condition {
  const hasValue: Condition = {
    kind: 'number',
    member: { kind: 'number', column: measure.column },
    min: value,
    max: value,
  };
  const ofGroups = groupBy.flatMap((grouping, index) => describeGroup(grouping, row.groups[index] ?? null));
  return { kind: 'all', operands: [condition, hasValue, ...ofGroups] };
}

/** Returns a condition that all records of the group meet, or none if no filter expresses it. */
function describeGroup(grouping: Grouping, value: string | null): readonly Condition[] {
  if (value === null) return [];
  switch (grouping.kind) {
    case 'term':
      return [grouping.filter.buildCondition([value])];
    case 'organization':
      return [
        { kind: 'text', member: { kind: 'organization' }, test: { isFolded: true, kind: 'one of', values: [value] } },
      ];
    case 'time':
      return describeTime(grouping.name, Number(value));
    case 'reportYear':
      return [];
  }
}

/**
 * The first and last calendar year of a group, relative to the year in its name. A water year starts in the previous
 * calendar year.
 */
const YEARS: Readonly<Partial<Record<TimeGrouping, readonly [first: number, last: number]>>> = {
  Year: [0, 0],
  WaterYear: [-1, 0],
  PriorityYear: [0, 0],
  PriorityDecade: [0, 9],
};

function describeTime(name: TimeGrouping, value: number): readonly Condition[] {
  const [first, last] = YEARS[name] ?? [];
  if (first === undefined || last === undefined) return [];
  const from = toDay(value + first, 1, 1);
  const to = toDay(value + last, 12, 31);
  return from === undefined || to === undefined ? [] : [{ kind: 'during', from, to }];
}

async function readFirstRecord(condition: Condition, releases: readonly CatalogRelease[]): Promise<Item | undefined> {
  const { slices } = await planPage(releases, condition, { startIndex: 0, recordCount: 1 });
  const [slice] = slices;
  if (slice === undefined) return undefined;
  return parseItems(await slice.reader.texts('records', slice.numbers))[0];
}

/** The members by which people can identify the record. */
const IDENTIFIERS = [
  'AllocationUUID',
  'AllocationNativeID',
  'SiteUUID',
  'ReportingUnitUUID',
  'VariableCV',
  'TimeframeStart',
  'TimeframeEnd',
  'ReportYear',
];

function writeSentence(
  { row, measure, value, share }: DominatedRow,
  { groupBy }: TotalsPage['query'],
  record: Item,
  count: number,
): string {
  const groups = groupBy.map(({ name }, index) => `${name} ${encodeForHeader(row.groups[index] ?? 'none')}`);
  const place = groups.length === 0 ? '' : ` for ${groups.join(', ')}`;
  const named = IDENTIFIERS.flatMap((name) => {
    const text = record[name];
    return typeof text === 'string' && text !== '' ? [`${name} ${encodeForHeader(text)}`] : [];
  });
  const percent = share > 0.999 ? 'over 99.9' : (100 * share).toFixed(1);
  const others = count > 1 ? ` The same is true of ${count - 1} more sums on this page.` : '';
  return (
    `One record makes up ${percent} percent of ${measure.sum}${place}: ${measure.member} ${value} of ${named.join(', ')}. ` +
    `Check it before you use the sum.${others}`
  );
}
