// The state of the explorer: one value that determines everything the page shows. The key is not part of it, so it
// never becomes part of an address.

import { getKind, type Kind } from './kinds';

export const VIEWS = ['map', 'table', 'chart'] as const;

export type View = (typeof VIEWS)[number];

/** Values by the name of the service's parameter; none of the lists is empty. */
export type Filters = Readonly<Record<string, readonly string[]>>;

export const PANELS = ['take', 'changes', 'key'] as const;

/** What all requests depend on. */
export type Selection = Pick<ExplorerState, 'kind' | 'filters'>;

/** What a table and files depend on, too. */
export type OrderedSelection = Pick<ExplorerState, 'kind' | 'filters' | 'order'>;

/** Names what is open beside or over the view. */
export type Panel = (typeof PANELS)[number];

export const CHART_TYPES = ['totals', 'sites'] as const;

export interface ChartState {
  /** Totals of everything that is filtered, or the series of single sites side by side. */
  readonly type: (typeof CHART_TYPES)[number];
  /** A value of GroupBy; empty for the first of the kind. */
  readonly time: string;
  /** A value of GroupBy; empty for the first of the kind, NO_STACK for bars of one piece. */
  readonly stack: string;
  /** Whether bars show the share of each piece, and not its figure. */
  readonly showsShares: boolean;
  /** A measure; empty for the first of the kind. */
  readonly measure: string;
  /** Names what is added up of amounts, in the members that keep rows apart (D40); empty for the most frequent. */
  readonly series: string;
  /** Identifiers of the sites to compare, at most MOST_SITES. */
  readonly sites: readonly string[];
  /** Whether water years are laid over each other. */
  readonly isByWaterYear: boolean;
}

/** As many lines as can be told apart. */
export const MAX_SITES = 8;

/** In degrees; decimals as far as the address has them. */
export interface Camera {
  readonly longitude: number;
  readonly latitude: number;
  readonly zoom: number;
}

/** What a person can draw on the map. */
export type ShapeType = 'box' | 'polygon' | 'circle';

export interface MapState {
  /** Undefined for a camera that shows the places that are filtered, or everything. */
  readonly camera: Camera | undefined;
  /** The name of the filter by whose values places are colored; empty for one color. */
  readonly color: string;
  /** The measure by which places are sized, or areas shaded; empty for none. */
  readonly size: string;
  /** The year of a choropleth, or ALL_YEARS; empty for the newest one in which most areas have an amount. */
  readonly year: string;
  readonly scale: (typeof MAP_SCALES)[number]['name'];
}

/** How the sums of areas are divided into shades: as many areas in each, equal steps, or equal ratios. */
export const MAP_SCALES = [
  { name: '', label: 'as many areas each' },
  { name: 'even', label: 'equal steps' },
  { name: 'log', label: 'equal ratios (log)' },
] as const;

export interface ExplorerState {
  readonly kind: Kind;
  readonly view: View;
  readonly filters: Filters;
  /** A value of OrderBy; empty for the service's own order. */
  readonly order: string;
  /** Names of the columns of the table; empty for those of the kind. */
  readonly columns: readonly string[];
  readonly chart: ChartState;
  readonly map: MapState;
  readonly panel: Panel | undefined;
  /** The index of the record whose page is open, in the order of the table. */
  readonly record: number | undefined;
  /** The identifier of the feature that is open beside the map, ORGANIZATION~IDENTIFIER as in /ogc (D48). */
  readonly place: string | undefined;
}

export const NO_STACK = 'none';

type ChartContext = Pick<ExplorerState, 'kind' | 'chart'>;

/** By what time a chart of totals goes. */
export function getChartTime({ kind, chart }: ChartContext): string {
  return chart.time === '' ? (getKind(kind).times[0] ?? '') : chart.time;
}

/** By what bars are told apart; empty for nothing. */
export function getChartStack({ kind, chart }: ChartContext): string {
  if (chart.stack === NO_STACK) return '';
  return chart.stack === '' ? (getKind(kind).stacks[0] ?? '') : chart.stack;
}

/** Every name that a filter of the kind can have, ChangedSince (D37) and a pinned DataVersion (D33) among them. */
export function getFilterNames(kind: Kind): readonly string[] {
  const { facets, ranges, textFilters, boundary } = getKind(kind);
  const bounds = ranges.flatMap(({ from, to }) => [from, to]);
  return [...facets, ...textFilters, ...bounds, boundary, 'ChangedSince', 'DataVersion'];
}

/** Those of the kind that are set, in one order whatever the order of choosing. */
export function orderFilters({ kind, filters }: Selection): Filters {
  const names = getFilterNames(kind).filter((name) => filters[name] !== undefined);
  return Object.fromEntries(names.map((name) => [name, filters[name] ?? []]));
}
