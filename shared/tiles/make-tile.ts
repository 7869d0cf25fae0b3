// The tile of a collection (D50): what the releases of an answer have that criteria find, drawn.

import { criteriaKey, type Criteria } from '../query/criteria';
import type { TileCollection } from '../query/tile-collections';
import { markedRecords, type RecordSet } from '../search/index/record-set';
import type { ReadRelease } from '../search/plan-page';
import { placeNamesOf } from '../search/release-columns';
import type { SearchCaches } from '../search/search-caches';
import { searchRelease } from '../search/search-release';
import type { ReleaseReader } from '../store/port';
import { BitSet } from '../values/bit-set';
import { numberClasses, type FoundPoints } from './found-points';
import { idOf, labelsOfRights, labelsOfSites, type Label } from './labels';
import { addPointFeatures } from './point-tile';
import { releasePointsOf } from './release-points';
import { TileFeatures, type WrittenTile } from './tile-features';
import type { TileAddress } from './tile-grid';
import { unitShapesOf } from './unit-shapes';
import { addUnitFeatures, type UnitSource } from './unit-tile';

/** A tile of what criteria find. */
export interface AskedTile {
  /** Its name in the path, which is that of the layer. */
  readonly collection: TileCollection['id'];
  readonly address: TileAddress;
  readonly criteria: Criteria;
}

/** Undefined for a tile in which nothing is drawn. Throws as a search does. */
export async function makeTile(
  asked: AskedTile,
  releases: readonly ReadRelease[],
  caches: SearchCaches,
): Promise<WrittenTile | undefined> {
  const { collection, address, criteria } = asked;
  if (collection === 'reporting-units') {
    const units = numberClasses(await unitsOf(releases, caches));
    const features = new TileFeatures(units);
    return (await addUnitFeatures(units, address, features)) ? features.finish(collection) : undefined;
  }
  const isOfRights = collection === 'allocations';
  const sources = numberClasses(await (isOfRights ? rightsOf(releases, criteria, caches) : sitesOf(releases, caches)));
  const features = new TileFeatures(sources);
  return (await addPointFeatures(sources, address, features)) ? features.finish(collection) : undefined;
}

async function rightsOf(
  releases: readonly ReadRelease[],
  criteria: Criteria,
  caches: SearchCaches,
): Promise<readonly FoundPoints[]> {
  const key = criteriaKey(criteria);
  return Promise.all(
    releases.map(async (release) => {
      const { reader } = release;
      const found = bitsOf(await searchRelease(release, criteria, key, caches), reader.facts.records);
      const points = await releasePointsOf('rights', reader, caches);
      return { reader, points, found, labelsOf: (records: Uint32Array) => labelsOfRights(reader, records) };
    }),
  );
}

/** A site that two data sets of an organization hold stands once (D42). */
async function sitesOf(releases: readonly ReadRelease[], caches: SearchCaches): Promise<readonly FoundPoints[]> {
  return Promise.all(
    releases.map(async ({ reader, entry }, index) => {
      const points = await releasePointsOf('places', reader, caches);
      const former = releases.slice(0, index).find((other) => other.entry.organizationUuid === entry.organizationUuid);
      const found = former && bitsOf(await placesBeyond(former.reader, reader, caches), Infinity);
      return { reader, points, found, labelsOf: (ranks: Uint32Array) => labelsOfSites(reader, ranks) };
    }),
  );
}

async function unitsOf(
  releases: readonly ReadRelease[],
  caches: SearchCaches,
): Promise<readonly Omit<UnitSource, 'firstClass'>[]> {
  return Promise.all(
    releases.map(async ({ reader }) => {
      const points = await releasePointsOf('places', reader, caches);
      const shapes = await unitShapesOf(reader, caches);
      const ids = await placeNamesOf(reader, caches);
      const labelOf = (rank: number): Label => ({
        id: idOf(reader, ids[rank] ?? null),
        name: shapes.names[rank] ?? null,
      });
      const labelsOf = (ranks: Uint32Array): Promise<readonly Label[]> =>
        Promise.resolve(Array.from(ranks, (rank) => labelOf(rank)));
      return { reader, points, shapes, found: undefined, labelsOf };
    }),
  );
}

/** The ranks of the places of a release that another one has not. */
async function placesBeyond(former: ReleaseReader, reader: ReleaseReader, caches: SearchCaches): Promise<RecordSet> {
  const key = `${reader.facts.releaseId} places beyond ${former.facts.releaseId}`;
  const known = caches.records.get(key);
  if (known !== undefined) return known;
  const others = new Set(await placeNamesOf(former, caches));
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
