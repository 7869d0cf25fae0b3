// Does a place match a boundary (D15): is their planar intersection not empty, touching included? Two geometries meet
// when a path of one begins in the other or their edges meet; where no edges meet, one position of each path stands for
// all of it. flatbush finds the edges that may matter, and exact predicates decide (ADR 0006).

import booleanPointInPolygon from '@turf/boolean-point-in-polygon';
import Flatbush from 'flatbush';
import type { Position } from 'geojson';
import { type Box, type Geometry, toParts } from '../../values/geometry';
import { findFirst } from '../../values/numbers';
import {
  boundPoints,
  type EdgeList,
  edgeMeetsBox,
  buildEdgeList,
  testPoints,
  segmentMeetsEdge,
  findSidesBeyond,
} from './boundary-edges';

/** `inside`: every point of the box is in the boundary. `outside`: none is. `crossed`: an edge meets the box. */
export type BoxClass = 'inside' | 'outside' | 'crossed';

/** Keep one for all the places of a query: 5,000 positions take some milliseconds to index. */
export class BoundaryMatcher {
  private readonly edges: EdgeList;
  /** The box of each edge. */
  private readonly tree: Flatbush;
  /** In order of longitude. */
  private readonly firstPositions: readonly Position[];

  constructor(boundary: Geometry) {
    this.edges = buildEdgeList(boundary);
    this.tree = buildEdgeTree(this.edges);
    this.firstPositions = listFirstPositions(boundary).toSorted(([a = NaN], [b = NaN]) => a - b);
  }

  get byteLength(): number {
    return this.edges.ends.byteLength + this.edges.areas.byteLength + this.tree.data.byteLength;
  }

  /** Degrees. A position that is not two numbers never matches. */
  matchesPoint(longitude: number, latitude: number): boolean {
    return this.matchesPoints(Float64Array.of(longitude, latitude))[0] === 1;
  }

  /** One byte a point, 1 for each that matches; `points` has longitude and latitude in turn, best of neighbours. */
  matchesPoints(points: Float64Array): Uint8Array {
    const [west, south, , north] = boundPoints(points);
    // Those that the rays of the points to the east may cross.
    const edges = Uint32Array.from(this.tree.search(west, south, Infinity, north)).sort();
    return testPoints(this.edges, edges, points);
  }

  classifyBox(box: Box): BoxClass {
    const { ends } = this.edges;
    if (this.tree.collides(...box, (edge) => edgeMeetsBox(ends, edge, box))) return 'crossed';
    // No edge meets the box, so that one corner stands for all of it.
    return this.matchesPoint(box[0], box[1]) ? 'inside' : 'outside';
  }

  /** `box` is the bounding box of the geometry. */
  matchesGeometry(geometry: Geometry, box: Box): boolean {
    const boxClass = this.classifyBox(box);
    if (boxClass !== 'crossed') return boxClass === 'inside';
    return (
      this.matchesPoints(Float64Array.from(listFirstPositions(geometry).flat())).includes(1) ||
      this.meetsEdges(geometry) ||
      containsAny(geometry, findPositionsIn(this.firstPositions, box))
    );
  }

  private meetsEdges(geometry: Geometry): boolean {
    if (geometry.type === 'Point' || geometry.type === 'MultiPoint') return false;
    return toParts(geometry)
      .flat()
      .some((path) => path.slice(1).some((to, before) => this.meetsSegment(path[before] ?? [], to)));
  }

  private meetsSegment([ax = NaN, ay = NaN]: Position, [bx = NaN, by = NaN]: Position): boolean {
    const { ends } = this.edges;
    const segment = Float64Array.of(ax, ay, bx, by);
    return this.tree.collides(Math.min(ax, bx), Math.min(ay, by), Math.max(ax, bx), Math.max(ay, by), (edge) =>
      segmentMeetsEdge(segment, ends, edge),
    );
  }
}

function buildEdgeTree({ count, ends }: EdgeList): Flatbush {
  const tree = new Flatbush(count);
  for (let at = 0; at < 4 * count; at += 4) {
    const [ax = NaN, ay = NaN, bx = NaN, by = NaN] = ends.subarray(at, at + 4);
    tree.add(Math.min(ax, bx), Math.min(ay, by), Math.max(ax, bx), Math.max(ay, by));
  }
  tree.finish();
  return tree;
}

/** The first position of each path; every point of a MultiPoint is a path. */
function listFirstPositions(geometry: Geometry): readonly Position[] {
  if (geometry.type === 'MultiPoint') return geometry.coordinates;
  return toParts(geometry).flatMap((part) => part.flatMap((path) => path.slice(0, 1)));
}

/** Degrees, far more than rounding moves a point on an edge (some 1e-13). */
const ROUNDING_MARGIN = 1e-9;

/** Whether a geometry has one of some positions in it. */
function containsAny(geometry: Geometry, positions: readonly Position[]): boolean {
  const [position, ...others] = positions;
  if (position === undefined || (geometry.type !== 'Polygon' && geometry.type !== 'MultiPolygon')) return false;
  const edges = buildEdgeList(geometry);
  // turf is right about a position that is not beside an edge (ADR 0006), and reads the polygon once for each.
  if (others.length === 0 && !isNearEdge(edges, position)) return booleanPointInPolygon(position, geometry);
  const all = Uint32Array.from({ length: edges.count }, (_, edge) => edge);
  return testPoints(edges, all, Float64Array.from(positions.flat())).includes(1);
}

function isNearEdge({ count, ends }: EdgeList, [x = NaN, y = NaN]: Position): boolean {
  const box: Box = [x - ROUNDING_MARGIN, y - ROUNDING_MARGIN, x + ROUNDING_MARGIN, y + ROUNDING_MARGIN];
  for (let edge = 0; edge < count; edge++) if (edgeMeetsBox(ends, edge, box)) return true;
  return false;
}

/** Those of some positions in order of longitude that lie in a box. */
function findPositionsIn(positions: readonly Position[], box: Box): readonly Position[] {
  const first = findFirst(0, positions.length, (at) => (positions[at]?.[0] ?? NaN) >= box[0]);
  const found: Position[] = [];
  for (let at = first; at < positions.length; at++) {
    const position = positions[at] ?? [];
    if ((position[0] ?? NaN) > box[2]) break;
    if (findSidesBeyond(box, position[0] ?? NaN, position[1] ?? NaN) === 0) found.push(position);
  }
  return found;
}
