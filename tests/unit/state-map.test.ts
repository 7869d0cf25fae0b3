// The picture of the state on the page of a feature: outlines from a TopoJSON file, and where the feature lies in them.

import { outlinesInTopology, stateMap } from '../../shared/http/pages/maps';
import type { Html } from '../../shared/http/pages/page';

/** Two squares of a degree side by side; both have the line between them. */
const states = outlinesInTopology({
  type: 'Topology',
  transform: { scale: [0.5, 0.5], translate: [-110, 40] },
  arcs: [
    [
      [2, 0],
      [0, 2],
    ],
    [
      [2, 2],
      [-2, 0],
      [0, -2],
      [2, 0],
    ],
    [
      [2, 0],
      [2, 0],
      [0, 2],
      [-2, 0],
    ],
  ],
  objects: {
    states: {
      type: 'GeometryCollection',
      geometries: [
        { properties: { name: 'West' }, type: 'Polygon', arcs: [[0, 1]] },
        { properties: { name: 'East' }, type: 'MultiPolygon', arcs: [[[2, -1]]] },
      ],
    },
  },
});

function textOf(picture: Html | ''): string {
  return picture === '' ? '' : picture.text;
}

test('a point is shown within the outline of its state, and without one there is no picture', () => {
  const picture = textOf(stateMap({ type: 'Point', coordinates: [-108.5, 40.5] }, states));
  expect(picture).toContain('Where it lies in East');
  // The middle of the picture.
  expect(picture).toContain('<circle cx="80" cy="80"');
  expect(picture).toMatch(/class="ground" d="M[^"]*z"/);
  expect(stateMap({ type: 'Point', coordinates: [0, 0] }, states)).toBe('');
});
