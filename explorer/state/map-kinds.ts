// Derives what the map shows from the state: the filters that a collection accepts, and how places are colored, sized
// and clustered.

import { getKind, type Kind, type Measure, type PlaceColor } from './kinds';
import { type ExplorerState, type Filters, getFilterNames, type Selection } from './state';

/** The value of `year` that adds up all years. */
export const ALL_YEARS = 'all';

type MapContext = Pick<ExplorerState, 'kind' | 'map'>;

/** The chosen coloring, or the first of the kind. */
export function getPlaceColor({ kind, map }: MapContext): PlaceColor | undefined {
  const { colors } = getKind(kind).places;
  return colors.find(({ filter }) => filter === map.color) ?? colors[0];
}

/** Filters of records that a collection of places does not have (D42, D43). */
const RECORD_ONLY_FILTERS = new Set([
  'MinimumAmount',
  'MaximumAmount',
  'StartPublicationDate',
  'EndPublicationDate',
  'ChangedSince',
]);

/** The filters with which the collection finds the places of the matching records. */
export function toMapFilters(kind: Kind, filters: Filters): Filters {
  if (kind === 'rights') return filters;
  return Object.fromEntries(Object.entries(filters).filter(([name]) => !RECORD_ONLY_FILTERS.has(name)));
}

/** Names of active filters that do not affect the map. */
export function findUnusedFilters(kind: Kind, filters: Filters): readonly string[] {
  const usedFilters = toMapFilters(kind, filters);
  return getFilterNames(kind).filter((name) => filters[name] !== undefined && !(name in usedFilters));
}

/** The measures by which single places can be sized: the measures that tiles contain. */
export function getPlaceSizes(kind: Kind): readonly (Measure & { readonly member: string })[] {
  return getKind(kind).measures.flatMap(({ member, ...size }) => (member === undefined ? [] : [{ ...size, member }]));
}

/** The chosen size. Undefined for the number of items at a place. */
export function getPlaceSize({ kind, map }: MapContext): ReturnType<typeof getPlaceSizes>[number] | undefined {
  return getPlaceSizes(kind).find(({ name }) => name === map.size);
}

/** How tiles merge points, in tile pixels; the map draws each as two to four screen pixels. */
interface PointClusters {
  readonly cluster?: string;
  readonly spacing?: string;
}

/** Leaves room for a ring with its count. Rings lie at the mean of their points, not in rows and columns. */
const COUNTED: PointClusters = { cluster: '8', spacing: '16' };

/** Smaller clusters, to show single rights. */
const SIZED: PointClusters = { cluster: '4' };

/** Empty for areas. */
export function getPointClusters(state: MapContext): PointClusters {
  if (state.kind === 'aggregates') return {};
  return getPlaceSize(state) === undefined ? COUNTED : SIZED;
}

/** The boundary filter as written; empty for none. */
export function getBoundary({ kind, filters }: Selection): string {
  return filters[getKind(kind).boundary]?.[0] ?? '';
}

/** The filters that are equivalent to a named area (ADR 0036); undefined for any other boundary. */
export function parseNamedArea(boundary: string): Filters | undefined {
  const [, areaType = '', name = ''] = /^\s*(state|county|huc8):\s*(.*?)\s*$/is.exec(boundary) ?? [];
  switch (areaType.toLowerCase()) {
    case 'state':
      return { State: [name] };
    case 'county':
      return { State: [name.slice(0, name.indexOf('/'))], County: [name.slice(name.indexOf('/') + 1)] };
    case 'huc8':
      return { HUC8: [name] };
    default:
      return undefined;
  }
}
