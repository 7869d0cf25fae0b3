// Gives places the colours of the legend, and areas the shades of their sums.

import type { ExpressionSpecification, Map as MapLibre } from 'maplibre-gl';
import type { Facets } from '../requests/operations';
import { type TotalsAnswer, areaValuesOf } from '../requests/totals';
import { DECADE_COLOUR, kindOf } from '../state/kinds';
import { placeColourOf, placeSizeOf } from '../state/map-kinds';
import type { ExplorerState } from '../state/state';
import { DECADE_LEGEND, decadeColours, legendOf, shadeColours, shadesOf, valueColours } from './colouring';
import type { Ground, MapLegendEntry, ShadeScale } from './colouring';
import { COUNTS, DATA, LOWEST, sizedCircles } from './data-layers';

/** How places are drawn; plain data, so that what has not changed can be left as it is. */
export interface PlacePaint {
  readonly colour: ReturnType<typeof valueColours>;
  readonly circles: ReturnType<typeof sizedCircles>;
  readonly hasNumbers: boolean;
  /** By which rings show their shares. */
  readonly legend: readonly MapLegendEntry[];
}

/** Undefined for a kind that has areas. */
export function placePaint(state: ExplorerState, facets: Facets | undefined): PlacePaint | undefined {
  const colour = placeColourOf(state);
  if (colour === undefined) return undefined;
  const values = facets?.Facets.find(({ Name }) => Name === colour.filter)?.Values ?? [];
  const legend = legendOf(colour.filter, values, (value) => value);
  const size = placeSizeOf(state);
  const isOfDecades = colour.filter === DECADE_COLOUR;
  return {
    colour: isOfDecades ? decadeColours() : valueColours(colour.member, legend),
    legend: isOfDecades ? DECADE_LEGEND : legend,
    circles: sizedCircles(size?.member),
    hasNumbers: size === undefined,
  };
}

/** Several places stand as a ring of their shares around their number, on paper; where sizes are shown, as a dot. */
export function paintPlaces(map: MapLibre, { colour, circles, hasNumbers }: PlacePaint, { paper }: Ground): void {
  const numbered: ExpressionSpecification = ['case', ['>', ['get', 'count'], 1], paper, colour];
  map.setPaintProperty(LOWEST, 'circle-color', hasNumbers ? numbered : colour);
  map.setPaintProperty(LOWEST, 'circle-radius', circles['circle-radius']);
  map.setPaintProperty(LOWEST, 'circle-opacity', circles['circle-opacity']);
  map.setLayoutProperty(COUNTS, 'visibility', hasNumbers ? 'visible' : 'none');
}

/** Areas without a sum have no state, and stay clear. */
export function paintAreas(map: MapLibre, { series, year, scale }: AreaChoice, totals: TotalsAnswer): void {
  const { values, ofAllYears, unit } = areaValuesOf(totals, series, year);
  const sourceLayer = kindOf('aggregates').places.collection;
  map.removeFeatureState({ source: DATA, sourceLayer });
  for (const [id, value] of values) {
    map.setFeatureState({ source: DATA, sourceLayer, id }, { value, unit });
  }
  map.setPaintProperty(LOWEST, 'fill-color', shadeColours(shadesOf(ofAllYears, scale, String)));
}

export interface AreaChoice {
  readonly series: string;
  readonly year: string;
  readonly scale: ShadeScale;
}
