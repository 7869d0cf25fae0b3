// What the map shows of the service (D48, D50): the tiles of what is filtered, one feature by its identifier, and how
// far the places of filters reach, in bounded requests.

import { getKind, type Kind } from '../state/kinds';
import { toMapFilters } from '../state/map-kinds';
import { orderFilters, type Selection } from '../state/state';
import { appendQuery, type Query, type ServiceClient } from './client';
import type { Reply } from './reply';

/**
 * In CQL2: the place has an amount, since each amount has a variable. The sites of rights alone are left out, as they
 * are in the other views of time series; amounts without a date count.
 */
const WITH_AMOUNTS = 'VariableCV IS NOT NULL';

/** Where the tiles of a kind are described and drawn, below the service's address. */
export function buildTilesetRoute(kind: Kind): string {
  return `ogc/collections/${getKind(kind).places.collection}/tiles/WebMercatorQuad`;
}

/** What tiles are asked for to show what is filtered. */
export function buildTileQuery({ kind, filters }: Selection): Query {
  const asked = orderFilters({ kind, filters: toMapFilters(kind, filters) });
  return kind === 'series' ? { ...asked, filter: WITH_AMOUNTS } : asked;
}

/**
 * With places for zoom, row and column. `service` has scheme and host, `cluster` is the width in pixels of squares
 * whose points stand as one, `mix` the member whose values are counted in each.
 */
export function buildTileTemplate(
  service: string,
  selection: Selection,
  { cluster, mix }: { readonly cluster?: number | undefined; readonly mix?: string | undefined } = {},
): string {
  const query = { ...buildTileQuery(selection), cluster: cluster?.toString(), mix };
  return appendQuery(`${service}/${buildTilesetRoute(selection.kind)}/{z}/{y}/{x}`, query);
}

/** Members of a feature that have a value, in order. */
export interface MapFeature {
  readonly members: readonly (readonly [name: string, value: string])[];
  readonly series: readonly FeatureSeries[];
}

/** The members by which people call it, the first that it has. */
const NAMES = ['AllocationOwner', 'SiteName', 'ReportingUnitName', 'AllocationNativeID'];

export function getFeatureName({ members }: MapFeature): string | undefined {
  const membersByName = new Map(members);
  return NAMES.flatMap((name) => membersByName.get(name) ?? [])[0];
}

/** A member of one series of a place; empty where it has none. */
export type FeatureSeries = (member: string) => string;

/** The organization's identifier has no `~`; what follows the first one is the feature's own. */
export function splitFeatureId(id: string): { readonly organization: string; readonly identifier: string } {
  const at = id.indexOf('~');
  return { organization: id.slice(0, at), identifier: id.slice(at + 1) };
}

/** The permanent address of its page (D49). */
export function buildPageUrl(client: ServiceClient, kind: Kind, id: string): string {
  return client.buildUrl(buildFeatureRoute(kind, id));
}

function buildFeatureRoute(kind: Kind, id: string): string {
  return `ogc/collections/${getKind(kind).places.collection}/items/${encodeURIComponent(id)}`;
}

type Properties = Readonly<Record<string, string | number | boolean | null | readonly string[]>>;

/** Without members where this version of the data does not have it. */
export async function fetchMapFeature(client: ServiceClient, kind: Kind, id: string): Promise<Reply<MapFeature>> {
  const reply = await client.request<{ readonly properties: Properties }>(buildFeatureRoute(kind, id), { f: 'json' });
  if (reply.kind === 'failed' && reply.status === 404)
    return { kind: 'answer', value: { members: [], series: [] }, version: '' };
  if (reply.kind !== 'answer') return reply;
  const { properties } = reply.value;
  // The lists of a right are those of its sites and uses; the lists of a place are its series.
  const shown = Object.entries(properties).filter(([, value]) => kind === 'rights' || !Array.isArray(value));
  const members = shown.map(([name, value]) => [name, formatCell(value)] as const).filter(([, cell]) => cell !== '');
  return { ...reply, value: { members, series: kind === 'rights' ? [] : readSeries(properties) } };
}

/** As the CSV form has it, which the table shows, too. */
function formatCell(value: Properties[string] | undefined): string {
  if (value === null || value === undefined) return '';
  if (typeof value !== 'object') return String(value);
  return value.map((item) => item.replaceAll(/[\\|]/g, '\\$&')).join('|');
}

function readSeries(properties: Properties): readonly FeatureSeries[] {
  const readList = (name: string): readonly string[] => {
    const value = properties[name];
    return typeof value === 'object' && value !== null ? value : [];
  };
  return readList('RecordsCount').map((_, index) => (member) => readList(member)[index] ?? '');
}

/** West, south, east and north, in degrees. */
export type MapExtent = readonly [west: number, south: number, east: number, north: number];

/** Sites, rights or units that say how far a place reaches. */
const MAX_PLACES = 1000;

/** Where those of the filters lie, by the first of them; undefined where none of these has a geometry. */
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

/** The positions among the coordinates of a geometry, however deep they lie. */
function collectPositions(coordinates: unknown): readonly (readonly [number, number])[] {
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
