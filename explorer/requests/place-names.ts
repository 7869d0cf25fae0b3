// What a person can go to by name, as the data have it: states, counties and watersheds with records, sites and
// reporting units. Every request is bounded; where there are more sites than one page, the page says so.

import type { Kind } from '../state/kinds';
import { nameOfState } from '../state/state-names';
import type { Filters } from '../state/state';
import type { Query, ServiceClient } from './client';
import { askFacets, askTotals } from './operations';
import { readCsv } from './read-csv';
import type { Reply } from './reply';

/** West, south, east and north, in degrees. */
export type MapExtent = readonly [west: number, south: number, east: number, north: number];

export type NamedPlace =
  | { readonly kind: 'state'; readonly name: string; readonly says: string }
  /** `boundary` is its name as a boundary of the service (ADR 0036). */
  | { readonly kind: 'area'; readonly name: string; readonly says: string; readonly boundary: string }
  /** `id` is that of its feature (D48). */
  | {
      readonly kind: 'site';
      readonly name: string;
      readonly says: string;
      readonly id: string;
      readonly point: readonly [longitude: number, latitude: number];
    }
  | { readonly kind: 'unit'; readonly name: string; readonly says: string; readonly id: string };

export interface NamedPlaces {
  readonly places: readonly NamedPlace[];
  /** How many there are; more than `places` where one page does not have all. */
  readonly total: number;
}

/** Sites or units of one request: some 300 KB compressed. */
const MOST_PLACES = 5000;

/** Sites whose points say how far a place reaches. */
const MOST_POINTS = 1000;

/** The areas in which any record of a kind lies, whatever is filtered. */
export async function askNamedAreas(
  client: ServiceClient,
  kind: Kind,
  signal: AbortSignal,
): Promise<Reply<readonly NamedPlace[]>> {
  const all = { kind, filters: {} };
  const names = kind === 'aggregates' ? ['State'] : ['State', 'HUC8'];
  const [facets, totals] = await Promise.all([
    askFacets(client, all, names, signal),
    kind === 'aggregates' ? undefined : askTotals(client, all, ['State', 'County'], signal),
  ]);
  if (facets.kind !== 'answer') return facets;
  if (totals !== undefined && totals.kind !== 'answer') return totals;
  const valuesOf = (name: string): readonly string[] =>
    facets.value.Facets.find(({ Name }) => Name === name)?.Values.map(({ Value }) => Value) ?? [];
  // Totals of amounts have a row for each unit and statistic, and so several for a county.
  const counties = new Map<string, NamedPlace>();
  for (const { State: state, County: county } of totals?.value.Totals ?? []) {
    if (typeof state !== 'string' || typeof county !== 'string') continue;
    const boundary = `county:${state}/${county}`;
    counties.set(boundary, { kind: 'area', name: county, says: `county, ${state}`, boundary });
  }
  const places: readonly NamedPlace[] = [
    ...valuesOf('State').map((state): NamedPlace => ({ kind: 'state', name: nameOfState(state), says: 'state' })),
    ...counties.values(),
    ...valuesOf('HUC8').map((huc8): NamedPlace => ({
      ...{ kind: 'area', name: huc8, says: 'watershed (HUC8)', boundary: `huc8:${huc8}` },
    })),
  ];
  return { ...facets, value: places };
}

/** Filters of where and whose a site or unit is; the map shows no others. */
const FILTERS_OF_THINGS = ['State', 'County', 'HUC8', 'HUC12', 'OrganizationUUID'];

export interface NamesAsked {
  readonly kind: Kind;
  readonly filters: Filters;
  /** Where there are too many for one page: only those in it. */
  readonly within?: MapExtent | undefined;
}

/** Sites, or the units of amounts by area, that the filters of places leave. */
export function askNamedPlaces(
  client: ServiceClient,
  { kind, filters, within }: NamesAsked,
  signal: AbortSignal,
): Promise<Reply<NamedPlaces>> {
  const isUnits = kind === 'aggregates';
  const names = isUnits ? ['State', 'OrganizationUUID'] : FILTERS_OF_THINGS;
  const query: Query = [
    ...names.flatMap((name) => (filters[name] ?? []).map((value) => [name, value] as const)),
    ...(within === undefined ? [] : [['SearchBoundary', `bbox:${within.map(degrees).join(',')}`] as const]),
    ['RecordCount', String(MOST_PLACES)],
    ['format', 'csv'],
  ];
  return client.ask(isUnits ? 'v1/ReportingUnits' : 'v1/Sites', query, readNamedPlaces, signal);
}

/** To a metre, and no more than there are: a map of the whole world shows some twice. */
function degrees(value: number, at: number): string {
  const most = at % 2 === 0 ? 180 : 90;
  return String(Number(Math.max(-most, Math.min(most, value)).toFixed(5)));
}

async function readNamedPlaces(response: Response): Promise<NamedPlaces> {
  const total = Number(response.headers.get('X-Total-Count'));
  const [columns = [], ...rows] = readCsv(await response.text());
  const cellOf = (row: readonly string[], name: string): string => row[columns.indexOf(name)] ?? '';
  const places = rows.map((row): NamedPlace => {
    const cell = (name: string): string => cellOf(row, name);
    const organization = cell('OrganizationUUID');
    const unit = cell('ReportingUnitUUID');
    if (unit !== '') {
      const says = `${cell('ReportingUnitTypeCV') || 'unit'}, ${cell('StateCV')}`;
      return { kind: 'unit', name: cell('ReportingUnitName') || unit, says, id: `${organization}~${unit}` };
    }
    const site = cell('SiteUUID');
    const says = [cell('SiteTypeCV') || 'site', cell('County'), cell('StateCV')].filter((text) => text !== '');
    const point = [coordinate(cell('Longitude')), coordinate(cell('Latitude'))] as const;
    const id = `${organization}~${site}`;
    return { kind: 'site', name: cell('SiteName') || site, says: says.join(', '), id, point };
  });
  return { places, total };
}

/** A site may have none. */
function coordinate(text: string): number {
  return text === '' ? Number.NaN : Number(text);
}

/** Where the sites lie that the filters find, by the first of them; undefined where none of these has a point. */
export async function askExtentOfSites(client: ServiceClient, filters: Query): Promise<Reply<MapExtent | undefined>> {
  const query: Query = [...filters, ['RecordCount', String(MOST_POINTS)], ['format', 'csv']];
  const reply = await client.ask('v1/Sites', query, readNamedPlaces);
  if (reply.kind !== 'answer') return reply;
  const points = reply.value.places.flatMap((place) => (place.kind === 'site' ? [place.point] : []));
  return { ...reply, value: boxOfPoints(points) };
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
