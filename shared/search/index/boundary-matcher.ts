// Whether a place matches a boundary (D15): their planar intersection is not empty, touching included. Two geometries
// meet when a path of one begins in the other or their edges meet; when no edges meet, one position of each path decides
// for the whole path. flatbush finds the candidate edges, and exact predicates decide (ADR 0006).

import booleanPointInPolygon from '@turf/boolean-point-in-polygon';
import Flatbush from 'flatbush';
import type { Position } from 'geojson';
import { type Box, type Geometry, toParts } from '../../values/geometry';
import { findFirst } from '../../values/number-arrays';
import {
  boundPoints,
  buildEdgeList,
  type EdgeList,
  edgeMeetsBox,
  findSidesBeyond,
  segmentMeetsEdge,
  testPoints,
} from './boundary-edges';

/** `inside`: every point of the box is in the boundary. `outside`: no point is. `crossed`: an edge meets the box. */
export type BoxClass = 'inside' | 'outside' | 'crossed';

/** Use one matcher for all places of a query: indexing 5,000 positions takes a few milliseconds. */
export class BoundaryMatcher {
  private readonly edges: EdgeList;
  /** Indexes the box of each edge. */
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

  /** Degrees. NaN never matches. */
  matchesPoint(longitude: number, latitude: number): boolean {
    return this.matchesPoints(Float64Array.of(longitude, latitude))[0] === 1;
  }

  /**
   * Returns a byte per point: 1 for a match. `points` alternates longitude and latitude, best with neighbors together.
   */
  matchesPoints(points: Float64Array): Uint8Array {
    const [west, south, , north] = boundPoints(points);
    // A ray from a point to the east can cross only these.
    const edges = Uint32Array.from(this.tree.search(west, south, Infinity, north)).sort();
    return testPoints(this.edges, edges, points);
  }

  classifyBox(box: Box): BoxClass {
    const { ends } = this.edges;
    if (this.tree.collides(...box, (edge) => edgeMeetsBox(ends, edge, box))) return 'crossed';
    // No edge meets the box, so one corner decides for all of it.
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
      .some((path) => path.slice(1).some((to, index) => this.meetsSegment(path[index] ?? [], to)));
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
  for (let offset = 0; offset < 4 * count; offset += 4) {
    const [ax = NaN, ay = NaN, bx = NaN, by = NaN] = ends.subarray(offset, offset + 4);
    tree.add(Math.min(ax, bx), Math.min(ay, by), Math.max(ax, bx), Math.max(ay, by));
  }
  tree.finish();
  return tree;
}

/** Lists the first position of each path; every point of a MultiPoint is a path. */
function listFirstPositions(geometry: Geometry): readonly Position[] {
  if (geometry.type === 'MultiPoint') return geometry.coordinates;
  return toParts(geometry).flatMap((part) => part.flatMap((path) => path.slice(0, 1)));
}

/** Degrees. Much larger than the rounding error of a point on an edge (about 1e-13). */
const ROUNDING_MARGIN = 1e-9;

/** Whether the geometry is a polygon that contains one of the positions. */
function containsAny(geometry: Geometry, positions: readonly Position[]): boolean {
  const [position, ...others] = positions;
  if (position === undefined || (geometry.type !== 'Polygon' && geometry.type !== 'MultiPolygon')) return false;
  const edges = buildEdgeList(geometry);
  // turf is reliable for a position that is not close to an edge (ADR 0006), but reads the whole polygon for each
  // position.
  if (others.length === 0 && !isNearEdge(edges, position)) return booleanPointInPolygon(position, geometry);
  const all = Uint32Array.from({ length: edges.count }, (_, edge) => edge);
  return testPoints(edges, all, Float64Array.from(positions.flat())).includes(1);
}

function isNearEdge({ count, ends }: EdgeList, [x = NaN, y = NaN]: Position): boolean {
  const box: Box = [x - ROUNDING_MARGIN, y - ROUNDING_MARGIN, x + ROUNDING_MARGIN, y + ROUNDING_MARGIN];
  for (let edge = 0; edge < count; edge++) {
    if (edgeMeetsBox(ends, edge, box)) return true;
  }
  return false;
}

/** Finds the positions in the box; `positions` are in order of longitude. */
function findPositionsIn(positions: readonly Position[], box: Box): readonly Position[] {
  const first = findFirst(0, positions.length, (index) => (positions[index]?.[0] ?? NaN) >= box[0]);
  const inBox: Position[] = [];
  for (let index = first; index < positions.length; index++) {
    const position = positions[index] ?? [];
    if ((position[0] ?? NaN) > box[2]) break;
    if (findSidesBeyond(box, position[0] ?? NaN, position[1] ?? NaN) === 0) inBox.push(position);
  }
  return inBox;
}
