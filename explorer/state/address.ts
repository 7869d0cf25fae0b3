// The state as the query of an address, and back. Filters stand under the service's own names, so what stands in the
// address of the explorer can be asked of the service. Whatever cannot be read is left out: an address is what people
// edit, cut and pass on. A key is not part of the state and so never part of an address.

import { MAP_SCALES } from './map-kinds';
import { KINDS, kindOf, type Kind } from './kinds';
import { CHART_FORMS, filterNames, filtersInOrder, INITIAL_STATE, MOST_SITES, NO_STACK, PANELS, VIEWS } from './state';
import type { Camera, ChartState, ExplorerState, Filters } from './state';

/** Decimals of degrees, a metre and a tenth, and of zooms. */
const DEGREE_DECIMALS = 5;
const ZOOM_DECIMALS = 2;

/** The text behind the question mark; empty for the initial state. */
export function writeAddress(state: ExplorerState): string {
  const { kind, view, filters, order, columns, chart, map, panel, record, place } = state;
  const own: readonly (readonly [string, string])[] = [
    ['kind', kind === INITIAL_STATE.kind ? '' : kind],
    ['view', view === INITIAL_STATE.view ? '' : view],
    ['order', order],
    ['columns', columns.join(',')],
    ...chartParts(chart),
    ['at', map.camera === undefined ? '' : writeCamera(map.camera)],
    ['colour', map.colour],
    ['size', map.size],
    ['year', map.year],
    ['scale', map.scale],
    ['open', panel ?? ''],
    ['record', record === undefined ? '' : String(record)],
    ['place', place ?? ''],
  ];
  const asked = Object.entries(filtersInOrder({ kind, filters })).flatMap(([name, values]) =>
    values.map((value) => [name, value] as const),
  );
  const query = new URLSearchParams();
  for (const [name, value] of [...own, ...asked]) if (value !== '') query.append(name, value);
  return query.toString().replaceAll('%2C', ',').replaceAll('%3A', ':');
}

function chartParts(chart: ChartState): readonly (readonly [string, string])[] {
  return [
    ['chart', chart.form === INITIAL_STATE.chart.form ? '' : chart.form],
    ['time', chart.time],
    ['stack', chart.stack],
    ['shares', chart.isOfShares ? 'yes' : ''],
    ['measure', chart.measure],
    ['series', chart.series],
    ...chart.sites.map((site) => ['site', site] as const),
    ['wateryears', chart.isByWaterYear ? 'yes' : ''],
  ];
}

/** The state that an address names; parts that it does not name, or that cannot be read, are the initial ones. */
export function readAddress(query: string): ExplorerState {
  const given = new URLSearchParams(query);
  const text = (name: string): string => given.get(name) ?? '';
  const kind = oneOf(KINDS, text('kind')) ?? INITIAL_STATE.kind;
  const { orders, measures } = kindOf(kind);
  const { colours } = kindOf(kind).places;
  const columns = text('columns').split(',');
  return {
    kind,
    view: oneOf(VIEWS, text('view')) ?? INITIAL_STATE.view,
    filters: readFilters(kind, given),
    order: nameOf(orders, text('order')),
    columns: [...new Set(columns)].filter((name) => /^\w+$/.test(name)),
    chart: readChart(kind, given),
    map: {
      camera: readCamera(text('at')),
      colour: colours.some(({ filter }) => filter === text('colour')) ? text('colour') : '',
      size: nameOf(measures, text('size')),
      year: /^(?:\d{4}|all)$/.test(text('year')) ? text('year') : '',
      scale: MAP_SCALES.find(({ name }) => name === text('scale'))?.name ?? '',
    },
    panel: oneOf(PANELS, text('open')),
    record: /^\d{1,9}$/.test(text('record')) ? Number(text('record')) : undefined,
    place: text('place') === '' ? undefined : text('place'),
  };
}

function readChart(kind: Kind, given: URLSearchParams): ChartState {
  const { times, stacks, measures } = kindOf(kind);
  const text = (name: string): string => given.get(name) ?? '';
  return {
    form: oneOf(CHART_FORMS, text('chart')) ?? INITIAL_STATE.chart.form,
    time: oneOf(times, text('time')) ?? '',
    stack: oneOf([...stacks, NO_STACK], text('stack')) ?? '',
    isOfShares: text('shares') === 'yes',
    measure: nameOf(measures, text('measure')),
    series: text('series'),
    sites: [...new Set(given.getAll('site'))].filter((site) => site !== '').slice(0, MOST_SITES),
    isByWaterYear: text('wateryears') === 'yes',
  };
}

/** Names are read without regard to case, as the service does (D1). */
function readFilters(kind: Kind, given: URLSearchParams): Filters {
  const spelled = new Map(filterNames(kind).map((name) => [name.toLowerCase(), name]));
  const filters: Record<string, string[]> = {};
  for (const [asked, value] of given) {
    const name = spelled.get(asked.toLowerCase());
    if (name === undefined || value === '') continue;
    const values = (filters[name] ??= []);
    if (!values.includes(value)) values.push(value);
  }
  return filters;
}

function writeCamera({ longitude, latitude, zoom }: Camera): string {
  return [longitude.toFixed(DEGREE_DECIMALS), latitude.toFixed(DEGREE_DECIMALS), zoom.toFixed(ZOOM_DECIMALS)]
    .map((text) => String(Number(text)))
    .join(',');
}

function readCamera(text: string): Camera | undefined {
  const [longitude, latitude, zoom, ...more] = text.split(',').map((part) => (part === '' ? Number.NaN : Number(part)));
  if (longitude === undefined || latitude === undefined || zoom === undefined || more.length > 0) return undefined;
  const isPlace = Math.abs(longitude) <= 180 && Math.abs(latitude) <= 90 && zoom >= 0 && zoom <= 24;
  return isPlace ? { longitude, latitude, zoom } : undefined;
}

function oneOf<Text extends string>(known: readonly Text[], text: string): Text | undefined {
  return known.find((one) => one === text);
}

function nameOf(known: readonly { readonly name: string }[], text: string): string {
  return known.some(({ name }) => name === text) ? text : '';
}
