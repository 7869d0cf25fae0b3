// Writes a page of totals (D38, D40) and facets (D41) as JSON and as CSV. The rows are the same in both; the members of
// a row are the columns of the CSV.

import type { CountedFacets } from '../aggregate/facets';
import { computeLargestShare, type Statistics } from '../aggregate/statistics';
import { computeTotals, type GroupedTotals, type TotalsQuery } from '../aggregate/totals';
import { type TotalsRow } from '../aggregate/totals-rows';
import type { AnswerFormat } from '../query/format-parameters';
import type { OperationRequest } from '../query/read-request';
import type { DataSetKind } from '../records/data-sets';
import { createObjectWriter } from '../records/object-definition';
import { facetsMembers, totalsMembers } from '../records/totals';
import type { SearchCaches } from '../search/index/search-caches';
import type { CatalogRelease } from '../search/open-releases';
import { formatIsoDate } from '../values/dates';
import { type Result, success } from '../values/result';
import type { Scalar } from './table-columns';
import { LINE_END, writeCell } from './write-csv';

export interface TotalsPage {
  readonly query: TotalsQuery;
  readonly totals: GroupedTotals;
  readonly rows: readonly TotalsRow[];
}

/** Plans a page of totals. A failure is a sentence about GroupBy. Throws what a search throws. */
export async function planTotals(
  dataSet: DataSetKind,
  { condition, groupBy, countsOnce, startIndex, recordCount }: OperationRequest,
  releases: readonly CatalogRelease[],
  caches: SearchCaches,
): Promise<Result<TotalsPage>> {
  const query = { dataSet, condition, groupBy, countsOnce };
  const totals = await computeTotals(releases, query, caches);
  if (!totals.ok) return totals;
  return success({ query, totals: totals.value, rows: totals.value.page(startIndex, startIndex + recordCount) });
}

export function writeTotals(page: TotalsPage, format: AnswerFormat): string {
  return format === 'csv' ? writeTotalsCsv(page) : writeTotalsJson(page);
}

function writeTotalsJson({ query, totals, rows }: TotalsPage): string {
  const names = listColumns(query, totals).map((name) => `${JSON.stringify(name)}:`);
  const hasOverlap =
    !query.countsOnce && query.groupBy.some((grouping) => grouping.kind === 'term' && grouping.canOverlap);
  const texts = listRowValues(query.dataSet, totals.statistics, rows).map(
    (values) => `{${values.map((value, index) => (names[index] ?? '') + JSON.stringify(value)).join()}}`,
  );
  return `{"TotalGroupsCount":${totals.count},"GroupsOverlap":${hasOverlap},"Totals":[${texts.join()}]}`;
}

function writeTotalsCsv({ query, totals, rows }: TotalsPage): string {
  const lines = listRowValues(query.dataSet, totals.statistics, rows).map((values) => values.map(writeCell).join());
  return [listColumns(query, totals).join(), ...lines].map((line) => line + LINE_END).join('');
}

function listColumns({ dataSet, groupBy }: TotalsQuery, { variableMembers }: GroupedTotals): readonly string[] {
  return [...groupBy.map(({ name }) => name), ...variableMembers, ...Object.keys(totalsMembers[dataSet])];
}

/** Lists the values of each row, in column order. */
function listRowValues(
  dataSet: DataSetKind,
  statistics: Statistics,
  rows: readonly TotalsRow[],
): readonly (readonly Scalar[])[] {
  return rows.map(({ groups, variable, group }) => {
    const days = statistics.getDays(group);
    const [firstDay, lastDay] =
      days === undefined ? [null, null] : [formatIsoDate(days.first), formatIsoDate(days.last)];
    const trailingValues = [firstDay, lastDay, statistics.getPlaceCount(group)];
    return [
      ...groups,
      ...variable,
      statistics.getRecordCount(group),
      ...listMeasures(dataSet, statistics, group),
      ...trailingValues,
    ];
  });
}

function listMeasures(dataSet: DataSetKind, statistics: Statistics, group: number): readonly Scalar[] {
  const measure = statistics.getMeasure(group, 0);
  const { count, sum, mean, lowest, highest } = measure;
  if (dataSet !== 'WaterAllocations') return [count, sum, mean, lowest, highest, computeLargestShare(measure)];
  const volume = statistics.getMeasure(group, 1);
  return [count, sum, volume.count, volume.sum];
}

const writeFacetsJson = createObjectWriter(facetsMembers);

export function writeFacets({ total, facets }: CountedFacets, format: AnswerFormat): string {
  if (format === 'csv') {
    // One row per value.
    const rows = facets.flatMap(({ name, values }) =>
      values.map(({ value, count }) => [name, value, count].map(writeCell).join()),
    );
    return ['Name,Value,Count', ...rows].map((row) => row + LINE_END).join('');
  }
  const Facets = facets.map(({ name, values, moreValues }) => {
    const Values = values.map(({ value, count }) => ({ Value: value, Count: count }));
    return { Name: name, Values, MoreValues: moreValues };
  });
  return writeFacetsJson({ TotalCount: total, Facets });
}
