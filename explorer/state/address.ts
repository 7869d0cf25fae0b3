// Writes the whole state into the query of the address and reads it back, so that back, forward, reload and a shared
// address show the same picture. Filters use the service's parameter names, in any letter case and with their synonyms.
// People edit, cut off and share addresses, so unreadable parts are skipped, and `listUnreadParameters` reports them.

import { getKind, type Kind, KINDS } from './kinds';
import {
  type Camera,
  CHART_TYPES,
  type ExplorerState,
  type Filters,
  getFilterNames,
  MAP_SCALES,
  MAX_SITES,
  NO_STACK,
  orderFilters,
  PANELS,
  VIEWS,
} from './state';

/** The query without the question mark; empty for the initial state. */
export function writeAddress(state: ExplorerState): string {
  const { kind, view, filters, order, columns, chart, map, panel, record, place } = state;
  const ownParameters: Readonly<Record<string, string | readonly string[]>> = {
    kind: kind === KINDS[0] ? '' : kind,
    view: view === VIEWS[0] ? '' : view,
    order,
    units: state.unitType,
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
    seniority: state.seniority ?? '',
    by: state.seniority === undefined ? '' : state.seniorityBasis,
  };
  const query = new URLSearchParams();
  for (const [name, values] of Object.entries({ ...ownParameters, ...orderFilters({ kind, filters }) }))
    for (const value of [values].flat()) if (value !== '') query.append(name, value);
  return query.toString().replaceAll('%2C', ',').replaceAll('%3A', ':');
}

/** The state of an address. Missing and unreadable parts keep their initial values. */
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
    unitType: kind === 'aggregates' ? text('units') : '',
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
    ...readSeniority(kind, text('seniority'), text('by')),
  };
}

/** Only rights have a priority. */
function readSeniority(kind: Kind, right: string, basis: string): Pick<ExplorerState, 'seniority' | 'seniorityBasis'> {
  if (kind !== 'rights' || !right.includes('~')) return { seniority: undefined, seniorityBasis: '' };
  return { seniority: right, seniorityBasis: basis };
}

/** The boundary parameter has a different name in each kind, and the service accepts either name everywhere. */
export const BOUNDARY_NAMES = ['searchboundary', 'searchgeometry'];

/** Other names of filters that the service accepts. */
const SYNONYMS: Readonly<Record<string, string>> = {
  beneficialuseusgscategorynamecv: 'usgscategorynamecv',
  allocationlegalstatuscodecv: 'allocationlegalstatuscv',
};

/** The filter of the kind with this name, which is case-insensitive as in the service (D1). */
export function findFilterName(kind: Kind, writtenName: string): string | undefined {
  const name = writtenName.toLowerCase();
  if (BOUNDARY_NAMES.includes(name)) return getKind(kind).boundary;
  const known = SYNONYMS[name] ?? name;
  return getFilterNames(kind).find((one) => one.toLowerCase() === known);
}

function readFilters(kind: Kind, parameters: URLSearchParams): Filters {
  const filters: Record<string, string[]> = {};
  for (const [writtenName, value] of parameters) {
    const name = findFilterName(kind, writtenName);
    if (name === undefined || value === '') continue;
    const values = filters[name] ?? [];
    if (!values.includes(value)) filters[name] = [...values, value];
  }
  return filters;
}

/** Tracking parameters that other sites add to links. */
export const LINK_PARAMETERS = /^(utm_\w+|fbclid|gclid|msclkid|mc_[ce]id|key)$/i;

/**
 * Lists the parameters of an address that this page does not know, or whose values it cannot read, as written. The page
 * ignores them and says so.
 */
export function listUnreadParameters(query: string): readonly string[] {
  const state = readAddress(query);
  const read = new URLSearchParams(writeAddress(state));
  const unread = [...new URLSearchParams(query)].filter(([name, value]) => {
    if (value === '' || LINK_PARAMETERS.test(name)) return false;
    if (findFilterName(state.kind, name) !== undefined) return false;
    return !isRead(state, read, name, value);
  });
  return unread.map(([name, value]) => `${name}=${value}`);
}

/** Whether the state contains the value of a parameter of the page itself. Default values are not written again. */
function isRead(state: ExplorerState, read: URLSearchParams, name: string, value: string): boolean {
  if (read.has(name)) return name !== 'site' || read.getAll(name).includes(value);
  return (
    (name === 'kind' && value === state.kind) || (name === 'view' && value === state.view) || isDefault(name, value)
  );
}

/** Whether a value means the default of its parameter. */
function isDefault(name: string, value: string): boolean {
  return (name === 'chart' && value === CHART_TYPES[0]) || (['shares', 'wateryears'].includes(name) && value === 'no');
}

/** Five decimals of a degree are about 1.1 meters. */
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
