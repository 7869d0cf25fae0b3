// Derives from the state what each live query of the session asks.

import { splitFeatureId } from '../requests/map-features';
import { getKind, type Kind } from '../state/kinds';
import { getPlaceColor } from '../state/map-kinds';
import {
  type ExplorerState,
  getChartStack,
  getChartTime,
  type OrderedSelection,
  orderFilters,
  type Selection,
} from '../state/state';

/** Facets that are open at first; the others are counted when they are opened. */
const INITIALLY_OPEN_FACETS = 4;

/** The table has so many rows before and behind those that are seen, so that it can be scrolled on. */
const ROWS_AROUND = 50;

/** Organizations are counted always: citations name those that have something of what is shown. */
export const SOURCES_FACET = 'OrganizationUUID';

/** Those that are open, those with a value chosen, and that of the map's legend, in the order of the page. */
export function listCountedFacets(state: ExplorerState, toggledNames: ReadonlySet<string>): readonly string[] {
  const { kind, view, filters } = state;
  const others = new Set([...Object.keys(filters), SOURCES_FACET]);
  const color = getPlaceColor(state);
  if (view === 'map' && color !== undefined) others.add(color.filter);
  return getKind(kind).facets.filter((name, index) => isFacetOpen(name, index, toggledNames) || others.has(name));
}

export function isFacetOpen(name: string, index: number, toggledNames: ReadonlySet<string>): boolean {
  return index < INITIALLY_OPEN_FACETS !== toggledNames.has(name);
}

/** The part of the state that decides which records are found, in one order whatever the order of choosing. */
export function toSelection({ kind, filters }: Selection): Selection {
  return { kind, filters: orderFilters({ kind, filters }) };
}

export function toOrderedSelection({ kind, filters, order }: OrderedSelection): OrderedSelection {
  return { ...toSelection({ kind, filters }), order };
}

/** In steps, so that not every row that is scrolled makes another question. */
export function surroundingRows([first, last]: readonly [first: number, last: number]) {
  const start = Math.max(0, Math.floor(first / ROWS_AROUND) - 1) * ROWS_AROUND;
  return { start, count: (Math.ceil((last + 1 - first) / ROWS_AROUND) + 2) * ROWS_AROUND };
}

/** Undefined where one of both is. */
export function withDetail<Part>(
  selection: Selection | undefined,
  part: Part | undefined,
): (Selection & { part: Part }) | undefined {
  return selection === undefined || part === undefined ? undefined : { ...toSelection(selection), part };
}

/** Undefined where no place of the kind is open. */
export function selectOpenPlace({ place, kind, filters }: ExplorerState, placeKind: Kind) {
  if (place === undefined || kind !== placeKind) return undefined;
  const { organization, identifier } = splitFeatureId(place);
  return withDetail({ kind, filters: { ...filters, OrganizationUUID: [organization] } }, identifier);
}

export function getComparedSites({ kind, view, chart }: ExplorerState): readonly string[] | undefined {
  const isShown = kind === 'series' && view === 'chart' && chart.type === 'sites';
  return isShown && chart.sites.length > 0 ? chart.sites : undefined;
}

/** The areas that the map shows; undefined while it shows none. */
export function selectMappedAreas(state: ExplorerState): Selection | undefined {
  return state.kind === 'aggregates' && state.view === 'map' ? toSelection(state) : undefined;
}

/** By what the chart adds up; undefined where no totals are shown. */
export function getTotalsGroups({ kind, view, chart }: ExplorerState): readonly string[] | undefined {
  if (view !== 'chart' || (kind === 'series' && chart.type === 'sites')) return undefined;
  return [getChartTime({ kind, chart }), getChartStack({ kind, chart })].filter((name) => name !== '');
}
