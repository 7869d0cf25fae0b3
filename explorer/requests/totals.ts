// What the service adds up (D40): rows of totals for a chart and for the areas of a map, and which of them may be shown
// together. Rows that differ in unit, statistic or interval are different series, and are never added up.

import { kindOf, type Named } from '../state/kinds';
import { filtersInOrder, type Selection } from '../state/state';
import { askPages, type ServiceClient } from './client';
import { type Reply, withValue } from './reply';

/** A row of totals (D40): its groups by their names, and the members of its kind. */
export type TotalsAnswerRow = Readonly<Record<string, string | number | null>>;

export interface TotalsAnswer {
  readonly TotalGroupsCount: number;
  readonly GroupsOverlap: boolean;
  readonly Totals: readonly TotalsAnswerRow[];
}

/** All rows. */
export async function askTotals(
  client: ServiceClient,
  selection: Selection,
  groups: readonly string[],
): Promise<Reply<TotalsAnswer>> {
  const query = { ...filtersInOrder(selection), GroupBy: groups };
  const read = async (response: Response): Promise<TotalsAnswer> => (await response.json()) as TotalsAnswer; // D38.
  const reply = await askPages(client, { route: `${kindOf(selection.kind).route}/Totals`, query, read });
  return withValue(reply, ({ pages }) => {
    const { TotalGroupsCount = 0, GroupsOverlap = false } = pages[0] ?? {};
    return { TotalGroupsCount, GroupsOverlap, Totals: pages.flatMap(({ Totals }) => Totals) };
  });
}

/** What a chart adds up: the rows of its bars' pieces, and those of the bars, in which a record counts once. */
export interface ChartTotals {
  readonly pieces: TotalsAnswer;
  readonly whole: TotalsAnswer;
}

/** Both of one data version: where another one came between them, they are asked again. */
export async function askChartTotals(
  client: ServiceClient,
  selection: Selection,
  groups: readonly string[],
): Promise<Reply<ChartTotals>> {
  const ofWhole = askTotals(client, selection, groups.slice(0, 1));
  const [whole, pieces] = await Promise.all([
    ofWhole,
    groups.length === 1 ? ofWhole : askTotals(client, selection, groups),
  ]);
  if (whole.kind !== 'answer') return whole;
  if (pieces.kind !== 'answer') return pieces;
  if (pieces.version !== whole.version) return askChartTotals(client, selection, groups);
  return { ...whole, value: { whole: whole.value, pieces: pieces.value } };
}

/** Amounts that differ in one of these are never added up (D40). */
export const APART = [
  'VariableSpecificTypeCV',
  'VariableCV',
  'AmountUnitCV',
  'AggregationStatisticCV',
  'AggregationInterval',
  'AggregationIntervalUnitCV',
];

const SEPARATOR = ' · ';

/** What can be added up, the most records first. */
export function seriesOf(rows: readonly TotalsAnswerRow[]): readonly Named[] {
  return mostFrequent(rows.map((row) => [seriesName(row), numberOf(row['RecordsCount'])]));
}

/** The series that are named, the one that is counted most first. */
export function mostFrequent(counted: readonly (readonly [name: string, count: number])[]): readonly Named[] {
  const counts = new Map<string, number>();
  for (const [name, count] of counted) counts.set(name, (counts.get(name) ?? 0) + count);
  const ordered = [...counts].sort(([a, first], [b, second]) => second - first || (a < b ? -1 : 1));
  return ordered.map(([name]) => ({ name, label: seriesText(name) }));
}

/** The name of the chosen one, or of the first where it is not there; empty where there is none. */
export function shownSeries(choices: readonly { readonly name: string }[], chosen: string): string {
  return (choices.find(({ name }) => name === chosen) ?? choices[0])?.name ?? '';
}

/** The members that keep rows apart, as a text for people and for the address. */
export function seriesName(row: TotalsAnswerRow): string {
  const texts = APART.map((name) => textOf(row[name])).filter((text) => text !== '');
  return [...new Set(texts)].join(SEPARATOR);
}

/** Shorter for people: a specific variable says its variable, and an interval is one thing. */
export function seriesText(name: string): string {
  const parts = name.split(SEPARATOR);
  const shown = parts.filter((part, index) => index === 0 || !(parts[0] ?? '').startsWith(part));
  return shown
    .join(SEPARATOR)
    .replace(/ · (\d+) · (?=[A-Z])/, ', $1 ')
    .replaceAll('_', ', ');
}

export function textOf(value: string | number | null | undefined): string {
  return value === null || value === undefined ? '' : String(value);
}

export function numberOf(value: string | number | null | undefined): number {
  return typeof value === 'number' ? value : 0;
}

export interface AreaValues {
  /** By the identifier that features have, ORGANIZATION~UNIT. */
  readonly values: ReadonlyMap<string, number>;
  /** Those of all years of the answer, so that a shade stands for the same sums in each of them. */
  readonly ofAllYears: readonly number[];
  readonly unit: string;
  /** The name of the series that is shown, and of all that there are, the one with the most records first. */
  readonly series: string;
  readonly choices: readonly Named[];
}

/** `series` is the chosen one, or another that is there where it is not. `year` is empty for sums of all years. */
export function areaValuesOf(answer: TotalsAnswer, series: string, year: string): AreaValues {
  const choices = seriesOf(answer.Totals);
  const shown = shownSeries(choices, series);
  const ofSeries = answer.Totals.filter((row) => seriesName(row) === shown);
  const ofYear = ofSeries.filter((row) => year === '' || row['Year'] === year);
  const values = ofYear.flatMap(({ Sum, OrganizationUUID, ReportingUnitUUID }): [string, number][] =>
    typeof Sum === 'number' ? [[`${textOf(OrganizationUUID)}~${textOf(ReportingUnitUUID)}`, Sum]] : [],
  );
  const unit = textOf(ofSeries[0]?.['AmountUnitCV']);
  const ofAllYears = ofSeries.flatMap(({ Sum }) => (typeof Sum === 'number' ? [Sum] : []));
  return { values: new Map(values), ofAllYears, unit, series: shown, choices };
}

/** In order; those of the rows without a year are left out. */
export function yearsOfTotals(answer: TotalsAnswer | undefined): readonly string[] {
  const years = (answer?.Totals ?? []).flatMap(({ Year }) => (typeof Year === 'string' ? [Year] : []));
  return [...new Set(years)].sort();
}

/** The newest year in which a series has amounts of most of its areas; empty where its amounts have no year. */
export function newestFullYear(answer: TotalsAnswer, series: string): string {
  const shown = shownSeries(seriesOf(answer.Totals), series);
  const rows = answer.Totals.filter((row) => typeof row['Year'] === 'string' && seriesName(row) === shown);
  const areasOf = (row: TotalsAnswerRow): number => numberOf(row['PlacesCount']);
  const most = Math.max(0, ...rows.map(areasOf));
  const full = rows.filter((row) => 2 * areasOf(row) > most).map(({ Year }) => textOf(Year));
  return full.sort().at(-1) ?? '';
}
