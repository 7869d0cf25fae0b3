// Measures the cost of hostile boundaries: 5,000 positions each, scribbled, folded or overlapping, against 100,000
// points (everywhere, on the boundary's edges, and clustered in the middle, where some boundaries have a knot) and
// 10,000 polygons of 50 positions. Figures are the processor time of this process, including indexing the boundary's
// edges, as the median of several runs.

import Flatbush from 'flatbush';
import type { Position } from 'geojson';
import { buildEdgeList } from '../shared/search/index/boundary-edges';
import { BoundaryMatcher } from '../shared/search/index/boundary-matcher';
import { boundingBox, type Geometry } from '../shared/values/geometry';
import { SeededRandom } from './generate/seeded-random';
import { median } from './measure/quantiles';
import type { Table } from './report/table-text';

const POSITIONS = 5_000;
const POINTS = 100_000;
/** The number of neighbors tested at once: the size of a chunk of places. */
const CHUNK_POINTS = 1_024;
const POLYGONS = 10_000;
const CORNERS = 50;
/** The width of the dense cluster in the middle, in degrees. */
const CROWD = 0.1;
const TIMES = 5;

/** The area of places and boundaries: 12 by 4 degrees. */
const WEST = -114;
const SOUTH = 37;
const WIDTH = 12;
const HEIGHT = 4;

export function hostileBoundaries(): Table {
  const random = new SeededRandom(1);
  const everywhere = sortByTree(Array.from({ length: POINTS }, () => drawAnywhere(random)));
  const smallPolygons = Array.from({ length: POLYGONS }, () =>
    drawPolygonAround(drawAnywhere(random), 0.05, CORNERS, random),
  );
  const largePolygons = Array.from({ length: POLYGONS }, () =>
    drawPolygonAround(drawAnywhere(random), 1, CORNERS, random),
  );
  const crowded = sortByTree(Array.from({ length: POINTS }, () => drawInMiddle(random)));
  return {
    title: 'Hostile boundaries',
    columns: [
      'Boundary of 5,000 positions',
      '100,000 points',
      'on its edges',
      'in the middle',
      '10,000 small polygons',
      'large',
    ],
    rows: Object.entries(boundaries(random)).map(([name, boundary]) => [
      name,
      ...[everywhere, sortByTree(drawOnEdges(boundary, random)), crowded].map((points) =>
        measureMilliseconds(() => {
          matchPoints(boundary, points);
        }),
      ),
      ...[smallPolygons, largePolygons].map((polygons) =>
        measureMilliseconds(() => {
          matchPolygons(boundary, polygons);
        }),
      ),
    ]),
    notes: ['Milliseconds of processor time, the median of 5 runs; the edges of the boundary are indexed in each.'],
  };
}

function boundaries(random: SeededRandom): Readonly<Record<string, Geometry>> {
  const ring = (toPosition: (share: number, index: number) => Position): Geometry => {
    const open = Array.from({ length: POSITIONS - 1 }, (_, index) => toPosition(index / (POSITIONS - 1), index));
    return { type: 'Polygon', coordinates: [[...open, ...open.slice(0, 1)]] };
  };
  const scribble = ring(() => drawAnywhere(random));
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
    'edges from two sides to the other two': ring((_, index) => drawOnSides(index % 2, random)),
    'positions on a coarse lattice': ring(() => [WEST + random.integer(0, 24) / 2, SOUTH + random.integer(0, 8) / 2]),
    'overlapping triangles': {
      type: 'MultiPolygon',
      coordinates: Array.from({ length: strokes }, () => {
        const a = drawAnywhere(random);
        const b = drawAnywhere(random);
        const c = drawAnywhere(random);
        return [[a, b, c, a]];
      }),
    },
    'a scribble in the middle, and a few positions far from it': ring((share) =>
      share < 0.998 ? drawInMiddle(random) : drawAnywhere(random),
    ),
    points: { type: 'MultiPoint', coordinates: Array.from({ length: POSITIONS }, () => drawAnywhere(random)) },
  };
}

function drawAnywhere(random: SeededRandom): Position {
  return [WEST + WIDTH * random.next(), SOUTH + HEIGHT * random.next()];
}

function drawInMiddle(random: SeededRandom): Position {
  return [WEST + WIDTH / 2 + CROWD * (random.next() - 0.5), SOUTH + HEIGHT / 2 + CROWD * (random.next() - 0.5)];
}

/** South and west, or north and east. */
function drawOnSides(side: number, random: SeededRandom): Position {
  const [x = 0, y = 0] = drawAnywhere(random);
  return random.chance(0.5) ? [x, SOUTH + HEIGHT * side] : [WEST + WIDTH * side, y];
}

/** Draws points as close to the edges as floating-point numbers allow. */
function drawOnEdges(boundary: Geometry, random: SeededRandom): readonly Position[] {
  const { count, ends } = buildEdgeList(boundary);
  return Array.from({ length: POINTS }, () => {
    const edge = random.integer(0, count - 1);
    const [ax = 0, ay = 0, bx = 0, by = 0] = ends.subarray(4 * edge, 4 * edge + 4);
    const share = random.next();
    return [ax + share * (bx - ax), ay + share * (by - ay)];
  });
}

function drawPolygonAround([x = 0, y = 0]: Position, reach: number, positions: number, random: SeededRandom): Geometry {
  const open = Array.from({ length: positions - 1 }, (_, index): Position => {
    const angle = (2 * Math.PI * index) / (positions - 1);
    const distance = reach * (0.6 + 0.4 * random.next());
    return [x + distance * Math.cos(angle), y + distance * Math.sin(angle)];
  });
  return { type: 'Polygon', coordinates: [[...open, ...open.slice(0, 1)]] };
}

/** The points in the order and form in which a search of the place index yields them: one array of x, y, x, y. */
function sortByTree(points: readonly Position[]): Float64Array {
  const tree = new Flatbush(points.length);
  for (const [x = 0, y = 0] of points) tree.add(x, y, x, y);
  tree.finish();
  return Float64Array.from(tree.search(-180, -90, 180, 90).flatMap((index) => points[index] ?? []));
}

function matchPoints(boundary: Geometry, points: Float64Array): void {
  const matcher = new BoundaryMatcher(boundary);
  for (let start = 0; start < points.length; start += 2 * CHUNK_POINTS) {
    matcher.matchesPoints(points.subarray(start, start + 2 * CHUNK_POINTS));
  }
}

function matchPolygons(boundary: Geometry, polygons: readonly Geometry[]): void {
  const matcher = new BoundaryMatcher(boundary);
  for (const polygon of polygons) {
    const box = boundingBox(polygon);
    if (matcher.classifyBox(box) === 'crossed') matcher.matchesGeometry(polygon, box);
  }
}

function measureMilliseconds(work: () => void): string {
  const times = Array.from({ length: TIMES }, () => {
    const before = process.cpuUsage();
    work();
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1000;
  });
  return median(times).toFixed(0);
}
