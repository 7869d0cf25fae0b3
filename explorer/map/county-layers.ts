// Counties on the map: their borders and names at a near zoom, from the files of the states in view.

import type { Feature } from 'geojson';
import type * as Maplibre from 'maplibre-gl';
import type { CountyOutlines } from '../requests/county-outlines';
import { getStateAbbreviation } from '../state/state-names';
import { type Atlas, buildCountyFeatures, COUNTY_ZOOM, readStateOutlines } from './base-map';
import { setFeatures } from './create-map';

/** Follows the view until the map is removed. */
export function showCountiesInView(map: Maplibre.Map, states: Promise<Atlas>, outlines: CountyOutlines): void {
  const shownStates = new Set<string>();
  const features: Feature[] = [];
  const show = async (): Promise<void> => {
    if (map.getZoom() < COUNTY_ZOOM) return;
    const missing = listStatesInView(map, await states).filter((state) => !shownStates.has(state));
    if (missing.length === 0) return;
    for (const state of missing) shownStates.add(state);
    const counties = await Promise.all(missing.map((state) => outlines.listCounties(state)));
    features.push(...buildCountyFeatures(counties.flat()));
    setFeatures(map, 'counties', features);
  };
  const follow = (): void => void show();
  map.on('moveend', follow);
  follow();
}

/** By the boxes of the states. */
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
