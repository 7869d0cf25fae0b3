// What hostile boundaries cost: 5,000 positions each, scribbled, folded, overlapping, against 100,000 points and 10,000 polygons of 50
// positions. Processor time of this process, the building of the boundary's grid included; the median of a few times.

import Flatbush from 'flatbush';
import type { Position } from 'geojson';
import { createBoundaryMatcher } from '../../shared/search/places/boundary-matcher';
import { boundingBox, type Geometry } from '../../shared/values/geometry';
import { SeededRandom } from '../generate/seeded-random';
import { median } from './quantiles';
import type { Table } from './report/table-text';

const POSITIONS = 5_000;
const POINTS = 100_000;
const POLYGONS = 10_000;
const CORNERS = 50;
const TIMES = 5;

/** The part of the world that places and boundaries lie in: 12 by 4 degrees. */
const [WEST, SOUTH, WIDTH, HEIGHT] = [-114, 37, 12, 4];

export function hostileBoundaries(): Table {
  const random = new SeededRandom(1);
  const points = inTreeOrder(Array.from({ length: POINTS }, () => anywhere(random)));
  const small = Array.from({ length: POLYGONS }, () => around(anywhere(random), 0.05, CORNERS, random));
  const large = Array.from({ length: POLYGONS }, () => around(anywhere(random), 1, CORNERS, random));
  return {
    title: 'Hostile boundaries',
    columns: ['Boundary of 5,000 positions', '100,000 points', '10,000 small polygons', '10,000 large polygons'],
    rows: Object.entries(boundaries(random)).map(([name, boundary]) => [
      name,
      milliseconds(() => {
        matchPoints(boundary, points);
      }),
      milliseconds(() => {
        matchPolygons(boundary, small);
      }),
      milliseconds(() => {
        matchPolygons(boundary, large);
      }),
    ]),
    notes: ['Milliseconds of processor time, the median of 5 runs; the grid of the boundary is built in each.'],
  };
}

function boundaries(random: SeededRandom): Readonly<Record<string, Geometry>> {
  const ring = (at: (share: number, index: number) => Position): Geometry => {
    const open = Array.from({ length: POSITIONS - 1 }, (_, index) => at(index / (POSITIONS - 1), index));
    return { type: 'Polygon', coordinates: [[...open, ...open.slice(0, 1)]] };
  };
  const scribble = ring(() => anywhere(random));
  const onEllipse = (turns: number, radius = 0.5): Position => [
    WEST + WIDTH * (0.5 + radius * Math.cos(2 * Math.PI * turns)),
    SOUTH + HEIGHT * (0.5 + radius * Math.sin(2 * Math.PI * turns)),
  ];
  const strokes = POSITIONS / 4;
  return {
    'an ellipse': ring((share) => onEllipse(share)),
    'a ragged ellipse': ring((share) => onEllipse(share, 0.25 + 0.25 * random.next())),
    'a scribble': scribble,
    'a scribbled line': {
      type: 'LineString',
      coordinates: scribble.type === 'Polygon' ? (scribble.coordinates[0] ?? []) : [],
    },
    'all edges through one point': ring((share, index) => onEllipse(share / 2 + (index % 2) / 2)),
    'a zigzag from west to east': ring((share, index) => [WEST + WIDTH * share, SOUTH + HEIGHT * (index % 2)]),
    'a zigzag from south to north': ring((share, index) => [WEST + WIDTH * (index % 2), SOUTH + HEIGHT * share]),
    'positions on a coarse lattice': ring(() => [WEST + random.integer(0, 24) / 2, SOUTH + random.integer(0, 8) / 2]),
    'overlapping triangles': {
      type: 'MultiPolygon',
      coordinates: Array.from({ length: strokes }, () => {
        const [a, b, c] = [anywhere(random), anywhere(random), anywhere(random)];
        return [[a, b, c, a]];
      }),
    },
    points: { type: 'MultiPoint', coordinates: Array.from({ length: POSITIONS }, () => anywhere(random)) },
  };
}

function anywhere(random: SeededRandom): Position {
  return [WEST + WIDTH * random.next(), SOUTH + HEIGHT * random.next()];
}

function around([x = 0, y = 0]: Position, reach: number, positions: number, random: SeededRandom): Geometry {
  const open = Array.from({ length: positions - 1 }, (_, index): Position => {
    const [angle, away] = [(2 * Math.PI * index) / (positions - 1), reach * (0.6 + 0.4 * random.next())];
    return [x + away * Math.cos(angle), y + away * Math.sin(angle)];
  });
  return { type: 'Polygon', coordinates: [[...open, ...open.slice(0, 1)]] };
}

/** As a search of the place index gives them. */
function inTreeOrder(points: readonly Position[]): readonly Position[] {
  const tree = new Flatbush(points.length);
  for (const [x = 0, y = 0] of points) tree.add(x, y, x, y);
  tree.finish();
  return tree.search(WEST, SOUTH, WEST + WIDTH, SOUTH + HEIGHT).flatMap((index) => points.slice(index, index + 1));
}

function matchPoints(boundary: Geometry, points: readonly Position[]): void {
  const { matchesPoint } = createBoundaryMatcher(boundary);
  for (const [x = NaN, y = NaN] of points) matchesPoint(x, y);
}

function matchPolygons(boundary: Geometry, polygons: readonly Geometry[]): void {
  const { settleBox, matchesGeometry } = createBoundaryMatcher(boundary);
  for (const polygon of polygons) {
    const box = boundingBox(polygon);
    if (settleBox(box) === 'unsure') matchesGeometry(polygon, box);
  }
}

function milliseconds(work: () => void): string {
  const times = Array.from({ length: TIMES }, () => {
    const before = process.cpuUsage();
    work();
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1000;
  });
  return median(times).toFixed(0);
}
