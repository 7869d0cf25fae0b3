// Counts records of counties that have the same name in several states (D41 counts names).

import { foldCountyName } from '../state/county-names';
import { getKind } from '../state/kinds';
import type { CountedCounty, StatesByCounty } from '../state/namesakes';
import { orderFilters, type Selection } from '../state/state';
import type { ServiceClient } from './client';
import type { Inventory } from './inventory';
import { mapReply, type Reply } from './reply';
import type { TotalsAnswer } from './totals';

/** Maps each county name in the vocabularies of the data sets to the states of those data sets. */
export function findStatesByCounty({ Organizations }: Pick<Inventory, 'Organizations'>): StatesByCounty {
  const states = new Map<string, Set<string>>();
  for (const { DataSets } of Organizations) {
    for (const { Vocabulary } of DataSets) {
      const { County = [], State = [] } = Vocabulary;
      for (const { Value } of County) {
        const name = foldCountyName(Value);
        const known = states.get(name) ?? new Set();
        for (const state of State) known.add(state.Value);
        states.set(name, known);
      }
    }
  }
  return states;
}

/** Lists the county names that occur in several states, in folded form. */
export function listNamesakes(statesByCounty: StatesByCounty): readonly string[] {
  return [...statesByCounty].filter(([, states]) => states.size > 1).map(([name]) => name);
}

/** More than the number of counties. */
const MAX_ROWS = '10000';

/** Counts records by county and state as facets do: a record in two counties counts in both. `names` are folded. */
export async function fetchNamesakes(
  client: ServiceClient,
  { kind, filters }: Selection,
  names: readonly string[],
): Promise<Reply<readonly CountedCounty[]>> {
  const query = {
    ...orderFilters({ kind, filters: { ...filters, County: names } }),
    GroupBy: ['State', 'County'],
    RecordCount: MAX_ROWS,
  };
  const reply = await client.request<TotalsAnswer>(`${getKind(kind).route}/Totals`, query);
  return mapReply(reply, ({ Totals }) =>
    Totals.flatMap(({ State: state, County: county, RecordsCount: count }) => {
      const isNamesake = typeof county === 'string' && names.includes(foldCountyName(county));
      return isNamesake && typeof state === 'string' && typeof count === 'number' ? [{ county, state, count }] : [];
    }),
  );
}
