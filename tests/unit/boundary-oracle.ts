// The exact oracle of what a boundary matches (D15), slow and plain: every edge against every edge, every position
// against the whole other geometry. On a lattice of small whole numbers its products are exact.

import type { Position } from 'geojson';
import { partsOf, type Geometry } from '../../shared/values/geometry';

type Edge = readonly [Position, Position];

export function oracleMeets(one: Geometry, other: Geometry): boolean {
  return (
    positionsOf(one).some((position) => oracleContains(other, position)) ||
    positionsOf(other).some((position) => oracleContains(one, position)) ||
    edgesOf(one).some((edge) => edgesOf(other).some((otherEdge) => edgesCross(edge, otherEdge)))
  );
}

export function oracleContains(geometry: Geometry, position: Position): boolean {
  if (positionsOf(geometry).some((own) => own[0] === position[0] && own[1] === position[1])) return true;
  if (edgesOf(geometry).some((edge) => isOnEdge(edge, position))) return true;
  if (geometry.type !== 'Polygon' && geometry.type !== 'MultiPolygon') return false;
  return partsOf(geometry).some(
    (rings) => rings.flatMap(pathEdges).filter((edge) => isRightOf(edge, position)).length % 2 === 1,
  );
}

function positionsOf(geometry: Geometry): readonly Position[] {
  return partsOf(geometry).flat(2);
}

function edgesOf(geometry: Geometry): readonly Edge[] {
  return geometry.type === 'Point' || geometry.type === 'MultiPoint' ? [] : partsOf(geometry).flat().flatMap(pathEdges);
}

export function pathEdges(path: readonly Position[]): Edge[] {
  return path.slice(1).map((position, index): Edge => [path[index] ?? [], position]);
}

function turn([ax = 0, ay = 0]: Position, [bx = 0, by = 0]: Position, [cx = 0, cy = 0]: Position): number {
  return Math.sign((bx - ax) * (cy - ay) - (by - ay) * (cx - ax));
}

/** The sign of the turn, in whole numbers: every float is a whole number divided by 2 to the power of 1074. */
export function exactTurn(a: Position, b: Position, c: Position): number {
  const [x, y] = [wholeUnits(c[0]), wholeUnits(c[1])];
  const left = (wholeUnits(a[0]) - x) * (wholeUnits(b[1]) - y);
  const right = (wholeUnits(a[1]) - y) * (wholeUnits(b[0]) - x);
  return left > right ? 1 : left < right ? -1 : 0;
}

/** Scales a float to a whole number; doubling is exact. */
function wholeUnits(value = 0): bigint {
  let doubled = value;
  let doublings = 0;
  while (!Number.isInteger(doubled)) {
    doubled *= 2;
    doublings += 1;
  }
  return BigInt(doubled) << BigInt(1074 - doublings);
}

function isOnEdge([a, b]: Edge, p: Position): boolean {
  if (turn(a, b, p) !== 0) return false;
  return [0, 1].every((axis) => {
    const [from = 0, to = 0, at = 0] = [a[axis], b[axis], p[axis]];
    return Math.min(from, to) <= at && at <= Math.max(from, to);
  });
}

/** Whether two edges cross in their interiors; touching is found by positions on edges. */
function edgesCross([a, b]: Edge, [c, d]: Edge): boolean {
  return turn(a, b, c) * turn(a, b, d) < 0 && turn(c, d, a) * turn(c, d, b) < 0;
}

/** Whether a ray from the position to the east crosses the edge, its lower end included. */
function isRightOf([a, b]: Edge, p: Position): boolean {
  const [low, high] = (a[1] ?? 0) < (b[1] ?? 0) ? [a, b] : [b, a];
  const height = p[1] ?? 0;
  return (low[1] ?? 0) <= height && height < (high[1] ?? 0) && turn(low, high, p) > 0;
}
