// All that the explorer shows follows from one value: the state. It stands whole in the query of the address, so back,
// forward, reload and a shared address give the same picture. Filters stand there under the service's own names, so
// they can be asked of the service. What cannot be read is left out: an address is what people edit, cut and pass on.
// A key is no part of the state and so never part of an address.

import { getKind, type Kind, KINDS, PLACE_FILTERS } from './kinds';

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

/** The text behind the question mark; empty for the initial state. */
export function writeAddress(state: ExplorerState): string {
  const { kind, view, filters, order, columns, chart, map, panel, record, place } = state;
  const ownParameters: Readonly<Record<string, string | readonly string[]>> = {
    kind: kind === KINDS[0] ? '' : kind,
    view: view === VIEWS[0] ? '' : view,
    order,
    columns: columns.join(','),
    chart: chart.type === CHART_TYPES[0] ? '' : chart.type,
    time: chart.time,
    stack: chart.stack,
    shares: chart.showsShares ? 'yes' : '',
    measure: chart.measure,
    series: chart.series,
    site: chart.sites,
    wateryears: chart.isByWaterYear ? 'yes' : '',
    at: map.camera === undefined ? '' : writeCamera(map.camera),
    colour: map.color,
    size: map.size,
    year: map.year,
    scale: map.scale,
    open: panel ?? '',
    record: String(record ?? ''),
    place: place ?? '',
  };
  const query = new URLSearchParams();
  for (const [name, values] of Object.entries({ ...ownParameters, ...orderFilters({ kind, filters }) }))
    for (const value of [values].flat()) if (value !== '') query.append(name, value);
  return query.toString().replaceAll('%2C', ',').replaceAll('%3A', ':');
}

/** The state that an address names; parts that it does not name, or that cannot be read, are the initial ones. */
export function readAddress(query: string): ExplorerState {
  const parameters = new URLSearchParams(query);
  const text = (name: string): string => parameters.get(name) ?? '';
  const readOption = <Text extends string>(name: string, known: readonly Text[]): Text | undefined =>
    known.find((one) => one === text(name));
  const readNamedOption = <Text extends string>(
    name: string,
    known: readonly { readonly name: Text }[],
  ): Text | undefined => known.find((one) => one.name === text(name))?.name;
  const kind = readOption('kind', KINDS) ?? KINDS[0];
  const { orders, measures, times, stacks, places } = getKind(kind);
  const columns = text('columns').split(',');
  return {
    kind,
    view: readOption('view', VIEWS) ?? VIEWS[0],
    filters: readFilters(kind, parameters),
    order: readNamedOption('order', orders) ?? '',
    columns: [...new Set(columns)].filter((name) => /^\w+$/.test(name)),
    chart: {
      type: readOption('chart', CHART_TYPES) ?? CHART_TYPES[0],
      time: readOption('time', times) ?? '',
      stack: readOption('stack', [...stacks, NO_STACK]) ?? '',
      showsShares: text('shares') === 'yes',
      measure: readNamedOption('measure', measures) ?? '',
      series: text('series'),
      sites: [...new Set(parameters.getAll('site'))].filter((site) => site !== '').slice(0, MAX_SITES),
      isByWaterYear: text('wateryears') === 'yes',
    },
    map: {
      camera: readCamera(text('at')),
      color: places.colors.find(({ filter }) => filter === text('colour'))?.filter ?? '',
      size: readNamedOption('size', measures) ?? '',
      year: /^(?:\d{4}|all)$/.test(text('year')) ? text('year') : '',
      scale: readNamedOption('scale', MAP_SCALES) ?? '',
    },
    panel: readOption('open', PANELS),
    record: /^\d{1,9}$/.test(text('record')) ? Number(text('record')) : undefined,
    place: text('place') || undefined,
  };
}

/** Names are read without regard to case, as the service does (D1). */
function readFilters(kind: Kind, parameters: URLSearchParams): Filters {
  const namesByLowerCase = new Map(getFilterNames(kind).map((name) => [name.toLowerCase(), name]));
  const filters: Record<string, string[]> = {};
  for (const [writtenName, value] of parameters) {
    const name = namesByLowerCase.get(writtenName.toLowerCase());
    if (name === undefined || value === '') continue;
    const values = (filters[name] ??= []);
    if (!values.includes(value)) values.push(value);
  }
  return filters;
}

/** Decimals of degrees, a metre and a tenth, and of zooms. */
const DEGREE_DECIMALS = 5;
const ZOOM_DECIMALS = 2;

function writeCamera({ longitude, latitude, zoom }: Camera): string {
  return [longitude.toFixed(DEGREE_DECIMALS), latitude.toFixed(DEGREE_DECIMALS), zoom.toFixed(ZOOM_DECIMALS)]
    .map((text) => String(Number(text)))
    .join(',');
}

function readCamera(text: string): Camera | undefined {
  const [longitude, latitude, zoom, ...more] = text.split(',').map((part) => (part === '' ? Number.NaN : Number(part)));
  if (longitude === undefined || latitude === undefined || zoom === undefined || more.length > 0) return undefined;
  const isValid = Math.abs(longitude) <= 180 && Math.abs(latitude) <= 90 && zoom >= 0 && zoom <= 24;
  return isValid ? { longitude, latitude, zoom } : undefined;
}

export const INITIAL_STATE = readAddress('');

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
export function withToggledValue(state: ExplorerState, name: string, value: string): ExplorerState {
  const values = state.filters[name] ?? [];
  const others = values.filter((one) => fold(one) !== fold(value));
  return withFilter(state, name, others.length < values.length ? others : [...values, value]);
}

/** Texts that differ in letter case alone are the same to the service's text filters (D8). */
export function fold(text: string): string {
  return text.normalize('NFC').toLowerCase().trim().replace(/\s+/g, ' ');
}

/** With the map as it shows what lies there. */
export function withMapAt(state: ExplorerState, camera: Camera): ExplorerState {
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
  return Object.entries(filters).reduce((previous, [name, values]) => {
    const known = name === 'SearchBoundary' ? getKind(state.kind).boundary : name;
    return getFilterNames(state.kind).includes(known) ? withFilter(previous, known, values) : previous;
  }, state);
}

/** Goes to another kind: what it has a filter for stays, and so does the camera. */
export function withKind(state: ExplorerState, kind: Kind): ExplorerState {
  if (kind === state.kind) return state;
  const names = new Map(getFilterNames(kind).map((name) => [name.toLowerCase(), name]));
  const { boundary } = getKind(state.kind);
  const kept = Object.entries(state.filters).flatMap(([name, values]) => {
    const known = name === boundary ? getKind(kind).boundary : names.get(name.toLowerCase());
    return known === undefined ? [] : [[known, values] as const];
  });
  const { camera } = state.map;
  const { view } = state;
  return { ...INITIAL_STATE, kind, view, filters: Object.fromEntries(kept), map: { ...INITIAL_STATE.map, camera } };
}
