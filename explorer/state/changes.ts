// Changes of the state. Each function returns a new state.

import { INITIAL_STATE } from './address';
import { fold } from './fold';
import { getKind, type Kind, PLACE_FILTERS } from './kinds';
import { type Camera, type ExplorerState, type Filters, getFilterNames, type Selection } from './state';

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
