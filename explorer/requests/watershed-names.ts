// Names of watersheds (HUC8), taken from published reporting units with the same code. Other watersheds have no name.

import type { ServiceClient } from './client';
import { parseCsv } from './csv';
import type { Inventory } from './inventory';
import { fetchPages } from './pages';
import { mapReply, type Reply } from './reply';
import { UNIT_TYPE } from './unit-types';

/** Keyed by 8-digit code. */
export type WatershedNames = ReadonlyMap<string, string>;

/** The types of reporting units that are HUC8 watersheds, as spelled in submissions. */
export function listWatershedTypes({ Organizations }: Pick<Inventory, 'Organizations'>): readonly string[] {
  const values = Organizations.flatMap(({ DataSets }) =>
    DataSets.flatMap(({ Vocabulary }) => (Vocabulary[UNIT_TYPE] ?? []).map(({ Value }) => Value)),
  );
  return [...new Set(values)].filter((value) => /^huc[\s-]?0?8$/i.test(value.trim()));
}

export async function fetchWatershedNames(
  client: ServiceClient,
  types: readonly string[],
): Promise<Reply<WatershedNames>> {
  const query = { [UNIT_TYPE]: types, format: 'csv' };
  const read = async (response: Response): Promise<WatershedNames> => readNames(await response.text());
  const reply = await fetchPages(client, { route: 'v1/ReportingUnits', query, read });
  return mapReply(reply, ({ pages }) => new Map(pages.flatMap((page) => [...page])));
}

/** A name that only repeats the code is useless. */
function readNames(text: string): WatershedNames {
  const [head = [], ...rows] = parseCsv(text);
  const read = (row: readonly string[], column: string): string => row[head.indexOf(column)]?.trim() ?? '';
  const named = rows.flatMap((row) => {
    const [code] = /\d{7,8}$/.exec(read(row, 'ReportingUnitNativeID').replace(/\.0+$/, '')) ?? [];
    const name = read(row, 'ReportingUnitName');
    const isName = /\p{L}/u.test(name) && !/^(unspecified|unknown|n\/?a)$/i.test(name);
    return code === undefined || !isName ? [] : [[code.padStart(8, '0'), name] as const];
  });
  return new Map(named);
}
