// The types of the matching reporting units, such as County or HUC8. Units of different types overlap, so map and chart
// show one type at a time (D78).

import { fold } from '../state/fold';
import { getBoundary } from '../state/map-kinds';
import type { Filters, Selection } from '../state/state';
import type { ServiceClient } from './client';
import { WORLD } from './mappable-counts';
import { combineReplies, mapReply, type Reply } from './reply';
import { buildSeriesName, isSummable } from './series';
import { fetchTotals, toNumber, type TotalsAnswerRow, toText } from './totals';

/** The filter by the type of reporting units. */
export const UNIT_TYPE = 'ReportingUnitTypeCV';

/** Totals of units by type, year and series: of all units, and of units with a submitted shape. */
export interface UnitTotals {
  readonly all: readonly TotalsAnswerRow[];
  readonly withShape: readonly TotalsAnswerRow[];
}

export interface UnitType {
  readonly name: string;
  readonly records: number;
}

export async function fetchUnitTotals(client: ServiceClient, { kind, filters }: Selection): Promise<Reply<UnitTotals>> {
  const groups = [UNIT_TYPE, 'Year'];
  const hasBoundary = getBoundary({ kind, filters }) !== '';
  const shaped: Filters = hasBoundary ? filters : { ...filters, SearchBoundary: [WORLD] };
  const selections = hasBoundary ? [filters] : [filters, shaped];
  const replies = await Promise.all(selections.map((one) => fetchTotals(client, { kind, filters: one }, groups)));
  return mapReply(combineReplies(replies), ([all, withShape = all]) => {
    return { all: all?.Totals ?? [], withShape: withShape?.Totals ?? [] };
  });
}

/** Types with the most records first. Units without a type are listed under an empty name. */
export function listUnitTypes({ all }: UnitTotals): readonly UnitType[] {
  const records = new Map<string, UnitType>();
  for (const row of all) {
    const name = toText(row[UNIT_TYPE]);
    const known = records.get(fold(name)) ?? { name, records: 0 };
    records.set(fold(name), { name: known.name, records: known.records + toNumber(row['RecordsCount']) });
  }
  return [...records.values()].sort((a, b) => b.records - a.records || (a.name < b.name ? -1 : 1));
}

/** Counties have built-in outlines, so the map can show them without submitted shapes. */
export function isCountyType(name: string): boolean {
  return ['county', 'counties'].includes(fold(name));
}

/** The totals of a type for the units that the map can show. */
export function listMappableRows({ all, withShape }: UnitTotals, unitType: string): readonly TotalsAnswerRow[] {
  const rows = isCountyType(unitType) ? all : withShape;
  return rows.filter((row) => fold(toText(row[UNIT_TYPE])) === fold(unitType));
}

/**
 * The chosen type if it has units, else the type with the most places that the map can shade in one year, else the type
 * with the most records. Undefined if nothing matches.
 */
export function chooseUnitType(totals: UnitTotals, chosen: string): string | undefined {
  const types = listUnitTypes(totals);
  const match = types.find(({ name }) => chosen !== '' && fold(name) === fold(chosen));
  const ranked = types.toSorted((a, b) => countShaded(totals, b.name) - countShaded(totals, a.name));
  return (match ?? ranked[0])?.name;
}

/** The maximum number of places that a summable series can shade in one year. */
function countShaded(totals: UnitTotals, unitType: string): number {
  const rows = listMappableRows(totals, unitType).filter((row) => row['Year'] !== null && isSummable(row));
  return Math.max(0, ...rows.map(({ PlacesCount }) => toNumber(PlacesCount)));
}

/**
 * Lists the series, the default first: summable series before others, then by most places in a row, then by most
 * records.
 */
export function listDefaultSeries(rows: readonly TotalsAnswerRow[]): readonly string[] {
  const places = new Map<string, readonly [isSummable: number, places: number, records: number]>();
  for (const row of rows) {
    const name = buildSeriesName(row);
    const [, most, records] = places.get(name) ?? [0, 0, 0];
    const next = [
      Number(isSummable(row)),
      Math.max(most, toNumber(row['PlacesCount'])),
      records + toNumber(row['RecordsCount']),
    ] as const;
    places.set(name, next);
  }
  const compare = (a: readonly number[], b: readonly number[]): number =>
    a.map((value, index) => (b[index] ?? 0) - value).find((difference) => difference !== 0) ?? 0;
  return [...places].sort(([a, one], [b, other]) => compare(one, other) || (a < b ? -1 : 1)).map(([name]) => name);
}

/** The selection with the type as a filter, if units of several types match. */
export function withUnitType(selection: Selection, totals: UnitTotals, unitType: string | undefined): Selection {
  if (unitType === undefined || listUnitTypes(totals).length < 2) return selection;
  return { ...selection, filters: { ...selection.filters, [UNIT_TYPE]: [unitType] } };
}
