// Makes a tile of a collection (D50): draws the items that match a condition.

import type { Condition } from '../query/condition';
import type { TileCollection } from '../query/tile-collections';
import { buildFeatureId } from '../records/feature-ids';
import { evaluate } from '../search/evaluate';
import { loadPlaceIdentifiers } from '../search/index/release-index';
import type { CatalogRelease } from '../search/open-releases';
import { findMatchingPlaces } from '../search/places/plan-places';
import { BitSet } from '../values/bytes/bit-set';
import { loadRightLabels, loadSiteLabels } from './point-labels';
import { assignClasses, type Label, type MatchingPoints } from './point-source';
import { addPointFeatures, type PointClusters } from './point-tile';
import { loadReleasePoints } from './release-points';
import { TileFeatures, type WrittenTile } from './tile-features';
import type { TileAddress } from './tile-grid';
import { loadUnitShapes } from './unit-shapes';
import { addUnitFeatures, type UnitSource } from './unit-tile';

export interface TileRequest extends PointClusters {
  /** The name of the collection in the path, and of the layer. */
  readonly collection: TileCollection['id'];
  readonly address: TileAddress;
  readonly condition: Condition;
  /** The member whose values are counted in features of several points. */
  readonly mix: string | undefined;
}

/** Returns undefined for a tile without features. Throws the same errors as a search. */
export async function makeTile(
  request: TileRequest,
  releases: readonly CatalogRelease[],
): Promise<WrittenTile | undefined> {
  const { collection, address, condition, mix } = request;
  if (collection === 'reporting-units') {
    const units = assignClasses(await findUnits(releases, condition));
    const features = new TileFeatures(units);
    await addUnitFeatures(units, address, features);
    return features.finish(collection);
  }
  const find = collection === 'allocations' ? findRights : findSites;
  const sources = assignClasses(await find(releases, condition));
  const features = new TileFeatures(sources, mix);
  await addPointFeatures(sources, address, features, request);
  return features.finish(collection);
}

async function findRights(
  releases: readonly CatalogRelease[],
  condition: Condition,
): Promise<readonly MatchingPoints[]> {
  return Promise.all(
    releases.map(async (release): Promise<MatchingPoints> => {
      const { reader } = release;
      const records = await evaluate(condition, release);
      return {
        reader,
        points: await loadReleasePoints('rights', release),
        matches: records.size === reader.facts.records ? undefined : toBitSet(records.slice()),
        loadLabels: (items) => loadRightLabels(reader, items),
      };
    }),
  );
}

async function findSites(
  releases: readonly CatalogRelease[],
  condition: Condition,
): Promise<readonly MatchingPoints[]> {
  return Promise.all(
    (await findMatchingPlaces(releases, condition)).map(async ({ release, ranks }): Promise<MatchingPoints> => {
      const { reader } = release;
      return {
        reader,
        points: await loadReleasePoints('places', release),
        matches: toBitSet(ranks),
        loadLabels: (items) => loadSiteLabels(reader, items),
      };
    }),
  );
}

type MatchingUnits = Omit<UnitSource, 'firstClass'>;

async function findUnits(releases: readonly CatalogRelease[], condition: Condition): Promise<readonly MatchingUnits[]> {
  return Promise.all(
    (await findMatchingPlaces(releases, condition)).map(async ({ release, ranks }): Promise<MatchingUnits> => {
      const { reader } = release;
      const points = await loadReleasePoints('places', release);
      const shapes = await loadUnitShapes(release);
      const identifiers = await loadPlaceIdentifiers(release);
      const { OrganizationUUID } = reader.facts.organization;
      const buildLabel = (rank: number): Label => ({
        id: buildFeatureId(OrganizationUUID, identifiers[rank] ?? ''),
        name: shapes.names[rank] ?? null,
      });
      return {
        reader,
        points,
        shapes,
        matches: toBitSet(ranks),
        loadLabels: (items) => Promise.resolve(Array.from(items, buildLabel)),
      };
    }),
  );
}

/** `numbers` are ascending. */
function toBitSet(numbers: Uint32Array): BitSet {
  const bits = new BitSet((numbers.at(-1) ?? -1) + 1);
  for (const number of numbers) bits.add(number);
  return bits;
}
