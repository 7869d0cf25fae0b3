// Compares the sites of an organization's rights with the sites of its amounts. A site that is in both releases is
// listed once, by the release of amounts (D42).

import { giveWayIfSliceOver } from '../../store/deadline';
import { compareUtf8 } from '../../values/compare-utf8';
import { findFirstNotBelow, numberAt } from '../../values/number-arrays';
import { loadPlaceIdentifiers, loadPlaceRecordCounts } from '../index/release-index';
import { getByteLength, type SearchableRelease } from '../index/search-caches';

/**
 * Keyed by rank in the rights, ascending: twice the number of sites of the amounts before the site, plus one if the
 * site is also in the amounts.
 */
export type SharedSites = Uint32Array;

/** Number of identifiers between two checks of the clock. */
const IDENTIFIERS_AT_ONCE = 4096;

export async function loadSharedSites(amounts: SearchableRelease, rights: SearchableRelease): Promise<SharedSites> {
  const key = `${amounts.reader.facts.releaseId} ${rights.reader.facts.releaseId}`;
  const compare = (): Promise<SharedSites> => compareSites(amounts, rights);
  return amounts.caches.getCache<SharedSites>('sharedPlaces').getOrCompute(key, compare, getByteLength);
}

/** In both releases, sites are in the order of their identifiers. */
async function compareSites(amounts: SearchableRelease, rights: SearchableRelease): Promise<SharedSites> {
  const amountIdentifiers = await loadPlaceIdentifiers(amounts);
  const amountCounts = await loadPlaceRecordCounts(amounts);
  const rightIdentifiers = await loadPlaceIdentifiers(rights);
  const sharedSites = new Uint32Array(rightIdentifiers.length);
  let before = 0;
  for (const [rank, identifier] of rightIdentifiers.entries()) {
    if (rank % IDENTIFIERS_AT_ONCE === 0) await giveWayIfSliceOver();
    while (before < amountIdentifiers.length && compareUtf8(amountIdentifiers[before] ?? '', identifier) < 0) before++;
    const isShared = amountIdentifiers[before] === identifier && amountCounts[before] !== 0;
    sharedSites[rank] = 2 * before + Number(isShared);
  }
  return sharedSites;
}

/** `rank` is the rank of the site among the sites of rights. */
export function isSharedSite(sharedSites: SharedSites, rank: number): boolean {
  return numberAt(sharedSites, rank) % 2 === 1;
}

/** Returns the number of sites of the amounts that come before the site with this rank in the rights. */
export function countSitesBefore(sharedSites: SharedSites, rank: number): number {
  return numberAt(sharedSites, rank) >>> 1;
}

/** Returns the rank in the rights of a site of the amounts; undefined if the site is not in the rights. */
export function findRankInRights(sharedSites: SharedSites, rank: number): number | undefined {
  const code = 2 * rank + 1;
  const index = findFirstNotBelow(sharedSites, code, 0);
  return sharedSites[index] === code ? index : undefined;
}
