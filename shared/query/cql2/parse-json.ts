// Parses CQL2 JSON. Problems state the path of the faulty value.

import { type CoordinateSystem, CRS84 } from '../../values/coordinate-systems';
import { catchTextProblem, failure, type Result, TextProblem } from '../../values/result';
import {
  COMPARISON_OPERATORS,
  describeUnknownFunction,
  type Expression,
  MAX_NESTING,
  type Operand,
  type SpatialOperand,
  TOO_DEEP,
} from './expression';
import { readBoxLiteral, readGeometryText } from './geometry-literals';

/** Returns geometries in degrees. Boxes stay as written, in the coordinate system of the filter. */
export function parseCqlJson(text: string, system: CoordinateSystem = CRS84): Result<Expression> {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    return failure('is not JSON');
  }
  return catchTextProblem(() => readExpression(json, { path: 'the filter', depth: 0, system }));
}

/** The position of a value in the JSON. */
interface Position {
  readonly path: string;
  readonly depth: number;
  readonly system: CoordinateSystem;
}

/** Number of arguments by operator. `and` and `or` are not listed, because they take two or more. */
const ARGUMENT_COUNTS: ReadonlyMap<string, number> = new Map([
  ['not', 1],
  ['isNull', 1],
  ...COMPARISON_OPERATORS.map((op) => [op, 2] as const),
  ['like', 2],
  ['in', 2],
  ['s_intersects', 2],
  ['between', 3],
]);

function readExpression(json: unknown, position: Position): Expression {
  const { path, depth, system } = position;
  if (depth > MAX_NESTING) throw new TextProblem(TOO_DEEP);
  if (typeof json === 'boolean') return json;
  const { op, args } = readObject(json, path);
  if (typeof op !== 'string') throw new TextProblem(`${path}: expected the member op`);
  if (!isList(args)) throw new TextProblem(`${path}: expected the member args, a list`);
  const count = ARGUMENT_COUNTS.get(op) ?? args.length;
  if (args.length !== count) throw new TextProblem(`${path}: ${op} takes ${count} args`);
  const argumentPath = (index: number): string => `${path}.args[${index}]`;
  const operand = (index: number): Operand => readOperand(args[index], argumentPath(index), depth);
  const spatial = (index: number): SpatialOperand => readSpatial(args[index], argumentPath(index), system);
  const inner = (index: number): Expression =>
    readExpression(args[index], { path: argumentPath(index), depth: depth + 1, system });
  switch (op) {
    case 'and':
    case 'or':
      if (args.length < 2) throw new TextProblem(`${path}: ${op} needs at least two args`);
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
      return { op, args: [operand(0), readOperands(args[1], argumentPath(1), depth)] };
    case 's_intersects':
      return { op, args: [spatial(0), spatial(1)] };
    default:
      throw new TextProblem(`${path}: ${describeUnknownFunction(op)}`);
  }
}

function readOperands(json: unknown, path: string, depth: number): readonly Operand[] {
  if (!isList(json)) throw new TextProblem(`${path}: expected a list of values`);
  return json.map((item, index) => readOperand(item, `${path}[${index}]`, depth));
}

function readOperand(json: unknown, path: string, depth: number): Operand {
  if (depth > MAX_NESTING) throw new TextProblem(TOO_DEEP);
  if (typeof json === 'string' || typeof json === 'boolean') return json;
  // Adding zero turns negative zero into zero, as in CQL2 text.
  if (typeof json === 'number') return json + 0;
  const { property, date, timestamp, op, args } = readObject(json, path);
  if (typeof property === 'string') return { property };
  if (typeof date === 'string') return { date };
  if (typeof timestamp === 'string') return { timestamp };
  if (op === 'casei' && isList(args) && args.length === 1) {
    return { op, args: [readOperand(args[0], `${path}.args[0]`, depth + 1)] };
  }
  if (op === '-' && isList(args) && args.length === 1) {
    const operand = readOperand(args[0], `${path}.args[0]`, depth + 1);
    if (typeof operand !== 'number') throw new TextProblem(`${path}: expected a number after the sign`);
    return 0 - operand;
  }
  if (typeof op === 'string') throw new TextProblem(`${path}: ${describeUnknownFunction(op)}`);
  throw new TextProblem(`${path}: expected a property, a string, a number, a boolean, a date or a timestamp`);
}

function readSpatial(json: unknown, path: string, system: CoordinateSystem): SpatialOperand {
  const object = readObject(json, path);
  const { property, type, bbox } = object;
  if (typeof property === 'string') return { property };
  const operand =
    type === undefined && isList(bbox) ? readBoxLiteral(bbox) : readGeometryText(JSON.stringify(object), system);
  if (!operand.ok) throw new TextProblem(`${path}: ${operand.problem}`);
  return operand.value;
}

function readObject(json: unknown, path: string): Readonly<Record<string, unknown>> {
  if (typeof json !== 'object' || json === null || isList(json)) throw new TextProblem(`${path}: expected an object`);
  return json as Readonly<Record<string, unknown>>; // Checked above.
}

function isList(json: unknown): json is readonly unknown[] {
  return Array.isArray(json);
}
