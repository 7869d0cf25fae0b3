// How far the places of filters reach: sites by their points, reporting units by their polygons, in bounded requests.

import type { Query, ServiceClient } from './client';
import { readCsv } from './read-csv';
import type { Reply } from './reply';

/** West, south, east and north, in degrees. */
export type MapExtent = readonly [west: number, south: number, east: number, north: number];

/** Sites whose points say how far a place reaches. */
const MOST_POINTS = 1000;

/** Where the sites lie that the filters find, by the first of them; undefined where none of these has a point. */
export async function askExtentOfSites(client: ServiceClient, filters: Query): Promise<Reply<MapExtent | undefined>> {
  const query: Query = [...filters, ['RecordCount', String(MOST_POINTS)], ['format', 'csv']];
  return client.ask('v1/Sites', query, async (response) => {
    const [columns = [], ...rows] = readCsv(await response.text());
    const [x, y] = [columns.indexOf('Longitude'), columns.indexOf('Latitude')];
    const points = rows.map((row) => [coordinate(row[x]), coordinate(row[y])] as const);
    return boxOfPoints(points);
  });
}

/** A site may have none. */
function coordinate(text = ''): number {
  return text === '' ? Number.NaN : Number(text);
}

/** The box of the polygons of the units that the filters find; undefined where none has one. */
export async function askExtentOfUnits(client: ServiceClient, filters: Query): Promise<Reply<MapExtent | undefined>> {
  const reply = await client.askJson<UnitFeatures>('v1/ReportingUnits', [...filters, ['format', 'geojson']]);
  if (reply.kind !== 'answer') return reply;
  const positions = reply.value.features.flatMap(({ geometry }) => positionsIn(geometry?.coordinates));
  return { ...reply, value: boxOfPoints(positions) };
}

/** As RFC 7946 has it. */
interface UnitFeatures {
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
