// A boundary cut into cells, each of them inside it, outside it or crossed by its edges. Most places fall into a settled cell and
// cost a few comparisons; in a crossed one only the few edges there are asked. Cells are halved when something first looks into
// them, so that a question about one corner never cuts up the rest.

import { booleanPointInPolygon } from '@turf/boolean-point-in-polygon';
import { boundingBox, countPositions, type Box, type Geometry } from '../../values/geometry';
import { isInRings, isOnPath, segmentMeetsBox, segmentsMeet, sidesBeyond } from './exact-plane';
import { EMPTY_VIEW, shapeOf, viewFrom, type Area, type Shape, type View } from './shape';

export type Standing = 'inside' | 'outside' | 'crossed';

interface Cell {
  readonly box: Box;
  readonly standing: Standing;
  /** What the cell sees of the boundary; empty once its halves see it. */
  view: View;
  halves?: readonly [Cell, Cell];
}

// Testing this many edges costs no more than halving a cell to have fewer.
const FEW_EDGES = 8;
// In degrees: a tenth of a millimetre. Smaller cells settle nothing more.
const SMALLEST_SIDE = 1e-9;
// Edges that cross many cells are copied into each, and a boundary of zigzags would make millions of copies. When these are used
// up, cells are no longer halved: slower, never wrong.
const COPIES_PER_EDGE = 100;
const COPIES_AT_LEAST = 10_000;

/** One boundary's cells. The state that changes is how far it is cut. */
export class BoundaryCells {
  private readonly root: Cell;
  private copiesLeft: number;

  constructor(boundary: Geometry) {
    this.copiesLeft = COPIES_AT_LEAST + COPIES_PER_EDGE * countPositions(boundary);
    this.root = this.cut(boundingBox(boundary), shapeOf(boundary));
  }

  containsPoint(x: number, y: number): boolean {
    if (Number.isNaN(x) || Number.isNaN(y) || sidesBeyond(this.root.box, x, y) !== 0) return false;
    let cell = this.root;
    while (cell.standing === 'crossed') {
      const halves = this.halve(cell);
      if (halves === undefined) return isInView(cell.view, x, y);
      cell = sidesBeyond(halves[0].box, x, y) === 0 ? halves[0] : halves[1];
    }
    return cell.standing === 'inside';
  }

  /** Whether a segment has a point in common with an edge of the boundary. One that lies inside, off the edges, has none. */
  meetsEdge(ax: number, ay: number, bx: number, by: number): boolean {
    return this.meetsEdgeIn(this.root, ax, ay, bx, by);
  }

  /** `inside`: every point of the box is in the boundary. `outside`: none is. `crossed`: neither, or not known cheaply. */
  standingOf(box: Box): Standing {
    const standing = this.standingIn(this.root, box);
    return standing === 'outside' || isWithin(box, this.root.box) ? standing : 'crossed';
  }

  private standingIn(cell: Cell, box: Box): Standing {
    if (!doMeet(box, cell.box)) return 'outside';
    if (cell.standing !== 'crossed' || isWithin(cell.box, box)) return cell.standing;
    const halves = this.halve(cell);
    if (halves === undefined) return standingInView(cell.view, overlap(box, cell.box));
    const [lower, upper] = halves;
    if (!doMeet(box, upper.box)) return this.standingIn(lower, box);
    if (!doMeet(box, lower.box)) return this.standingIn(upper, box);
    const standing = this.standingIn(lower, box);
    return standing === 'crossed' || this.standingIn(upper, box) === standing ? standing : 'crossed';
  }

  private meetsEdgeIn(cell: Cell, ax: number, ay: number, bx: number, by: number): boolean {
    if (cell.standing !== 'crossed' || !segmentMeetsBox(cell.box, ax, ay, bx, by)) return false;
    const halves = this.halve(cell);
    if (halves !== undefined) {
      return this.meetsEdgeIn(halves[0], ax, ay, bx, by) || this.meetsEdgeIn(halves[1], ax, ay, bx, by);
    }
    const { edges } = cell.view;
    for (let at = 0; at < edges.length; at += 4) {
      const cx = edges[at] ?? NaN;
      const cy = edges[at + 1] ?? NaN;
      if (segmentsMeet(ax, ay, bx, by, cx, cy, edges[at + 2] ?? NaN, edges[at + 3] ?? NaN)) return true;
    }
    return false;
  }

