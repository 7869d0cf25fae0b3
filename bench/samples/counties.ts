// Counties as they are: names, codes and outlines of the Census Bureau (us-atlas, public domain). What samples say to
// happen in them is invented.

import { readFileSync } from 'node:fs';
import contains from '@turf/boolean-point-in-polygon';
import type { MultiPolygon, Polygon } from 'geojson';
import { feature } from 'topojson-client';
import type { GeometryCollection, Topology } from 'topojson-specification';
import { roundedRing, type Position } from '../generate/polygons';

export interface County {
  /** The code of the state and of the county: 35001. */
  readonly code: string;
  readonly name: string;
  readonly outline: Polygon | MultiPolygon;
}

type CountiesTopology = Topology<{ readonly counties: GeometryCollection<{ readonly name: string }> }>;

/** In the order of their codes. `state` is the code of the state: 35. */
export function countiesOf(state: string): readonly County[] {
  const text = readFileSync(require.resolve('us-atlas/counties-10m.json'), 'utf8');
  const topology = JSON.parse(text) as CountiesTopology; // The file's documented form.
  return feature(topology, topology.objects.counties)
    .features.flatMap(({ id, properties, geometry }): County[] => {
      const isArea = geometry.type === 'Polygon' || geometry.type === 'MultiPolygon';
      return isArea && String(id).startsWith(state)
        ? [{ code: String(id), name: properties.name, outline: geometry }]
        : [];
    })
    .sort((a, b) => Number(a.code) - Number(b.code));
}

/** The county that a position is in; undefined outside of the state. */
export function countyAt(counties: readonly County[], position: Position): County | undefined {
  return counties.find(({ outline }) => contains([...position], outline));
}

/** As WKT, with the decimals that the outline has anyway. */
export function outlineText({ outline }: County): string {
  const polygons = outline.type === 'Polygon' ? [outline.coordinates] : outline.coordinates;
  const texts = polygons.map((rings) => `(${rings.map(roundedRing).join(', ')})`);
  return outline.type === 'Polygon' ? `POLYGON ${texts.join('')}` : `MULTIPOLYGON (${texts.join(', ')})`;
}
