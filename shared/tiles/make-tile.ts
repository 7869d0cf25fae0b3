// The tile of a collection (D50): what the releases of an answer have that a condition finds, drawn.

import type { Condition } from '../query/condition';
import type { TileCollection } from '../query/tile-collections';
import { buildFeatureId } from '../records/feature-ids';
import { evaluate } from '../search/evaluate';
import { loadPlaceIdentifiers } from '../search/index/release-index';
import type { CatalogRelease } from '../search/open-releases';
import { findMatchingPlaces } from '../search/places/plan-places';
import { BitSet } from '../values/bytes/bit-set';
import { addPointFeatures, loadRightLabels, loadSiteLabels } from './point-tile';
import { assignClasses, type Label, loadReleasePoints, type MatchingPoints } from './release-points';
import { TileFeatures, type WrittenTile } from './tile-features';
import type { TileAddress } from './tile-grid';
import { addUnitFeatures, loadUnitShapes, type UnitSource } from './unit-tile';

/** A tile of what a condition finds. */
export interface TileRequest {
  /** Its name in the path, which is that of the layer. */
  readonly collection: TileCollection['id'];
  readonly address: TileAddress;
  readonly condition: Condition;
  /** The width in pixels of the squares whose points stand as one. */
  readonly cluster: number;
  /** The member of whose values features of several points have the counts. */
  readonly mix: string | undefined;
}

/** Undefined for a tile in which nothing is drawn. Throws as a search does. */
export async function makeTile(
  request: TileRequest,
  releases: readonly CatalogRelease[],
): Promise<WrittenTile | undefined> {
  const { collection, address, condition, cluster, mix } = request;
  if (collection === 'reporting-units') {
    const units = assignClasses(await findUnits(releases, condition));
    const features = new TileFeatures(units);
    await addUnitFeatures(units, address, features);
    return features.finish(collection);
  }
  const isOfRights = collection === 'allocations';
  const sources = assignClasses(await (isOfRights ? findRights : findSites)(releases, condition));
  const features = new TileFeatures(sources, mix);
  await addPointFeatures(sources, address, features, cluster);
  return features.finish(collection);
}

async function findRights(
  releases: readonly CatalogRelease[],
  condition: Condition,
): Promise<readonly MatchingPoints[]> {
  return Promise.all(
    releases.map(async (release) => {
      const { reader } = release;
      const records = await evaluate(condition, release);
      const matches = records.size === reader.facts.records ? undefined : toBitSet(records.slice());
      const points = await loadReleasePoints('rights', release);
      return { reader, points, matches, loadLabels: (records: Uint32Array) => loadRightLabels(reader, records) };
    }),
  );
}

async function findSites(
  releases: readonly CatalogRelease[],
  condition: Condition,
): Promise<readonly MatchingPoints[]> {
  return Promise.all(
    (await findMatchingPlaces(releases, condition)).map(async ({ release, ranks }) => {
      const { reader } = release;
      const points = await loadReleasePoints('places', release);
      const loadLabels = (wanted: Uint32Array): Promise<readonly Label[]> => loadSiteLabels(reader, wanted);
      return { reader, points, matches: toBitSet(ranks), loadLabels };
    }),
  );
}

async function findUnits(
  releases: readonly CatalogRelease[],
  condition: Condition,
): Promise<readonly Omit<UnitSource, 'firstClass'>[]> {
  return Promise.all(
    (await findMatchingPlaces(releases, condition)).map(async ({ release, ranks }) => {
      const { reader } = release;
      const points = await loadReleasePoints('places', release);
      const shapes = await loadUnitShapes(release);
      const ids = await loadPlaceIdentifiers(release);
      const { OrganizationUUID } = reader.facts.organization;
      const labelOf = (rank: number): Label => {
        return { id: buildFeatureId(OrganizationUUID, ids[rank] ?? ''), name: shapes.names[rank] ?? null };
      };
      const loadLabels = (wanted: Uint32Array): Promise<readonly Label[]> =>
        Promise.resolve(Array.from(wanted, labelOf));
      return { reader, points, shapes, matches: toBitSet(ranks), loadLabels };
    }),
  );
}

function toBitSet(numbers: Uint32Array): BitSet {
  const bits = new BitSet((numbers.at(-1) ?? -1) + 1);
  for (const number of numbers) bits.add(number);
  return bits;
}
