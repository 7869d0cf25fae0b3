// Writes the whole state into the query of the address and reads it back, so back, forward, reload and a shared address
// give the same picture. Filters use the service's own parameter names. Anything unreadable is ignored, because people
// edit, cut and share addresses.

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

/** Names are case-insensitive, as in the service (D1). */
function readFilters(kind: Kind, parameters: URLSearchParams): Filters {
  const namesByLowerCase = new Map(getFilterNames(kind).map((name) => [name.toLowerCase(), name]));
  const filters: Record<string, string[]> = {};
  for (const [writtenName, value] of parameters) {
    const name = namesByLowerCase.get(writtenName.toLowerCase());
    if (name === undefined || value === '') continue;
    const values = filters[name] ?? [];
    if (!values.includes(value)) filters[name] = [...values, value];
  }
  return filters;
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
