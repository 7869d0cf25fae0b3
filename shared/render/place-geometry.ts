// Reads the geometry of a site or a reporting unit.

import type { DataSetLayout } from '../records/data-sets';
import { geometryMembers } from '../records/lookups';
import type { Item } from '../records/record-references';
import { readGeometry } from '../values/boundary';
import { applyRightHandRule, type Geometry } from '../values/geometry';
import { readPoint } from '../values/site-point';

/**
 * A site without a readable geometry gets its point (ADR 0006). `unreadable` is the geometry text that could not be
 * parsed.
 */
export function readPlaceGeometry(
  placeKind: DataSetLayout['placeKind'],
  item: Item,
): { readonly geometry: Geometry | null; readonly unreadable: string | null } {
  const text = asText(item[geometryMembers[placeKind]]);
  const geometryResult = text === null ? undefined : readGeometry(text);
  const geometry = geometryResult?.ok === true ? applyRightHandRule(geometryResult.value) : readItemPoint(item);
  return { geometry, unreadable: geometryResult?.ok === false ? text : null };
}

function readItemPoint({ Longitude, Latitude }: Item): Geometry | null {
  const point = readPoint(asText(Longitude), asText(Latitude));
  return point === undefined ? null : { type: 'Point', coordinates: [point.longitude, point.latitude] };
}

function asText(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}
