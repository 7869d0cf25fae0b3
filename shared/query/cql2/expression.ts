// A CQL2 expression (OGC 21-065) as its JSON encoding has it: the text and the JSON of one filter give the same tree.
// It has what the classes basic-cql2, advanced-comparison-operators, case-insensitive-comparison and
// basic-spatial-functions have, and geometries beyond those.

import { BOUNDARY_POSITION_LIMIT, readGeometry } from '../../values/boundary';
import { type CoordinateSystem, CRS84 } from '../../values/coordinate-systems';
import { countPositions, type Geometry } from '../../values/geometry';
import { failure, type Result, success } from '../../values/result';

export type Expression =
  | boolean
  | { readonly op: 'and' | 'or'; readonly args: readonly Expression[] }
  | { readonly op: 'not'; readonly args: readonly [Expression] }
  | { readonly op: ComparisonOperator; readonly args: readonly [Operand, Operand] }
  | { readonly op: 'like'; readonly args: readonly [Operand, Operand] }
  | { readonly op: 'between'; readonly args: readonly [Operand, Operand, Operand] }
  | { readonly op: 'in'; readonly args: readonly [Operand, readonly Operand[]] }
  | { readonly op: 'isNull'; readonly args: readonly [Operand] }
  | { readonly op: 's_intersects'; readonly args: readonly [SpatialOperand, SpatialOperand] };

export const COMPARISON_OPERATORS = ['=', '<>', '<', '>', '<=', '>='] as const;

export type ComparisonOperator = (typeof COMPARISON_OPERATORS)[number];

export interface PropertyName {
  readonly property: string;
}

/** Dates and times are texts as they were written. */
export type Operand =
  | PropertyName
  | string
  | number
  | boolean
  | { readonly date: string }
  | { readonly timestamp: string }
  | { readonly op: 'casei'; readonly args: readonly [Operand] };

export type SpatialOperand = PropertyName | Geometry | { readonly bbox: readonly number[] };

/** Says what is wrong with a filter; thrown, so that a rule need not hand on the failure of another. */
export class FilterProblem extends Error {}

/** What `read` returns, or the problem that it throws. */
export function readFilter<Value>(read: () => Value): Result<Value> {
  try {
    return success(read());
  } catch (error) {
    if (error instanceof FilterProblem) return failure(error.message);
    throw error;
  }
}

/** Deeper filters are refused while they are read, so that reading one never takes much of the stack. */
export const MAX_NESTING = 50;

export const TOO_DEEP = `is nested deeper than ${MAX_NESTING} levels`;

/** What a refusal says of the name of a function or an operator. */
export function unknownFunction(name: string): string {
  const operators = 'and, or, not, =, <>, <, >, <=, >=, like, between, in, isNull';
  return `${name} is not understood here; functions are S_INTERSECTS, CASEI, DATE, TIMESTAMP and BBOX, operators ${operators}`;
}

// Geometries in filters: WKT in text, GeoJSON in JSON, and boxes, each within the bounds of a boundary (D15).

/** WKT or GeoJSON; the geometry is in degrees, whatever system the text is in. */
export function readGeometryText(text: string, system: CoordinateSystem): Result<Geometry> {
  const read = readGeometry(text, system === CRS84 ? undefined : system.toDegrees);
  if (!read.ok || countPositions(read.value) <= BOUNDARY_POSITION_LIMIT) return read;
  const most = `${BOUNDARY_POSITION_LIMIT} are allowed: simplify it`;
  return failure(`the geometry has ${countPositions(read.value)} positions; ${most}`);
}

/** Four numbers or, with heights, six, in the system of the filter. */
export function readBoxLiteral(items: readonly unknown[]): Result<{ readonly bbox: readonly number[] }> {
  const bbox = items.filter((item) => typeof item === 'number');
  const isBox = bbox.length === items.length && (bbox.length === 4 || bbox.length === 6);
  return isBox ? success({ bbox }) : failure('BBOX takes four numbers, or six with heights');
}
