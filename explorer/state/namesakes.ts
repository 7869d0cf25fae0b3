// Counties of different states that have the same name. The County filter matches by name alone (D12), so the page also
// sets the State filter.

import { withFilter } from './changes';
import { foldCountyName } from './county-names';
import type { ExplorerState } from './state';

/** A county in one state, with its number of records. */
export interface CountedCounty {
  readonly county: string;
  /** The postal abbreviation. */
  readonly state: string;
  readonly count: number;
}

/** The states that have records of a county with this name, keyed by folded name. */
export type StatesByCounty = ReadonlyMap<string, ReadonlySet<string>>;

export function isCountyChosen({ filters }: Pick<ExplorerState, 'filters'>, county: string, state: string): boolean {
  const { County = [], State = [] } = filters;
  const isNamed = County.some((name) => foldCountyName(name) === foldCountyName(county));
  return isNamed && (State.length === 0 || State.includes(state));
}

/**
 * Chooses a county of one state, or removes it. The County and State filters apply independently: if counties of two
 * states are chosen, a county with the same name in the other state also matches, and the list shows it as chosen.
 */
export function withToggledNamesake(
  previous: ExplorerState,
  { county, state }: Pick<CountedCounty, 'county' | 'state'>,
  statesByCounty: StatesByCounty,
): ExplorerState {
  const { County = [], State = [] } = previous.filters;
  const folded = foldCountyName(county);
  const others = County.filter((name) => foldCountyName(name) !== folded);
  const listStates = (names: readonly string[]): readonly string[] =>
    names.flatMap((name) => [...(statesByCounty.get(foldCountyName(name)) ?? [])]);
  if (!isCountyChosen(previous, county, state)) {
    const counties = [...others, county];
    const known = State.length > 0 ? State : listStates(others);
    return withFilter(withFilter(previous, 'County', counties), 'State', [...known, state]);
  }
  const left = (State.length > 0 ? State : listStates(County)).filter((one) => one !== state);
  const hasNamesakeLeft = listStates([county]).some((one) => left.includes(one));
  const isStateNeeded = listStates(others).includes(state);
  if (hasNamesakeLeft && !isStateNeeded) return withFilter(previous, 'State', left);
  const removed = withFilter(previous, 'County', others);
  // The state filter was set together with the county.
  return others.length === 0 && State.length === 1 ? withFilter(removed, 'State', []) : removed;
}
