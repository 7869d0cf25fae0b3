// Changes of the state. Each function returns a new state.

import { findFilterName, INITIAL_STATE } from './address';
import { fold } from './fold';
import { type Kind, PLACE_FILTERS } from './kinds';
import type { Camera, ExplorerState, Filters, Selection } from './state';

/**
 * Sets the values of one filter; no values removes it. Closes the open record or place. A filter by location also resets
 * the camera, so that the map fits its places.
 */
export function withFilter(state: ExplorerState, name: string, values: readonly string[]): ExplorerState {
  const others = Object.fromEntries(Object.entries(state.filters).filter(([one]) => one !== name));
  const unique = [...new Set(values)].filter((value) => value !== '');
  const filters = unique.length === 0 ? others : { ...others, [name]: unique };
  const isPlaceChosen = unique.length > 0 && PLACE_FILTERS.has(name);
  const map = isPlaceChosen ? { ...state.map, camera: undefined } : state.map;
  return { ...state, filters, map, record: undefined, place: undefined };
}

/** Adds a value to a filter, or removes it, regardless of spelling. */
export function withToggledValue(state: ExplorerState, name: string, value: string): ExplorerState {
  const values = state.filters[name] ?? [];
  const others = values.filter((one) => fold(one) !== fold(value));
  return withFilter(state, name, others.length < values.length ? others : [...values, value]);
}

/**
 * Shows the changes since a version. `kinds` are the kinds of records that were published after it: switches to the
 * first of them if the current kind is not among them. The panel stays open.
 */
export function withChangesSince(state: ExplorerState, version: string, kinds: readonly Kind[]): ExplorerState {
  const kind = kinds.includes(state.kind) ? state.kind : (kinds[0] ?? state.kind);
  return withFilter({ ...withKind(state, kind), panel: state.panel }, 'ChangedSince', [version]);
}

/** Shows the map at this camera. */
export function withMapAt(state: ExplorerState, camera: Camera): ExplorerState {
  return { ...state, view: 'map', map: { ...state.map, camera } };
}

export function withoutFilters(state: ExplorerState): ExplorerState {
  return { ...state, filters: {}, record: undefined, place: undefined };
}

/** Replaces kind and filters, and lets the map fit them. */
export function withFilters(state: ExplorerState, { kind, filters }: Selection): ExplorerState {
  return withMoreFilters(withoutFilters(withKind(state, kind)), filters);
}

/** Adds the filters that the kind supports. The boundary filter has a different name in each kind. */
export function withMoreFilters(state: ExplorerState, filters: Filters): ExplorerState {
  return Object.entries(filters).reduce((previous, [name, values]) => {
    const known = findFilterName(state.kind, name);
    return known === undefined ? previous : withFilter(previous, known, values);
  }, state);
}

/** Switches to another kind. Keeps the camera and the filters that the other kind also has. */
export function withKind(state: ExplorerState, kind: Kind): ExplorerState {
  if (kind === state.kind) return state;
  const kept = Object.entries(state.filters).flatMap(([name, values]) => {
    const known = findFilterName(kind, name);
    return known === undefined ? [] : [[known, values] as const];
  });
  const { camera } = state.map;
  const { view } = state;
  return { ...INITIAL_STATE, kind, view, filters: Object.fromEntries(kept), map: { ...INITIAL_STATE.map, camera } };
}
