// Reporting units that are counties without a usable submitted shape. The map draws their built-in outlines, dashed to
// distinguish them from submitted shapes (D78).

import type { Feature } from 'geojson';
import type { LayerSpecification } from 'maplibre-gl';
import type { CountyOutlines } from '../requests/county-outlines';
import type { UnshapedCounty } from '../requests/unshaped-counties';
import type { GroundColors } from './ground-colors';

export const BUILT_IN = 'built-in-areas';

/** This layer is shaded like submitted areas. */
export const BUILT_IN_LAYER = 'built-in-areas';

/** Finds the outline by the county's FIPS code, or by state and name if there is no code. */
export async function fetchBuiltInAreas(
  outlines: CountyOutlines,
  counties: readonly UnshapedCounty[],
): Promise<readonly Feature[]> {
  const areas = await Promise.all(
    counties.map(async ({ id, name, nativeId, state }) => {
      const ofState = await outlines.listCounties(state);
      const byCode = ofState.filter((county) => /^\d{5}$/.test(nativeId) && county.id === nativeId);
      const matches = byCode.length > 0 ? byCode : await outlines.findCounty(state, name);
      return matches.map(({ geometry }): Feature => {
        return { type: 'Feature', geometry, properties: { id, name: `${name} (Census outline)`, count: 1 } };
      });
    }),
  );
  return areas.flat();
}

export function buildBuiltInLayers(ground: GroundColors): LayerSpecification[] {
  return [
    { id: BUILT_IN_LAYER, type: 'fill', source: BUILT_IN, paint: { 'fill-color': 'transparent' } },
    {
      id: 'built-in-edges',
      type: 'line',
      source: BUILT_IN,
      paint: { 'line-color': ground.border, 'line-width': 1, 'line-dasharray': [3, 2] },
    },
  ];
}
