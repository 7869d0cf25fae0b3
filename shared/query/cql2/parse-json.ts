// Reads CQL2 JSON into the tree that its text would give. A problem says where in the JSON it is.
//
// The tree is a CQL2 expression (OGC 21-065) as its JSON encoding has it: the text and the JSON of one filter give the
// same. It has what the classes basic-cql2, advanced-comparison-operators, case-insensitive-comparison and
// basic-spatial-functions have, and geometries beyond those.

import { BOUNDARY_POSITION_LIMIT, readGeometry } from '../../values/boundary';
import { type CoordinateSystem, CRS84 } from '../../values/coordinate-systems';
import { countPositions, type Geometry } from '../../values/geometry';
import { failure, type Result, catchTextProblem, success, TextProblem } from '../../values/result';

export type Expression =
  | boolean
  | { readonly op: 'and' | 'or'; readonly args: readonly Expression[] }
  | { readonly op: 'not'; readonly args: readonly [Expression] }
  | { readonly op: ComparisonOperator | 'like'; readonly args: readonly [Operand, Operand] }
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

/** As `parseCqlText`. */
export function parseCqlJson(text: string, system: CoordinateSystem = CRS84): Result<Expression> {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    return failure('is not JSON');
  }
  return catchTextProblem(() => expressionOf(json, { path: 'the filter', depth: 0, system }));
}

/** Where in the JSON a value stands. */
interface Place {
  readonly path: string;
  readonly depth: number;
  readonly system: CoordinateSystem;
}

/** How many args an operator takes; of `and` and `or` two are the fewest. */
const ARGS: ReadonlyMap<string, number> = new Map([
  ...['not', 'isNull'].map((op) => [op, 1] as const),
  ...[...COMPARISON_OPERATORS, 'like', 'in', 's_intersects'].map((op) => [op, 2] as const),
  ['between', 3],
]);

function expressionOf(json: unknown, place: Place): Expression {
  const { path, depth, system } = place;
  if (depth > MAX_NESTING) throw new TextProblem(TOO_DEEP);
  if (typeof json === 'boolean') return json;
  const { op, args } = objectOf(json, path);
  if (typeof op !== 'string') throw new TextProblem(`${path}: expected a member op`);
  if (!isList(args)) throw new TextProblem(`${path}: expected a list args`);
  const operand = (index: number): Operand => operandOf(args[index], `${path}.args[${index}]`, depth);
  const inner = (index: number): Expression =>
    expressionOf(args[index], { path: `${path}.args[${index}]`, depth: depth + 1, system });
  const count = ARGS.get(op) ?? args.length;
  if (args.length !== count) throw new TextProblem(`${path}: ${op} takes ${count} args`);
  switch (op) {
    case 'and':
    case 'or':
      if (args.length < 2) throw new TextProblem(`${path}: ${op} takes two args or more`);
      return { op, args: args.map((_, index) => inner(index)) };
    case 'not':
      return { op, args: [inner(0)] };
    case '=':
    case '<>':
    case '<':
    case '>':
    case '<=':
    case '>=':
    case 'like':
      return { op, args: [operand(0), operand(1)] };
    case 'between':
      return { op, args: [operand(0), operand(1), operand(2)] };
    case 'isNull':
      return { op, args: [operand(0)] };
    case 'in':
      return { op, args: [operand(0), listOf(args[1], `${path}.args[1]`, depth)] };
    case 's_intersects':
      return {
        op,
        args: [spatialOf(args[0], `${path}.args[0]`, system), spatialOf(args[1], `${path}.args[1]`, system)],
      };
    default:
      throw new TextProblem(`${path}: ${unknownFunction(op)}`);
  }
}

function listOf(json: unknown, path: string, depth: number): readonly Operand[] {
  if (!isList(json)) throw new TextProblem(`${path}: expected a list of values`);
  return json.map((item, index) => operandOf(item, `${path}[${index}]`, depth));
}

function operandOf(json: unknown, path: string, depth: number): Operand {
  if (depth > MAX_NESTING) throw new TextProblem(TOO_DEEP);
  if (typeof json === 'string' || typeof json === 'boolean') return json;
  if (typeof json === 'number') return json + 0;
  const { property, date, timestamp, op, args } = objectOf(json, path);
  if (typeof property === 'string') return { property };
  if (typeof date === 'string') return { date };
  if (typeof timestamp === 'string') return { timestamp };
  if (op === 'casei' && isList(args) && args.length === 1) {
    return { op, args: [operandOf(args[0], `${path}.args[0]`, depth + 1)] };
  }
  if (typeof op === 'string') throw new TextProblem(`${path}: ${unknownFunction(op)}`);
  throw new TextProblem(`${path}: expected a property, a text, a number, a boolean, a date or a timestamp`);
}

function spatialOf(json: unknown, path: string, system: CoordinateSystem): SpatialOperand {
  const object = objectOf(json, path);
  if (typeof object['property'] === 'string') return { property: object['property'] };
  const { bbox } = object;
  const read =
    object['type'] === undefined && isList(bbox)
      ? readBoxLiteral(bbox)
      : readGeometryText(JSON.stringify(object), system);
  if (!read.ok) throw new TextProblem(`${path}: ${read.problem}`);
  return read.value;
}

function objectOf(json: unknown, path: string): Readonly<Record<string, unknown>> {
  if (typeof json !== 'object' || json === null || isList(json)) throw new TextProblem(`${path}: expected an object`);
  return json as Readonly<Record<string, unknown>>; // As was just asked.
}

function isList(json: unknown): json is readonly unknown[] {
  return Array.isArray(json);
}
