// Parts of the base map that are shown only at near zooms, from the files of the states in view: counties, and detailed
// rivers and lakes.

import type { Feature } from 'geojson';
import type * as Maplibre from 'maplibre-gl';
import type { CountyOutlines } from '../requests/county-outlines';
import { fetchStateWater, type LakeFeature } from '../requests/water-detail';
import { getStateAbbreviation } from '../state/state-names';
import {
  type Atlas,
  buildCountyFeatures,
  buildWaterFeatures,
  COUNTY_ZOOM,
  readStateOutlines,
  WATER_ZOOM,
} from './base-map';
import { setFeatures } from './create-map';

interface NearLayer {
  readonly source: string;
  readonly minZoom: number;
  readonly loadState: (state: string) => Promise<readonly Feature[]>;
}

/** Loads and shows the counties in view until the map is removed. */
export function showCountiesInView(map: Maplibre.Map, states: Promise<Atlas>, outlines: CountyOutlines): void {
  const loadState = async (state: string): Promise<readonly Feature[]> =>
    buildCountyFeatures(await outlines.loadState(state));
  followStatesInView(map, states, { source: 'counties', minZoom: COUNTY_ZOOM, loadState });
}

/**
 * Loads and shows the rivers and lakes in view until the map is removed. `template` is the address of the files with
 * `{state}`.
 */
export function showWaterInView(map: Maplibre.Map, states: Promise<Atlas>, template: string): void {
  // The identifiers of shown lakes: a lake that touches several states is in the file of each.
  const shownLakes = new Set<string>();
  const isNew = ({ geometry, properties }: LakeFeature): boolean => {
    const identity = JSON.stringify([properties.name, geometry.coordinates[0]?.[0]]);
    if (shownLakes.has(identity)) return false;
    shownLakes.add(identity);
    return true;
  };
  const loadState = async (state: string): Promise<readonly Feature[]> => {
    const { rivers, lakes } = await fetchStateWater(template, state);
    return buildWaterFeatures({ rivers, lakes: lakes.filter(isNew) });
  };
  followStatesInView(map, states, { source: 'water', minZoom: WATER_ZOOM, loadState });
}

/** Zooming step by step passes over other states. Only the states in view when the map stops moving are loaded. */
const REST_MS = 500;

function followStatesInView(map: Maplibre.Map, states: Promise<Atlas>, layer: NearLayer): void {
  const shownStates = new Set<string>();
  const features: Feature[] = [];
  const load = async (state: string): Promise<void> => {
    try {
      features.push(...(await layer.loadState(state)));
    } catch {
      // The map is usable without these files. They are requested again after the next movement.
      shownStates.delete(state);
    }
  };
  const show = async (): Promise<void> => {
    if (map.getZoom() < layer.minZoom) return;
    const missing = listStatesInView(map, await states).filter((state) => !shownStates.has(state));
    if (missing.length === 0) return;
    for (const state of missing) shownStates.add(state);
    await Promise.all(missing.map(load));
    setFeatures(map, layer.source, features);
  };
  let timer: ReturnType<typeof setTimeout> | undefined;
  map.on('moveend', () => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      // This function runs again when the movement ends.
      if (!map.isMoving()) void show();
    }, REST_MS);
  });
  void show();
}

/** The states whose bounding boxes touch the view. */
function listStatesInView(map: Maplibre.Map, atlas: Atlas): readonly string[] {
  const bounds = map.getBounds();
  return readStateOutlines(atlas).flatMap(({ name, corners }) => {
    const longitudes = corners.map(([longitude]) => longitude);
    const latitudes = corners.map(([, latitude]) => latitude);
    const isInView =
      longitudes.reduce((a, b) => Math.min(a, b), Infinity) <= bounds.getEast() &&
      longitudes.reduce((a, b) => Math.max(a, b), -Infinity) >= bounds.getWest() &&
      latitudes.reduce((a, b) => Math.min(a, b), Infinity) <= bounds.getNorth() &&
      latitudes.reduce((a, b) => Math.max(a, b), -Infinity) >= bounds.getSouth();
    const state = getStateAbbreviation(name);
    return isInView && state !== undefined ? [state] : [];
  });
}
