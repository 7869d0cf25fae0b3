// Writes the geometry of a feature as JSON.

import type { DataSetLayout, PlaceKind } from '../records/data-sets';
import { geometryMembers, lookupIdentifiers } from '../records/lookups';
import { type Item, recordReferences } from '../records/record-references';
import type { SearchCaches } from '../search/index/search-caches';
import { type CoordinateSystem, projectGeometry } from '../values/coordinate-systems';
import { readPoint } from '../values/site-point';
import { readPlaceGeometry } from './place-geometry';
import type { LookupItems } from './table-columns';
import { writeGeometryInSteps } from './write-geometry';

export interface FeatureContext {
  readonly system: CoordinateSystem;
  readonly caches: SearchCaches;
}

/** What a geometry depends on besides its place. */
interface GeometryContext extends FeatureContext {
  /** Identifies the releases of the places, for the cache. */
  readonly source: string;
}

/**
 * Yields undefined after each step, because an area may have hundreds of thousands of positions. Returns the geometry
 * as JSON.
 */
type GeometrySteps = Generator<undefined, string>;

/**
 * Returns a function that writes the geometry of a record: the geometry of its place, or the points of all its places.
 */
export function createGeometryWriter(
  { kind, placeKind }: DataSetLayout,
  lookups: LookupItems,
  context: GeometryContext,
): (record: Item) => GeometrySteps {
  const [{ member, within }] = recordReferences[kind];
  // The related objects in the record contain their own coordinates.
  if (within !== undefined) {
    return (record) => writeSitePoints(record[member] as readonly Item[], context.system);
  }
  const places = lookups.get(placeKind);
  return (record) => writePlaceGeometry(placeKind, places?.get(record[member]), context);
}

/** Caches the JSON of areas, because parsing an area takes longer than the rest of writing a feature. */
export function* writePlaceGeometry(
  placeKind: PlaceKind,
  place: Item | undefined,
  { system, caches, source }: GeometryContext,
): GeometrySteps {
  if (place === undefined) return 'null';
  if (place[geometryMembers[placeKind]] === null) return yield* writeProjected(placeKind, place, system);
  const cache = caches.getCache<string>('geometryTexts');
  const key = `${source} ${system.name} ${String(place[lookupIdentifiers[placeKind]])}`;
  const cached = cache.get(key);
  if (cached !== undefined) return cached;
  const text = yield* writeProjected(placeKind, place, system);
  cache.set(key, text, text.length);
  return text;
}

function* writeProjected(placeKind: PlaceKind, place: Item, system: CoordinateSystem): GeometrySteps {
  const { geometry } = readPlaceGeometry(placeKind, place);
  if (geometry === null) return 'null';
  // Parsing an area takes 40 ms per 100,000 positions, so it is a separate step. Parsing a point is not, because most
  // places are points.
  if (geometry.type !== 'Point') yield undefined;
  return yield* writeGeometryInSteps(projectGeometry(geometry, system));
}

/** Writes the points of sites as JSON; `null` if no site has a point. */
// eslint-disable-next-line require-yield -- It takes as long as one step.
function* writeSitePoints(sites: readonly Item[], { fromDegrees }: CoordinateSystem): GeometrySteps {
  const coordinates = sites.flatMap(({ Longitude, Latitude }) => {
    // The declared types of these members.
    const point = readPoint(Longitude as string | null, Latitude as string | null);
    return point === undefined ? [] : [fromDegrees([point.longitude, point.latitude])];
  });
  return coordinates.length === 0 ? 'null' : JSON.stringify({ type: 'MultiPoint', coordinates });
}
