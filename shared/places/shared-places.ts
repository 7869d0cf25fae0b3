// Where the sites of an organization's rights stand among those of its amounts. A site that both hold is listed once,
// as the amounts have it (D42).

import { numberAt } from '../values/numbers';
import { compareUtf8 } from '../values/text';
import { placeNamesOf, placeRecordsOf } from '../search/release/release-columns';
import type { SearchCaches } from '../search/release/search-caches';
import { currentDeadline } from '../store/deadline';
import type { ReleaseReader } from '../store/port';

/** Names between two looks at the clock. */
const NAMES_AT_ONCE = 4096;

/**
 * By rank in the rights, twice the number of sites of the amounts before the site, plus one where the amounts have the
 * site itself: ascending.
 */
export type SharedPlaces = Uint32Array;

export async function sharedPlacesOf(
  amounts: ReleaseReader,
  rights: ReleaseReader,
  caches: SearchCaches,
): Promise<SharedPlaces> {
  const key = `${amounts.facts.releaseId} ${rights.facts.releaseId}`;
  const known = caches.sharedPlaces.get(key);
  if (known !== undefined) return known;
  const deadline = currentDeadline();
  const names = await placeNamesOf(amounts, caches);
  const records = await placeRecordsOf(amounts, caches);
  const others = await placeNamesOf(rights, caches);
  const shared = new Uint32Array(others.length);
  let before = 0;
  for (const [rank, name] of others.entries()) {
    if (rank % NAMES_AT_ONCE === 0 && deadline.isSliceOver()) await deadline.giveWay();
    while (before < names.length && compareUtf8(names[before] ?? '', name) < 0) before++;
    const isSharedSite = names[before] === name && records[before] !== 0;
    shared[rank] = 2 * before + Number(isSharedSite);
  }
  caches.sharedPlaces.set(key, shared, shared.byteLength);
  return shared;
}

export function isSharedSite(shared: SharedPlaces, rank: number): boolean {
  return numberAt(shared, rank) % 2 === 1;
}

/** How many sites of the amounts stand before a site of the rights. */
export function sitesBefore(shared: SharedPlaces, rank: number): number {
  return numberAt(shared, rank) >>> 1;
}

/** The rank in the rights of a site of the amounts; undefined where the rights have it not. */
export function rankInRights(shared: SharedPlaces, rank: number): number | undefined {
  const code = 2 * rank + 1;
  let low = 0;
  let high = shared.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (numberAt(shared, middle) < code) low = middle + 1;
    else high = middle;
  }
  return shared[low] === code ? low : undefined;
}
