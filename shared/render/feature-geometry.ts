// The geometry of a feature as JSON.

import type { DataSetLayout, PlaceKind } from '../records/data-sets';
import { geometryMembers, lookupIdentifiers } from '../records/lookups';
import { type Item, recordReferences } from '../records/record-references';
import type { SearchCaches } from '../search/index/search-caches';
import { type CoordinateSystem, projectGeometry } from '../values/coordinate-systems';
import { readPoint } from '../values/site-point';
import { readPlaceGeometry } from './place-geometry';
import type { LookupItems } from './table-columns';

export interface FeatureContext {
  readonly system: CoordinateSystem;
  readonly caches: SearchCaches;
}

/** What a geometry depends on besides its place. */
interface GeometryContext extends FeatureContext {
  /** Identifies the releases of the places, for the cache. */
  readonly source: string;
}

/** Returns a function that writes the geometry of a record: that of its place, or the points of all its places. */
export function createGeometryWriter(
  { kind, placeKind }: DataSetLayout,
  lookups: LookupItems,
  context: GeometryContext,
): (record: Item) => string {
  const [{ member, within }] = recordReferences[kind];
  // Related objects in the record have coordinates of their own.
  if (within !== undefined) return (record) => writeSitePoints(record[member] as readonly Item[], context.system);
  const places = lookups.get(placeKind);
  return (record) => {
    const place = places?.get(record[member]);
    return place === undefined ? 'null' : writePlaceGeometry(placeKind, place, context);
  };
}

/** Parsing areas takes longer than everything else, so their texts stay in the cache. */
export function writePlaceGeometry(
  placeKind: PlaceKind,
  place: Item,
  { system, caches, source }: GeometryContext,
): string {
  const write = (): string => {
    const { geometry } = readPlaceGeometry(placeKind, place);
    return JSON.stringify(geometry === null ? null : projectGeometry(geometry, system));
  };
  if (place[geometryMembers[placeKind]] === null) return write();
  const cache = caches.getCache<string>('geometryTexts');
  const key = `${source} ${system.name} ${String(place[lookupIdentifiers[placeKind]])}`;
  let text = cache.get(key);
  if (text === undefined) {
    text = write();
    cache.set(key, text, text.length);
  }
  return text;
}

/** The points of sites as JSON, `null` when no site has one. */
function writeSitePoints(sites: readonly Item[], { fromDegrees }: CoordinateSystem): string {
  const coordinates = sites.flatMap(({ Longitude, Latitude }) => {
    const point = readPoint(Longitude as string | null, Latitude as string | null); // As the members are declared.
    return point === undefined ? [] : [fromDegrees([point.longitude, point.latitude])];
  });
  return coordinates.length === 0 ? 'null' : JSON.stringify({ type: 'MultiPoint', coordinates });
}
