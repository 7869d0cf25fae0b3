// What the map shows of each kind of records: the collection whose tiles it draws (D50), the filters that the
// collection takes, and by what its places can be coloured.

import { kindOf, type Kind } from './kinds';
import { filterNames, type ExplorerState, type Filters, type Selection } from './state';

/** A way to colour places: the filter that has the values, and the member of tiles that shows them. */
export interface PlaceColour {
  readonly filter: string;
  readonly member: string;
}

export interface MapCollection {
  readonly collection: 'allocations' | 'sites' | 'reporting-units';
  readonly colours: readonly PlaceColour[];
  /** What one feature stands for, in a sentence. */
  readonly one: string;
  readonly many: string;
}

/** How sums are divided into shades: as many areas in each, equal steps, or equal ratios. */
export const MAP_SCALES = [
  { name: '', label: 'as many areas each' },
  { name: 'even', label: 'equal steps' },
  { name: 'log', label: 'equal ratios (log)' },
] as const;

/** The year of areas that stands for all of them together. */
export const ALL_YEARS = 'all';

/** No filter has this name: the colours are a scale of years. */
export const DECADE_COLOUR = 'PriorityDecade';

/** Uses as they compare across states (D63): each has its own colour, whatever else is shown. */
export const USE_COLOUR = 'UseCategoryCV';

const COLLECTIONS: Readonly<Record<Kind, MapCollection>> = {
  rights: {
    collection: 'allocations',
    colours: [
      { filter: USE_COLOUR, member: 'category' },
      { filter: 'BeneficialUseCV', member: 'use' },
      { filter: 'WaterSourceTypeCV', member: 'source' },
      { filter: 'AllocationLegalStatusCV', member: 'status' },
      { filter: 'AllocationTypeCV', member: 'type' },
      { filter: DECADE_COLOUR, member: 'decade' },
    ],
    // A right is counted at each of its points (D53), so the numbers of circles are none of rights.
    ...{ one: 'point of a water right', many: 'points of water rights' },
  },
  series: {
    collection: 'sites',
    colours: [
      { filter: 'VariableCV', member: 'variable' },
      { filter: 'SiteTypeCV', member: 'type' },
      { filter: 'PODorPOUSite', member: 'podOrPou' },
      { filter: 'OrganizationUUID', member: 'organization' },
    ],
    ...{ one: 'site', many: 'sites' },
  },
  aggregates: { collection: 'reporting-units', colours: [], one: 'unit', many: 'units' },
};

type ShownMap = Pick<ExplorerState, 'kind' | 'map'>;

export function mapCollectionOf(kind: Kind): MapCollection {
  return COLLECTIONS[kind];
}

/** The colouring that is chosen, or the first of the kind. */
export function placeColourOf({ kind, map }: ShownMap): PlaceColour | undefined {
  const { colours } = mapCollectionOf(kind);
  return colours.find(({ filter }) => filter === map.colour) ?? colours[0];
}

/** Filters of records that a list of places has no use for (D42, D43). */
const OF_RECORDS_ALONE = new Set([
  ...['MinimumAmount', 'MaximumAmount', 'StartPublicationDate', 'EndPublicationDate', 'ChangedSince'],
]);

/** The names of filters that are set and do not change the map. */
export function filtersWithoutEffect(kind: Kind, filters: Filters): readonly string[] {
  if (kind === 'rights') return [];
  return filterNames(kind).filter((name) => OF_RECORDS_ALONE.has(name) && filters[name] !== undefined);
}

/** The filters with which the collection finds the places of what is filtered. */
export function mapFilters(kind: Kind, filters: Filters): Filters {
  if (kind === 'rights') return filters;
  return Object.fromEntries(Object.entries(filters).filter(([name]) => !OF_RECORDS_ALONE.has(name)));
}

/** By what single rights can be sized: the measure of the chart, and the member of tiles that has it. */
export const MAP_SIZES = [
  { name: 'FlowSum', label: 'Flow', member: 'flow', unit: 'CFS' },
  { name: 'VolumeSum', label: 'Volume', member: 'volume', unit: 'AF' },
] as const;

/** The size that is chosen; undefined for the number of items at a place. */
export function placeSizeOf({ kind, map }: ShownMap): (typeof MAP_SIZES)[number] | undefined {
  return kind === 'rights' ? MAP_SIZES.find(({ name }) => name === map.size) : undefined;
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
