// Derives the question of each live query of the session from the state.

import { splitFeatureId } from '../requests/map-features';
import type { SeniorityQuestion } from '../requests/seniority';
import { UNIT_TYPE } from '../requests/unit-types';
import { getKind, type Kind } from '../state/kinds';
import { getBoundary, getPlaceColor } from '../state/map-kinds';
import {
  type ExplorerState,
  getChartStack,
  getChartTime,
  type OrderedSelection,
  orderFilters,
  type Selection,
} from '../state/state';

/** Facets that start open. The others are counted when they open. */
const INITIALLY_OPEN_FACETS = 4;

/** Organizations are always counted, because citations name those with matching records. */
export const SOURCES_FACET = 'OrganizationUUID';

/**
 * Lists the facets to count, in page order: open facets, facets with a chosen value, and the facet of the map's legend.
 */
export function listCountedFacets(state: ExplorerState, toggledNames: ReadonlySet<string>): readonly string[] {
  const { kind, view, filters } = state;
  const others = new Set([...Object.keys(filters), SOURCES_FACET]);
  const color = getPlaceColor(state);
  if (view === 'map' && color !== undefined) others.add(color.filter);
  if (kind === 'aggregates') others.add(UNIT_TYPE);
  return getKind(kind).facets.filter((name, index) => isFacetOpen(name, index, toggledNames) || others.has(name));
}

/**
 * Selects the counties to count by state. `names` are the county names that occur in several states. Undefined if the
 * page lists no such county, or if the filters already determine the state.
 */
export function selectNamesakes(
  state: ExplorerState,
  names: readonly string[],
  toggledNames: ReadonlySet<string>,
): DetailedSelection<readonly string[]> | undefined {
  const filters = Object.fromEntries(Object.entries(state.filters).filter(([name]) => name !== 'County'));
  const isListed = listCountedFacets(state, toggledNames).includes('County');
  // If only one state is chosen, every county is in that state.
  const needsStates = isListed && names.length > 0 && filters['State']?.length !== 1;
  return needsStates ? withDetail({ kind: state.kind, filters }, names) : undefined;
}

/** Whether the page shows codes of watersheds: as filters, or of an open record or place. */
export function showsWatersheds(state: ExplorerState, toggledNames: ReadonlySet<string>): boolean {
  const isOpen = state.kind !== 'aggregates' && (state.place !== undefined || state.record !== undefined);
  return isOpen || listCountedFacets(state, toggledNames).includes('HUC8') || /^\s*huc8:/i.test(getBoundary(state));
}

export function isFacetOpen(name: string, index: number, toggledNames: ReadonlySet<string>): boolean {
  return index < INITIALLY_OPEN_FACETS !== toggledNames.has(name);
}

/** The part of the state that selects records, with filters in a fixed order. */
export function toSelection({ kind, filters }: Selection): Selection {
  return { kind, filters: orderFilters({ kind, filters }) };
}

export function toOrderedSelection({ kind, filters, order }: OrderedSelection): OrderedSelection {
  return { ...toSelection({ kind, filters }), order };
}

/** A selection with the further detail that its request needs. */
export type DetailedSelection<Detail> = Selection & { readonly detail: Detail };

/** Undefined if either argument is undefined. */
export function withDetail<Detail>(
  selection: Selection | undefined,
  detail: Detail | undefined,
): DetailedSelection<Detail> | undefined {
  return selection === undefined || detail === undefined ? undefined : { ...toSelection(selection), detail };
}

/** Undefined if no place of the kind is open. */
export function selectOpenPlace(
  { place, kind, filters }: ExplorerState,
  placeKind: Kind,
): DetailedSelection<string> | undefined {
  if (place === undefined || kind !== placeKind) return undefined;
  const { organization, identifier } = splitFeatureId(place);
  return withDetail({ kind, filters: { ...filters, OrganizationUUID: [organization] } }, identifier);
}

/** Undefined unless the page shows the seniority of a right. */
export function selectSeniority({ seniority, seniorityBasis, filters }: ExplorerState): SeniorityQuestion | undefined {
  if (seniority === undefined) return undefined;
  return { right: seniority, basis: seniorityBasis, version: filters['DataVersion']?.[0] };
}

/** Whether the chart shows single sites, which only time series have. */
export function isComparingSites({ kind, view, chart }: ExplorerState): boolean {
  return kind === 'series' && view === 'chart' && chart.type === 'sites';
}

export function getComparedSites(state: ExplorerState): readonly string[] | undefined {
  const { sites } = state.chart;
  return isComparingSites(state) && sites.length > 0 ? sites : undefined;
}

/** Whether the map shows areas. */
export function isAreaMap({ kind, view }: ExplorerState): boolean {
  return kind === 'aggregates' && view === 'map';
}

/** The selection while the map or chart adds up reporting units; else undefined. */
export function selectAddedUnits(state: ExplorerState): Selection | undefined {
  return state.kind === 'aggregates' && state.view !== 'table' ? toSelection(state) : undefined;
}

/** The groups of the chart of totals; undefined if it is not shown. */
export function getTotalsGroups({ kind, view, chart }: ExplorerState): readonly string[] | undefined {
  if (view !== 'chart' || (kind === 'series' && chart.type === 'sites')) return undefined;
  return [getChartTime({ kind, chart }), getChartStack({ kind, chart })].filter((name) => name !== '');
}
