// What the service adds up (D40): rows of totals for a chart and for the areas of a map, and which of them may be shown
// together. Rows that differ in unit, statistic or interval are different series, and are never added up.

import { getKind, type LabeledName } from '../state/kinds';
import { orderFilters, type Selection } from '../state/state';
import { fetchPages, type ServiceClient } from './client';
import { mapReply, type Reply } from './reply';

/** A row of totals (D40): its groups by their names, and the members of its kind. */
export type TotalsAnswerRow = Readonly<Record<string, string | number | null>>;

export interface TotalsAnswer {
  readonly TotalGroupsCount: number;
  readonly GroupsOverlap: boolean;
  readonly Totals: readonly TotalsAnswerRow[];
}

/** All rows. */
export async function fetchTotals(
  client: ServiceClient,
  selection: Selection,
  groups: readonly string[],
): Promise<Reply<TotalsAnswer>> {
  const query = { ...orderFilters(selection), GroupBy: groups };
  const read = async (response: Response): Promise<TotalsAnswer> => (await response.json()) as TotalsAnswer; // D38.
  const reply = await fetchPages(client, { route: `${getKind(selection.kind).route}/Totals`, query, read });
  return mapReply(reply, ({ pages }) => {
    const { TotalGroupsCount = 0, GroupsOverlap = false } = pages[0] ?? {};
    return { TotalGroupsCount, GroupsOverlap, Totals: pages.flatMap(({ Totals }) => Totals) };
  });
}

/** What a chart adds up: the rows of its bars' pieces, and those of the bars, in which a record counts once. */
export interface ChartTotals {
  readonly pieces: TotalsAnswer;
  readonly bars: TotalsAnswer;
}

/** Both of one data version: where another one came between them, they are asked again. */
export async function fetchChartTotals(
  client: ServiceClient,
  selection: Selection,
  groups: readonly string[],
): Promise<Reply<ChartTotals>> {
  const barsRequest = fetchTotals(client, selection, groups.slice(0, 1));
  const [bars, pieces] = await Promise.all([
    barsRequest,
    groups.length === 1 ? barsRequest : fetchTotals(client, selection, groups),
  ]);
  if (bars.kind !== 'answer') return bars;
  if (pieces.kind !== 'answer') return pieces;
  if (pieces.version !== bars.version) return fetchChartTotals(client, selection, groups);
  return { ...bars, value: { bars: bars.value, pieces: pieces.value } };
}

/** Amounts that differ in one of these are never added up (D40). */
export const SERIES_MEMBERS = [
  'VariableSpecificTypeCV',
  'VariableCV',
  'AmountUnitCV',
  'AggregationStatisticCV',
  'AggregationInterval',
  'AggregationIntervalUnitCV',
];

const SEPARATOR = ' · ';

/** What can be added up, the most records first. */
export function listSeries(rows: readonly TotalsAnswerRow[]): readonly LabeledName[] {
  return rankSeries(rows.map((row) => [buildSeriesName(row), toNumber(row['RecordsCount'])]));
}

/** The series that are named, the one that is counted most first. */
export function rankSeries(countedNames: readonly (readonly [name: string, count: number])[]): readonly LabeledName[] {
  const counts = new Map<string, number>();
  for (const [name, count] of countedNames) counts.set(name, (counts.get(name) ?? 0) + count);
  const ordered = [...counts].sort(([a, first], [b, second]) => second - first || (a < b ? -1 : 1));
  return ordered.map(([name]) => ({ name, label: formatSeries(name) }));
}

/** The name of the chosen one, or of the first where it is not there; empty where there is none. */
export function chooseSeries(choices: readonly { readonly name: string }[], chosen: string): string {
  return (choices.find(({ name }) => name === chosen) ?? choices[0])?.name ?? '';
}

/** The members that keep rows apart, as a text for people and for the address. */
export function buildSeriesName(row: TotalsAnswerRow): string {
  const texts = SERIES_MEMBERS.map((name) => toText(row[name])).filter((text) => text !== '');
  return [...new Set(texts)].join(SEPARATOR);
}

/** Shorter for people: a specific variable says its variable, and an interval is one thing. */
export function formatSeries(name: string): string {
  const parts = name.split(SEPARATOR);
  const shown = parts.filter((part, index) => index === 0 || !(parts[0] ?? '').startsWith(part));
  return shown
    .join(SEPARATOR)
    .replace(/ · (\d+) · (?=[A-Z])/, ', $1 ')
    .replaceAll('_', ', ');
}

export function toText(value: string | number | null | undefined): string {
  return value === null || value === undefined ? '' : String(value);
}

export function toNumber(value: string | number | null | undefined): number {
  return typeof value === 'number' ? value : 0;
}

export interface AreaValues {
  /** By the identifier that features have, ORGANIZATION~UNIT. */
  readonly values: ReadonlyMap<string, number>;
  /** Those of all years of the answer, so that a shade stands for the same sums in each of them. */
  readonly valuesOfAllYears: readonly number[];
  readonly unit: string;
  /** The name of the series that is shown, and of all that there are, the one with the most records first. */
  readonly series: string;
  readonly choices: readonly LabeledName[];
}

/** `series` is the chosen one, or another that is there where it is not. `year` is empty for sums of all years. */
export function computeAreaValues(answer: TotalsAnswer, series: string, year: string): AreaValues {
  const choices = listSeries(answer.Totals);
  const shown = chooseSeries(choices, series);
  const seriesRows = answer.Totals.filter((row) => buildSeriesName(row) === shown);
  const yearRows = seriesRows.filter((row) => year === '' || row['Year'] === year);
  const values = yearRows.flatMap(({ Sum, OrganizationUUID, ReportingUnitUUID }): [string, number][] =>
    typeof Sum === 'number' ? [[`${toText(OrganizationUUID)}~${toText(ReportingUnitUUID)}`, Sum]] : [],
  );
  const unit = toText(seriesRows[0]?.['AmountUnitCV']);
  const ofAllYears = seriesRows.flatMap(({ Sum }) => (typeof Sum === 'number' ? [Sum] : []));
  return { values: new Map(values), valuesOfAllYears: ofAllYears, unit, series: shown, choices };
}

/** In order; those of the rows without a year are left out. */
export function listYears(answer: TotalsAnswer | undefined): readonly string[] {
  const years = (answer?.Totals ?? []).flatMap(({ Year }) => (typeof Year === 'string' ? [Year] : []));
  return [...new Set(years)].sort();
}

/** The newest year in which a series has amounts of most of its areas; empty where its amounts have no year. */
export function findNewestFullYear(answer: TotalsAnswer, series: string): string {
  const shown = chooseSeries(listSeries(answer.Totals), series);
  const rows = answer.Totals.filter((row) => typeof row['Year'] === 'string' && buildSeriesName(row) === shown);
  const countAreas = (row: TotalsAnswerRow): number => toNumber(row['PlacesCount']);
  const maxAreas = Math.max(0, ...rows.map(countAreas));
  const full = rows.filter((row) => 2 * countAreas(row) > maxAreas).map(({ Year }) => toText(Year));
  return full.sort().at(-1) ?? '';
}
