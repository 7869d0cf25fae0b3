// The geometries of features as JSON, made of the JSON texts of places. Areas, which take longer to read than the rest
// of a page, stay in memory while there is room.

import type { PlaceKind } from '../../records/data-sets';
import type { SearchCaches } from '../../search/search-caches';
import { joinParts } from '../../store/fragments';
import type { JoinedFragments } from '../../store/port';
import { projectedGeometry, type CoordinateSystem } from '../../values/coordinate-systems';
import type { Geometry } from '../../values/geometry';
import { readPoint, type Point } from '../../values/numbers';
import { geometryMembers, placeGeometry } from '../write-geojson';

/** The members of a place that say where it lies. */
export const LYING_MEMBERS = {
  Sites: ['Longitude', 'Latitude', geometryMembers.Sites],
  ReportingUnits: [geometryMembers.ReportingUnits],
} as const satisfies Readonly<Record<PlaceKind, readonly string[]>>;

export type GeometryText = string | JoinedFragments;

/** A longer text is copied as bytes. */
const LONG = 1_000;

/** What the geometries of a slice are of. */
export interface GeometrySource {
  readonly placeKind: PlaceKind;
  /** Names the texts of the places: the same places have the same geometries under it. */
  readonly source: string;
  readonly system: CoordinateSystem;
  readonly caches: SearchCaches;
}

/** `texts` are those of LYING_MEMBERS. */
export function geometryText(
  id: string,
  texts: readonly string[],
  { placeKind, source, ...at }: GeometrySource,
): GeometryText {
  const { system, caches } = at;
  const wkt = texts.at(-1);
  if (wkt === undefined || wkt === 'null') {
    const point = placeKind === 'Sites' ? pointOf(texts) : undefined;
    return point === undefined
      ? 'null'
      : jsonOf({ type: 'Point', coordinates: [point.longitude, point.latitude] }, system);
  }
  const known = caches.partOf<JoinedFragments>('geometryTexts');
  const key = `${source} ${system.name} ${id}`;
  const found = known.get(key);
  if (found !== undefined) return found;
  const values = LYING_MEMBERS[placeKind].map((name, index) => [name, JSON.parse(texts[index] ?? 'null') as unknown]);
  const { geometry } = placeGeometry(placeKind, Object.fromEntries(values) as Readonly<Record<string, unknown>>);
  const text = geometry === null ? 'null' : jsonOf(geometry, system);
  if (text.length < LONG) return text;
  const bytes = joinParts([Buffer.from(text)]);
  known.set(key, bytes, bytes.byteLength);
  return bytes;
}

/** The points of several sites; null where none has one. */
export function pointsText(sites: readonly (readonly string[])[], system: CoordinateSystem): string {
  const coordinates = sites.flatMap((texts) => {
    const point = pointOf(texts);
    return point === undefined ? [] : [[point.longitude, point.latitude]];
  });
  return coordinates.length === 0 ? 'null' : jsonOf({ type: 'MultiPoint', coordinates }, system);
}

function pointOf([longitude = 'null', latitude = 'null']: readonly string[]): Point | undefined {
  // Numbers stand in texts, which have no escapes.
  return readPoint(
    longitude === 'null' ? null : longitude.slice(1, -1),
    latitude === 'null' ? null : latitude.slice(1, -1),
  );
}

function jsonOf(geometry: Geometry, system: CoordinateSystem): string {
  return JSON.stringify(projectedGeometry(geometry, system));
}
