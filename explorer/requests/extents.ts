// How far the places of filters reach: sites and rights by their points, reporting units by their polygons, in bounded
// requests.

import type { Query, ServiceClient } from './client';
import type { Reply } from './reply';

/** West, south, east and north, in degrees. */
export type MapExtent = readonly [west: number, south: number, east: number, north: number];

/** Sites, rights or units that say how far a place reaches. */
const MOST_PLACES = 1000;

/** Where those of the filters lie, by the first of them; undefined where none of these has a geometry. */
export async function askExtent(
  client: ServiceClient,
  route: 'v1/Sites' | 'v1/SiteAllocationAmounts' | 'v1/ReportingUnits',
  filters: Query,
): Promise<Reply<MapExtent | undefined>> {
  const query: Query = [...filters, ['RecordCount', String(MOST_PLACES)], ['format', 'geojson']];
  const reply = await client.askJson<Features>(route, query);
  if (reply.kind !== 'answer') return reply;
  const positions = reply.value.features.flatMap(({ geometry }) => positionsIn(geometry?.coordinates));
  return { ...reply, value: boxOfPoints(positions) };
}

/** As RFC 7946 has it. */
interface Features {
  readonly features: readonly { readonly geometry: { readonly coordinates?: unknown } | null }[];
}

/** The positions among the coordinates of a geometry, however deep they lie. */
function positionsIn(coordinates: unknown): readonly (readonly [number, number])[] {
  if (!Array.isArray(coordinates)) return [];
  const parts: readonly unknown[] = coordinates;
  const [longitude, latitude] = parts;
  if (typeof longitude === 'number' && typeof latitude === 'number') return [[longitude, latitude]];
  return parts.flatMap(positionsIn);
}

export function boxOfPoints(points: readonly (readonly [number, number])[]): MapExtent | undefined {
  const shown = points.filter(([longitude, latitude]) => !Number.isNaN(longitude + latitude));
  if (shown.length === 0) return undefined;
  const [longitudes, latitudes] = [shown.map(([longitude]) => longitude), shown.map(([, latitude]) => latitude)];
  const least = (values: readonly number[]): number => values.reduce((a, b) => Math.min(a, b));
  const most = (values: readonly number[]): number => values.reduce((a, b) => Math.max(a, b));
  return [least(longitudes), least(latitudes), most(longitudes), most(latitudes)];
}
