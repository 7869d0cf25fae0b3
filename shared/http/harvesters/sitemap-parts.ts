// Divides the sitemap into parts. Each part lists some features of one release.

import { EVERYTHING } from '../../query/condition';
import type { PlaceKind } from '../../records/data-sets';
import { buildFeatureId, buildRightId } from '../../records/feature-ids';
import { loadPlaceIdentifiers } from '../../search/index/release-index';
import type { SearchContext } from '../../search/index/search-caches';
import { type CatalogRelease, openReleases } from '../../search/open-releases';
import { openPlaceReleases } from '../../search/places/open-place-releases';
import { findMatchingPlaces } from '../../search/places/plan-places';
import type { CatalogEntry, CatalogState } from '../../store/catalog-types';
import { giveWayIfSliceOver } from '../../store/deadline';
import { parseItems } from '../../store/joined-fragments';
import type { ReleaseReader } from '../../store/port';

/** The maximum number of addresses in one file of the sitemap protocol. */
const MAX_ADDRESSES = 50_000;

/** The addresses of some features of a release. Each feature is in exactly one part. */
export interface SitemapPart {
  /** Stays the same as long as the release is current. */
  readonly name: string;
  readonly collection: FeaturePageCollection;
  readonly entry: CatalogEntry;
  readonly readIds: () => Promise<readonly string[]>;
}

/** The collections whose features have pages. */
type FeaturePageCollection = 'sites' | 'reporting-units' | 'allocations';

/** Lists the parts, in the default order (D17) within a collection. Throws what `openReleases` throws. */
export async function listParts(context: SearchContext, state: CatalogState): Promise<readonly SitemapPart[]> {
  const rights = await openReleases(context, state, 'WaterAllocations', EVERYTHING);
  return [
    ...(await listPlaceParts('Sites', context, state)),
    ...(await listPlaceParts('ReportingUnits', context, state)),
    ...rights.flatMap(({ reader, entry }) =>
      splitIntoParts('allocations', entry, reader.facts.records, (from, to) => readRightIds(reader, from, to)),
    ),
  ];
}

/** A site with both amounts and rights is listed with the amounts (D42). */
async function listPlaceParts(
  placeKind: PlaceKind,
  context: SearchContext,
  state: CatalogState,
): Promise<readonly SitemapPart[]> {
  const collection = placeKind === 'Sites' ? 'sites' : 'reporting-units';
  const releases = await openPlaceReleases(context, state, placeKind, EVERYTHING);
  const matches = await findMatchingPlaces(releases, EVERYTHING);
  return matches.flatMap(({ release, ranks }) =>
    splitIntoParts(collection, release.entry, ranks.length, (from, to) =>
      readPlaceIds(release, ranks.subarray(from, to)),
    ),
  );
}

/** `readIds` reads the ids from index `from` up to, but not including, index `to`. */
function splitIntoParts(
  collection: FeaturePageCollection,
  entry: CatalogEntry,
  count: number,
  readIds: (from: number, to: number) => Promise<readonly string[]>,
): readonly SitemapPart[] {
  return Array.from({ length: Math.ceil(count / MAX_ADDRESSES) }, (_, index) => ({
    name: `${collection}-${entry.releaseId}-${index + 1}`,
    collection,
    entry,
    readIds: () => readIds(index * MAX_ADDRESSES, (index + 1) * MAX_ADDRESSES),
  }));
}

async function readPlaceIds(release: CatalogRelease, ranks: Uint32Array): Promise<readonly string[]> {
  const names = await loadPlaceIdentifiers(release);
  const { OrganizationUUID: organization } = release.reader.facts.organization;
  return Array.from(ranks, (rank) => buildFeatureId(organization, names[rank] ?? ''));
}

/** The number of rights to read at a time: a few megabytes of JSON. */
const RIGHTS_PER_READ = 1_000;

async function readRightIds(reader: ReleaseReader, from: number, to: number): Promise<readonly string[]> {
  const { facts } = reader;
  const { OrganizationUUID: organization } = facts.organization;
  const ids = new Set<string>();
  for (let first = from; first < Math.min(to, facts.records); first += RIGHTS_PER_READ) {
    await giveWayIfSliceOver();
    const count = Math.min(RIGHTS_PER_READ, to - first, facts.records - first);
    const texts = await reader.texts(
      'records',
      Uint32Array.from({ length: count }, (_, index) => first + index),
    );
    for (const record of parseItems(texts)) ids.add(buildRightId(organization, record));
  }
  return [...ids];
}
