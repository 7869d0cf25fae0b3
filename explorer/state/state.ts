// The state of the explorer: one value that determines everything the page shows. The key is not part of it, so it
// never becomes part of an address.

import { getKind, type Kind } from './kinds';

export const VIEWS = ['map', 'table', 'chart'] as const;

export type View = (typeof VIEWS)[number];

/** Values by parameter name of the service. No list is empty. */
export type Filters = Readonly<Record<string, readonly string[]>>;

export const PANELS = ['take', 'changes', 'key'] as const;

/** The part of the state that every request depends on. */
export type Selection = Pick<ExplorerState, 'kind' | 'filters'>;

/** The part that tables and files depend on. */
export type OrderedSelection = Pick<ExplorerState, 'kind' | 'filters' | 'order'>;

/** The panel that is open next to the view. */
export type Panel = (typeof PANELS)[number];

export const CHART_TYPES = ['totals', 'sites'] as const;

export interface ChartState {
  /** Totals of all matching records, or the series of single sites. */
  readonly type: (typeof CHART_TYPES)[number];
  /** A value of GroupBy; empty for the default of the kind. */
  readonly time: string;
  /** A value of GroupBy; empty for the default of the kind, NO_STACK for unstacked bars. */
  readonly stack: string;
  /** Whether bars show shares instead of figures. */
  readonly showsShares: boolean;
  /** A measure; empty for the default of the kind. */
  readonly measure: string;
  /** The series of amounts that is added up (D40); empty for the most frequent. */
  readonly series: string;
  /** Identifiers of the sites to compare, at most MAX_SITES. */
  readonly sites: readonly string[];
  /** Whether the lines of the water years are drawn over each other. */
  readonly isByWaterYear: boolean;
}

/** As many lines as a person can distinguish. */
export const MAX_SITES = 8;

/** In degrees, rounded to the decimal places used in the URL. */
export interface Camera {
  readonly longitude: number;
  readonly latitude: number;
  readonly zoom: number;
}

/** The shapes that a person can draw on the map. */
export type ShapeType = 'box' | 'polygon' | 'circle';

export interface MapState {
  /** Undefined to fit the map to the matching places, or to everything. */
  readonly camera: Camera | undefined;
  /** The filter whose values color the places; empty for the default. */
  readonly color: string;
  /** The measure that sizes places; empty for the number of items. */
  readonly size: string;
  /** The year of a choropleth, or ALL_YEARS; empty for the newest year in which most areas have an amount. */
  readonly year: string;
  readonly scale: (typeof MAP_SCALES)[number]['name'];
}

/** How sums are divided into shades: equal numbers of areas, equal steps, or equal ratios. */
export const MAP_SCALES = [
  { name: '', label: 'equal count' },
  { name: 'even', label: 'equal interval' },
  { name: 'log', label: 'logarithmic' },
] as const;

export interface ExplorerState {
  readonly kind: Kind;
  readonly view: View;
  readonly filters: Filters;
  /** A value of OrderBy; empty for the order as published. */
  readonly order: string;
  /** Columns of the table; empty for the defaults of the kind. */
  readonly columns: readonly string[];
  /** The type of reporting units that map and chart show; empty for the default. */
  readonly unitType: string;
  readonly chart: ChartState;
  readonly map: MapState;
  readonly panel: Panel | undefined;
  /** The index of the open record, in the order of the table. */
  readonly record: number | undefined;
  /** The identifier of the open feature, ORGANIZATION~IDENTIFIER as in /ogc (D48). */
  readonly place: string | undefined;
  /** The right, as ORGANIZATION~IDENTIFIER, whose seniority is shown instead of the view. */
  readonly seniority: string | undefined;
  /** The basis of the seniority list, a filter and its value such as HUC12:140100010101; empty for the default. */
  readonly seniorityBasis: string;
}

export const NO_STACK = 'none';

type ChartContext = Pick<ExplorerState, 'kind' | 'chart'>;

/** The time axis of a chart of totals. */
export function getChartTime({ kind, chart }: ChartContext): string {
  return chart.time === '' ? (getKind(kind).times[0] ?? '') : chart.time;
}

/** The group that stacks the bars; empty for none. */
export function getChartStack({ kind, chart }: ChartContext): string {
  if (chart.stack === NO_STACK) return '';
  return chart.stack === '' ? (getKind(kind).stacks[0] ?? '') : chart.stack;
}

/** All filter names of the kind, including ChangedSince (D37) and a pinned DataVersion (D33). */
export function getFilterNames(kind: Kind): readonly string[] {
  const { facets, ranges, textFilters, boundary } = getKind(kind);
  const bounds = ranges.flatMap(({ from, to }) => [from, to]);
  return [...facets, ...textFilters, ...bounds, boundary, 'ChangedSince', 'DataVersion'];
}

/** The active filters of the kind in a fixed order, independent of the order in which they were chosen. */
export function orderFilters({ kind, filters }: Selection): Filters {
  const names = getFilterNames(kind).filter((name) => filters[name] !== undefined);
  return Object.fromEntries(names.map((name) => [name, filters[name] ?? []]));
}