  private halve(cell: Cell): readonly [Cell, Cell] | undefined {
    if (cell.halves !== undefined) return cell.halves;
    const { box, view } = cell;
    if (view.edges.length <= 4 * FEW_EDGES || this.copiesLeft <= 0) return undefined;
    const [west, south, east, north] = box;
    const isAcross = cutsFewerAcross(box, view.edges);
    if ((isAcross ? east - west : north - south) < 2 * SMALLEST_SIDE) return undefined;
    const middle = isAcross ? (west + east) / 2 : (south + north) / 2;
    const lower: Box = isAcross ? [west, south, middle, north] : [west, south, east, middle];
    const upper: Box = isAcross ? [middle, south, east, north] : [west, middle, east, north];
    cell.halves = [this.cut(lower, view), this.cut(upper, view)];
    cell.view = EMPTY_VIEW;
    return cell.halves;
  }

  private cut(box: Box, shape: Shape): Cell {
    const view = viewFrom(box, shape);
    this.copiesLeft -= view.edges.length / 4;
    if (isTooThinToSettle(box)) {
      const areas = [...view.areas, ...view.settledAreas];
      return { box, standing: 'crossed', view: { ...view, areas, settledAreas: [] } };
    }
    if (view.settledAreas.some((area) => containsCentre(area, box))) {
      return { box, standing: 'inside', view: EMPTY_VIEW };
    }
    return { box, standing: view.edges.length > 0 ? 'crossed' : 'outside', view };
  }
}

/** Whether fewer edges are likely to be cut by halving from west to east than from south to north: those that are cut stand in both halves. */
function cutsFewerAcross(box: Box, edges: Float64Array): boolean {
  const width = box[2] - box[0];
  const height = box[3] - box[1];
  // Sides too short to halve decide for the other one.
  if (width < 2 * SMALLEST_SIDE || height < 2 * SMALLEST_SIDE) return width > height;
  let cutsAcross = 0;
  let cutsUp = 0;
  for (let at = 0; at < edges.length; at += 4) {
    cutsAcross += Math.min(1, Math.abs((edges[at] ?? NaN) - (edges[at + 2] ?? NaN)) / width);
    cutsUp += Math.min(1, Math.abs((edges[at + 1] ?? NaN) - (edges[at + 3] ?? NaN)) / height);
  }
  return cutsAcross < cutsUp || (cutsAcross === cutsUp && width > height);
}

/**
 * No edge of the area is in the box, so its centre tells of all of it, and lies half a side from any edge: turf rounds some 1e-13
 * degrees at most, too little to matter in a cell. It is not asked where edges are nearer.
 */
function containsCentre(area: Area, box: Box): boolean {
  const rings = area.map((ring) => {
    const positions: [number, number][] = [];
    for (let at = 0; at < ring.length; at += 2) positions.push([ring[at] ?? NaN, ring[at + 1] ?? NaN]);
    return positions;
  });
  const centre = [(box[0] + box[2]) / 2, (box[1] + box[3]) / 2];
  return booleanPointInPolygon(centre, { type: 'Polygon', coordinates: rings });
}

function isTooThinToSettle(box: Box): boolean {
  return Math.min(box[2] - box[0], box[3] - box[1]) < SMALLEST_SIDE;
}

/** A corner tells of all of a box that holds no edge; the box may be as small as a point and as near an edge, so it is tested exactly. */
function standingInView(view: View, box: Box): Standing {
  const { settledAreas, edges } = viewFrom(box, view);
  if (settledAreas.some((area) => isInRings(area, box[0], box[1]))) return 'inside';
  return edges.length > 0 ? 'crossed' : 'outside';
}

function isInView(view: View, x: number, y: number): boolean {
  return view.areas.some((area) => isInRings(area, x, y)) || view.paths.some((path) => isOnPath(path, x, y));
}

function doMeet(box: Box, other: Box): boolean {
  return box[0] <= other[2] && box[2] >= other[0] && box[1] <= other[3] && box[3] >= other[1];
}

function isWithin(box: Box, outer: Box): boolean {
  return box[0] >= outer[0] && box[2] <= outer[2] && box[1] >= outer[1] && box[3] <= outer[3];
}

function overlap(box: Box, other: Box): Box {
  return [
    Math.max(box[0], other[0]),
    Math.max(box[1], other[1]),
    Math.min(box[2], other[2]),
    Math.min(box[3], other[3]),
  ];
}
