// Computes the extent of places with a single limited request.

import type { Query, ServiceClient } from './client';
import type { Reply } from './reply';

/** West, south, east and north, in degrees. */
export type MapExtent = readonly [west: number, south: number, east: number, north: number];

/** The number of sites, rights or units that determine an extent. */
const MAX_PLACES = 1000;

/** The extent of the first matches; undefined if none of them has a geometry. */
export function fetchExtent(
  client: ServiceClient,
  route: 'v1/Sites' | 'v1/SiteAllocationAmounts' | 'v1/ReportingUnits',
  filters: Query,
): Promise<Reply<MapExtent | undefined>> {
  const query = { ...filters, RecordCount: String(MAX_PLACES), format: 'geojson' };
  return client.request(route, query, async (response) => {
    const { features } = (await response.json()) as Features; // RFC 7946.
    return computeExtent(features.flatMap(({ geometry }) => collectPositions(geometry?.coordinates)));
  });
}

interface Features {
  readonly features: readonly { readonly geometry: { readonly coordinates?: unknown } | null }[];
}

/** Collects the positions from a geometry's coordinates, which may be nested to any depth. */
export function collectPositions(coordinates: unknown): readonly (readonly [number, number])[] {
  if (!Array.isArray(coordinates)) return [];
  const parts: readonly unknown[] = coordinates;
  const [longitude, latitude] = parts;
  if (typeof longitude === 'number' && typeof latitude === 'number') return [[longitude, latitude]];
  return parts.flatMap(collectPositions);
}

export function computeExtent(points: readonly (readonly [number, number])[]): MapExtent | undefined {
  const shown = points.filter(([longitude, latitude]) => !Number.isNaN(longitude + latitude));
  const box = shown.reduce<MapExtent>(
    ([west, south, east, north], [x, y]) => [
      Math.min(west, x),
      Math.min(south, y),
      Math.max(east, x),
      Math.max(north, y),
    ],
    [Infinity, Infinity, -Infinity, -Infinity],
  );
  return shown.length === 0 ? undefined : box;
}
