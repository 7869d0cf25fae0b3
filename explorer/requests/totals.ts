// Fetches totals (D40) for charts and for the areas of the map.

import { getKind } from '../state/kinds';
import { orderFilters, type Selection } from '../state/state';
import type { ServiceClient } from './client';
import { fetchPages } from './pages';
import { mapReply, type Reply } from './reply';

/** A row of totals (D40): its groups by name, and the figures of its kind of records. */
export type TotalsAnswerRow = Readonly<Record<string, string | number | null>>;

export interface TotalsAnswer {
  readonly TotalGroupsCount: number;
  readonly Totals: readonly TotalsAnswerRow[];
}

/** Fetches all rows. Each record counts in only one row, so that the rows add up (D78). */
export async function fetchTotals(
  client: ServiceClient,
  selection: Selection,
  groups: readonly string[],
): Promise<Reply<TotalsAnswer>> {
  const query = { ...orderFilters(selection), GroupBy: groups, CountOnce: 'true' };
  // The answer in JSON (D38).
  const read = async (response: Response): Promise<TotalsAnswer> => (await response.json()) as TotalsAnswer;
  const reply = await fetchPages(client, { route: `${getKind(selection.kind).route}/Totals`, query, read });
  return mapReply(reply, ({ pages }) => {
    const { TotalGroupsCount = 0 } = pages[0] ?? {};
    return { TotalGroupsCount, Totals: pages.flatMap(({ Totals }) => Totals) };
  });
}

/** The rows for the segments of stacked bars, and the rows for whole bars. */
export interface ChartTotals {
  readonly pieces: TotalsAnswer;
  readonly bars: TotalsAnswer;
}

/** Bars and segments come from one data version: both are requested again if it changed between the requests. */
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

export function toText(value: string | number | null | undefined): string {
  return value === null || value === undefined ? '' : String(value);
}

export function toNumber(value: string | number | null | undefined): number {
  return typeof value === 'number' ? value : 0;
}
