// A page of what is found by name in a catalog state (D60): each release, the owners and the terms give what they have
// found in order, and the page is merged from them.

import { dataSetLayouts, dataSetsOfPlaces } from '../../records/data-sets';
import type { FoundItem } from '../../records/found';
import type { SearchCaches } from '../index/search-caches';
import type { Page, ReadRelease } from '../plan-page';
import { findOwners } from './owners';
import { compareRanked, isIn, type FoundNames, type NameQuery, type RankedItem } from './ranked';
import { findInRelease } from './release-names';
import { findTerms } from './terms';

export interface FoundPage {
  readonly total: number;
  readonly items: readonly FoundItem[];
}

/** `releases` are all of a state. Throws as planPage does. */
export async function findNames(
  releases: readonly ReadRelease[],
  query: NameQuery,
  { startIndex, recordCount }: Pick<Page, 'startIndex' | 'recordCount'>,
  caches: SearchCaches,
): Promise<FoundPage> {
  const { kinds } = query;
  const found: FoundNames[] = [await findTerms(releases, query, caches)];
  // Owners lie in no state.
  if (kinds.has('Owner') && isIn(query, null)) found.push(await findOwners(releases, query, caches));
  if (kinds.has('Site') || kinds.has('ReportingUnit') || kinds.has('Right')) {
    for (const release of releases) {
      found.push(await findInRelease({ release, other: otherRelease(release, releases) }, query, caches));
    }
  }
  const total = found.reduce((sum, one) => sum + one.total, 0);
  const items: FoundItem[] = [];
  if (startIndex >= total) return { total, items };
  let index = 0;
  for await (const { item } of merged(found.filter((one) => one.total > 0))) {
    if (index++ >= startIndex) items.push(item);
    if (items.length === recordCount) break;
  }
  return { total, items };
}

/** The release of the same organization that has the same kind of places, if there is one. */
function otherRelease(release: ReadRelease, releases: readonly ReadRelease[]): ReadRelease | undefined {
  const { dataSet, organization } = release.reader.facts;
  const dataSets = dataSetsOfPlaces(dataSetLayouts[dataSet].placeKind);
  return releases.find((one) => {
    const { facts } = one.reader;
    const isSame = facts.organization.OrganizationUUID === organization.OrganizationUUID;
    return one !== release && isSame && dataSets.includes(facts.dataSet);
  });
}

async function* merged(found: readonly FoundNames[]): AsyncIterable<RankedItem> {
  const sources = await Promise.all(found.map(async ({ ranked }) => ({ ranked, next: await ranked.next() })));
  for (;;) {
    let best: { readonly source: (typeof sources)[number]; readonly item: RankedItem } | undefined;
    for (const source of sources) {
      if (source.next.done === true) continue;
      const item = source.next.value;
      if (best === undefined || compareRanked(item, best.item) < 0) best = { source, item };
    }
    if (best === undefined) return;
    yield best.item;
    best.source.next = await best.source.ranked.next();
  }
}
