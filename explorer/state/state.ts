// All that the explorer shows follows from one value: the state. It stands whole in the address (address.ts), so back,
// forward, reload and a shared address give the same picture.

import { KINDS, kindOf, PLACE_FILTERS, type Kind } from './kinds';

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

export const CHART_FORMS = ['totals', 'sites'] as const;

export interface ChartState {
  /** Totals of everything that is filtered, or the series of single sites side by side. */
  readonly form: (typeof CHART_FORMS)[number];
  /** A value of GroupBy; empty for the first of the kind. */
  readonly time: string;
  /** A value of GroupBy; empty for the first of the kind, NO_STACK for bars of one piece. */
  readonly stack: string;
  /** Whether bars show the share of each piece, and not its figure. */
  readonly isOfShares: boolean;
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
export const MOST_SITES = 8;

/** In degrees; decimals as far as the address has them. */
export interface Camera {
  readonly longitude: number;
  readonly latitude: number;
  readonly zoom: number;
}

/** What a person can draw on the map. */
export type ShapeForm = 'box' | 'polygon' | 'circle';

export interface MapState {
  /** Undefined for a camera that shows the places that are filtered, or everything. */
  readonly camera: Camera | undefined;
  /** The name of the filter by whose values places are coloured; empty for one colour. */
  readonly colour: string;
  /** The measure by which places are sized, or areas shaded; empty for none. */
  readonly size: string;
  /** The year of a choropleth, or ALL_YEARS; empty for the newest one in which most areas have an amount. */
  readonly year: string;
  /** How the sums of areas are divided into shades; empty for as many areas in each. */
  readonly scale: '' | 'even' | 'log';
}

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

type ShownChart = Pick<ExplorerState, 'kind' | 'chart'>;

/** By what time a chart of totals goes. */
export function chartTimeOf({ kind, chart }: ShownChart): string {
  return chart.time === '' ? (kindOf(kind).times[0] ?? '') : chart.time;
}

/** By what bars are told apart; empty for nothing. */
export function chartStackOf({ kind, chart }: ShownChart): string {
  if (chart.stack === NO_STACK) return '';
  return chart.stack === '' ? (kindOf(kind).stacks[0] ?? '') : chart.stack;
}

export const INITIAL_STATE: ExplorerState = {
  kind: KINDS[0] ?? 'rights',
  view: 'map',
  filters: {},
  order: '',
  columns: [],
  chart: {
    ...{ form: 'totals', time: '', stack: '', isOfShares: false, measure: '', series: '', sites: [] },
    isByWaterYear: false,
  },
  map: { camera: undefined, colour: '', size: '', year: '', scale: '' },
  panel: undefined,
  record: undefined,
  place: undefined,
};

/** Every name that a filter of the kind can have, ChangedSince (D37) and a pinned DataVersion (D33) among them. */
export function filterNames(kind: Kind): readonly string[] {
  const { facets, ranges, words, boundary } = kindOf(kind);
  const bounds = ranges.flatMap(({ from, to }) => [from, to]);
  return [...facets, ...words, ...bounds, boundary, 'ChangedSince', 'DataVersion'];
}

/** Those of the kind that are set, in one order whatever the order of choosing. */
export function filtersInOrder({ kind, filters }: Selection): Filters {
  const names = filterNames(kind).filter((name) => filters[name] !== undefined);
  return Object.fromEntries(names.map((name) => [name, filters[name] ?? []]));
}

/**
 * With other values of one filter; none takes it away. What was open of the former records closes, and the camera
 * goes to a place that is chosen.
 */
export function withFilter(state: ExplorerState, name: string, values: readonly string[]): ExplorerState {
  const others = Object.fromEntries(Object.entries(state.filters).filter(([one]) => one !== name));
  const unique = [...new Set(values)].filter((value) => value !== '');
  const filters = unique.length === 0 ? others : { ...others, [name]: unique };
  const isPlaceChosen = unique.length > 0 && PLACE_FILTERS.has(name);
  const map = isPlaceChosen ? { ...state.map, camera: undefined } : state.map;
  return { ...state, filters, map, record: undefined, place: undefined };
}

/** Takes a value into a filter, or out of it, however it is spelled there. */
export function withToggled(state: ExplorerState, name: string, value: string): ExplorerState {
  const values = state.filters[name] ?? [];
  const others = values.filter((one) => folded(one) !== folded(value));
  return withFilter(state, name, others.length < values.length ? others : [...values, value]);
}

/** Texts that differ in letter case alone are the same to the service's text filters (D8). */
export function folded(text: string): string {
  return text.normalize('NFC').toLowerCase().trim().replace(/\s+/g, ' ');
}

/** With the map as it shows what lies there. */
export function onMap(state: ExplorerState, camera: Camera): ExplorerState {
  return { ...state, view: 'map', map: { ...state.map, camera } };
}

export function withoutFilters(state: ExplorerState): ExplorerState {
  return { ...state, filters: {}, record: undefined, place: undefined };
}

/** With these filters of a kind alone, and the camera where they lead. */
export function withFilters(state: ExplorerState, { kind, filters }: Selection): ExplorerState {
  return withMoreFilters(withoutFilters(withKind(state, kind)), filters);
}

/** With these filters, too, as far as the kind has them; each has a boundary, whatever it is called. */
export function withMoreFilters(state: ExplorerState, filters: Filters): ExplorerState {
  return Object.entries(filters).reduce((former, [name, values]) => {
    const known = name === 'SearchBoundary' ? kindOf(state.kind).boundary : name;
    return filterNames(state.kind).includes(known) ? withFilter(former, known, values) : former;
  }, state);
}

/** Goes to another kind: what it has a filter for stays, and so does the camera. */
export function withKind(state: ExplorerState, kind: Kind): ExplorerState {
  if (kind === state.kind) return state;
  const names = new Map(filterNames(kind).map((name) => [name.toLowerCase(), name]));
  const { boundary } = kindOf(state.kind);
  const kept = Object.entries(state.filters).flatMap(([name, values]) => {
    const known = name === boundary ? kindOf(kind).boundary : names.get(name.toLowerCase());
    return known === undefined ? [] : [[known, values] as const];
  });
  const { camera } = state.map;
  const { view } = state;
  return { ...INITIAL_STATE, kind, view, filters: Object.fromEntries(kept), map: { ...INITIAL_STATE.map, camera } };
}
