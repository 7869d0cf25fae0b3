// Gives places the colours of the legend, and areas the shades of their sums.

import type { Map as MapLibre } from 'maplibre-gl';
import type { Facets, TotalsAnswer } from '../requests/operations';
import { DECADE_COLOUR, mapCollectionOf, placeColourOf, placeSizeOf } from '../state/map-kinds';
import type { ExplorerState } from '../state/state';
import { areaValuesOf } from './area-values';
import { decadeColours, legendOf, shadeColours, shadesOf, valueColours } from './colouring';
import { COUNTS, DATA, LOWEST, sizedCircles } from './data-layers';

/** How places are drawn; plain data, so that what has not changed can be left as it is. */
export interface PlacePaint {
  readonly colour: ReturnType<typeof valueColours>;
  readonly circles: ReturnType<typeof sizedCircles>;
  readonly hasNumbers: boolean;
}

/** Undefined for a kind that has areas. */
export function placePaint(state: ExplorerState, facets: Facets | undefined): PlacePaint | undefined {
  const colour = placeColourOf(state);
  if (colour === undefined) return undefined;
  const values = facets?.Facets.find(({ Name }) => Name === colour.filter)?.Values ?? [];
  const legend = legendOf(values, (value) => value);
  const size = placeSizeOf(state);
  return {
    colour: colour.filter === DECADE_COLOUR ? decadeColours() : valueColours(colour.member, legend),
    circles: sizedCircles(size?.member),
    hasNumbers: size === undefined,
  };
}

export function paintPlaces(map: MapLibre, { colour, circles, hasNumbers }: PlacePaint): void {
  map.setPaintProperty(LOWEST, 'circle-color', colour);
  map.setPaintProperty(LOWEST, 'circle-radius', circles['circle-radius']);
  map.setPaintProperty(LOWEST, 'circle-opacity', circles['circle-opacity']);
  map.setLayoutProperty(COUNTS, 'visibility', hasNumbers ? 'visible' : 'none');
}

/** Areas without a sum have no state, and stay clear. */
export function paintAreas(map: MapLibre, { series, year }: AreaChoice, totals: TotalsAnswer): void {
  const { values } = areaValuesOf(totals, series, year);
  const sourceLayer = mapCollectionOf('aggregates').collection;
  map.removeFeatureState({ source: DATA, sourceLayer });
  for (const [id, value] of values) map.setFeatureState({ source: DATA, sourceLayer, id }, { value });
  map.setPaintProperty(LOWEST, 'fill-color', shadeColours(shadesOf([...values.values()], String)));
}

export interface AreaChoice {
  readonly series: string;
  readonly year: string;
}
