// The tile of a collection (D50): what the releases of an answer have that criteria find, drawn.

import { criteriaKey, type Criteria } from '../query/criteria';
import type { TileCollection } from '../query/tile-collections';
import { markedRecords, type RecordSet } from '../search/index/record-set';
import type { ReadRelease } from '../search/plan-page';
import { placeNamesOf } from '../search/release-columns';
import type { SearchCaches } from '../search/search-caches';
import { searchRelease } from '../search/search-release';
import { BitSet } from '../values/bit-set';
import { writePointTile, type WrittenTile } from './point-tile';
import { releasePointsOf } from './release-points';
import type { PointSource } from './shared-members';
import { shownPoints } from './shown-points';
import type { TileAddress } from './tile-grid';

/** A tile of what criteria find. */
export interface AskedTile {
  /** Its name in the path, which is that of the layer. */
  readonly collection: TileCollection['id'];
  readonly address: TileAddress;
  readonly criteria: Criteria;
}

/** Undefined for a tile in which nothing is drawn. Throws as a search does. */
export async function makeTile(
  { collection, address, criteria }: AskedTile,
  releases: readonly ReadRelease[],
  caches: SearchCaches,
): Promise<WrittenTile | undefined> {
  const sources = await (collection === 'allocations'
    ? sourcesOfRights(releases, criteria, caches)
    : sourcesOfPlaces(releases, caches));
  const shown = await shownPoints(sources, address);
  return shown.count === 0 ? undefined : writePointTile(collection, address.zoom, sources, shown);
}

async function sourcesOfRights(
  releases: readonly ReadRelease[],
  criteria: Criteria,
  caches: SearchCaches,
): Promise<readonly PointSource[]> {
  const key = criteriaKey(criteria);
  return Promise.all(
    releases.map(async (release) => {
      const { reader } = release;
      const found = await searchRelease(release, criteria, key, caches);
      const points = await releasePointsOf('rights', reader, caches);
      return { kind: 'rights', reader, points, found: bitsOf(found, reader.facts.records) };
    }),
  );
}

/** A site that two data sets of an organization hold stands once (D42). */
async function sourcesOfPlaces(
  releases: readonly ReadRelease[],
  caches: SearchCaches,
): Promise<readonly PointSource[]> {
  return Promise.all(
    releases.map(async ({ reader, entry }, index) => {
      const points = await releasePointsOf('places', reader, caches);
      const former = releases.slice(0, index).find((other) => other.entry.organizationUuid === entry.organizationUuid);
      if (former === undefined) return { kind: 'places', reader, points, found: undefined };
      const found = await placesBeyond(former, { reader, entry }, caches);
      return { kind: 'places', reader, points, found: bitsOf(found, Infinity) };
    }),
  );
}

/** The ranks of the places of a release that another one has not. */
async function placesBeyond(former: ReadRelease, { reader }: ReadRelease, caches: SearchCaches): Promise<RecordSet> {
  const key = `${reader.facts.releaseId} places beyond ${former.reader.facts.releaseId}`;
  const known = caches.records.get(key);
  if (known !== undefined) return known;
  const others = new Set(await placeNamesOf(former.reader, caches));
  const names = await placeNamesOf(reader, caches);
  const ranks = new BitSet(names.length);
  names.forEach((name, rank) => {
    if (!others.has(name)) ranks.add(rank);
  });
  const found = markedRecords(ranks);
  caches.records.set(key, found, found.byteLength);
  return found;
}

/** Undefined when all of `most` are in the set. */
function bitsOf(set: RecordSet, most: number): BitSet | undefined {
  if (set.size === most) return undefined;
  const numbers = set.numbers();
  const bits = new BitSet((numbers.at(-1) ?? -1) + 1);
  for (const number of numbers) bits.add(number);
  return bits;
}
