// What the map shows of a state: the filters that a collection takes, and how its places are coloured, sized and put
// together.

import { type Kind, kindOf, type Measure, type PlaceColour } from './kinds';
import { type ExplorerState, filterNames, type Filters, type Selection } from './state';

/** The year of areas that stands for all of them together. */
export const ALL_YEARS = 'all';

type ShownMap = Pick<ExplorerState, 'kind' | 'map'>;

/** The colouring that is chosen, or the first of the kind. */
export function placeColourOf({ kind, map }: ShownMap): PlaceColour | undefined {
  const { colours } = kindOf(kind).places;
  return colours.find(({ filter }) => filter === map.colour) ?? colours[0];
}

/** Filters of records that a list of places has no use for (D42, D43). */
const OF_RECORDS_ALONE = new Set([
  'MinimumAmount',
  'MaximumAmount',
  'StartPublicationDate',
  'EndPublicationDate',
  'ChangedSince',
]);

/** The filters with which the collection finds the places of what is filtered. */
export function mapFilters(kind: Kind, filters: Filters): Filters {
  if (kind === 'rights') return filters;
  return Object.fromEntries(Object.entries(filters).filter(([name]) => !OF_RECORDS_ALONE.has(name)));
}

/** The names of filters that are set and do not change the map. */
export function filtersWithoutEffect(kind: Kind, filters: Filters): readonly string[] {
  const regarded = mapFilters(kind, filters);
  return filterNames(kind).filter((name) => filters[name] !== undefined && !(name in regarded));
}

/** What single places can be sized by: measures that tiles have, too. */
export function placeSizesOf(kind: Kind): readonly (Measure & { readonly member: string })[] {
  return kindOf(kind).measures.flatMap(({ member, ...size }) => (member === undefined ? [] : [{ ...size, member }]));
}

/** The size that is chosen; undefined for the number of items at a place. */
export function placeSizeOf({ kind, map }: ShownMap): ReturnType<typeof placeSizesOf>[number] | undefined {
  return placeSizesOf(kind).find(({ name }) => name === map.size);
}

/**
 * How wide the squares are whose points stand as one, in pixels of a tile, of which the map draws each as two to four:
 * wide enough for a circle with its number, or finer, where single rights are looked for.
 */
const CLUSTERS = { counted: 16, sized: 4 } as const;

/** Undefined where areas are drawn. */
export function clusterOf(state: ShownMap): number | undefined {
  if (state.kind === 'aggregates') return undefined;
  return placeSizeOf(state) === undefined ? CLUSTERS.counted : CLUSTERS.sized;
}

/** The boundary of the state, as it stands in the filter; empty for none. */
export function shownBoundary({ kind, filters }: Selection): string {
  return filters[kindOf(kind).boundary]?.[0] ?? '';
}

/** The terms that a named area stands for (ADR 0036); undefined for any other boundary. */
export function areaTerms(boundary: string): Filters | undefined {
  const [, form = '', name = ''] = /^\s*(state|county|huc8):\s*(.*?)\s*$/is.exec(boundary) ?? [];
  switch (form.toLowerCase()) {
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
