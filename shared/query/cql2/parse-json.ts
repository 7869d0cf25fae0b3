// Reads CQL2 JSON into the tree that its text would give. A problem says where in the JSON it is.

import { CRS84, type CoordinateSystem } from '../../values/coordinate-systems';
import { failure, type Result } from '../../values/result';
import {
  COMPARISON_OPERATORS,
  FilterProblem,
  MAX_NESTING,
  TOO_DEEP,
  unknownFunction,
  type Expression,
  type Operand,
  type SpatialOperand,
  readBoxLiteral,
  readFilter,
  readGeometryText,
} from './expression';

/** As `parseCqlText`. */
export function parseCqlJson(text: string, system: CoordinateSystem = CRS84): Result<Expression> {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    return failure('is not JSON');
  }
  return readFilter(() => expressionOf(json, { path: 'the filter', depth: 0, system }));
}

/** Where in the JSON a value stands. */
interface Place {
  readonly path: string;
  readonly depth: number;
  readonly system: CoordinateSystem;
}

function expressionOf(json: unknown, place: Place): Expression {
  const { path, depth, system } = place;
  if (depth > MAX_NESTING) throw new FilterProblem(TOO_DEEP);
  if (typeof json === 'boolean') return json;
  const { op, args } = objectOf(json, path);
  if (typeof op !== 'string') throw new FilterProblem(`${path}: expected a member op`);
  if (!isList(args)) throw new FilterProblem(`${path}: expected a list args`);
  const operand = (index: number): Operand => operandOf(args[index], `${path}.args[${index}]`, depth);
  const inner = (index: number): Expression =>
    expressionOf(args[index], { path: `${path}.args[${index}]`, depth: depth + 1, system });
  const exactly = (count: number): void => {
    if (args.length !== count) throw new FilterProblem(`${path}: ${op} takes ${count} args`);
  };
  const comparison = COMPARISON_OPERATORS.find((symbol) => symbol === op);
  if (comparison !== undefined) {
    exactly(2);
    return { op: comparison, args: [operand(0), operand(1)] };
  }
  switch (op) {
    case 'and':
    case 'or':
      if (args.length < 2) throw new FilterProblem(`${path}: ${op} takes two args or more`);
      return { op, args: args.map((_, index) => inner(index)) };
    case 'not':
      exactly(1);
      return { op, args: [inner(0)] };
    case 'like':
      exactly(2);
      return { op, args: [operand(0), operand(1)] };
    case 'between':
      exactly(3);
      return { op, args: [operand(0), operand(1), operand(2)] };
    case 'isNull':
      exactly(1);
      return { op, args: [operand(0)] };
    case 'in':
      exactly(2);
      return { op, args: [operand(0), listOf(args[1], `${path}.args[1]`, depth)] };
    case 's_intersects':
      exactly(2);
      return {
        op,
        args: [spatialOf(args[0], `${path}.args[0]`, system), spatialOf(args[1], `${path}.args[1]`, system)],
      };
    default:
      throw new FilterProblem(`${path}: ${unknownFunction(op)}`);
  }
}

function listOf(json: unknown, path: string, depth: number): readonly Operand[] {
  if (!isList(json)) throw new FilterProblem(`${path}: expected a list of values`);
  return json.map((item, index) => operandOf(item, `${path}[${index}]`, depth));
}

function operandOf(json: unknown, path: string, depth: number): Operand {
  if (depth > MAX_NESTING) throw new FilterProblem(TOO_DEEP);
  if (typeof json === 'string' || typeof json === 'boolean') return json;
  if (typeof json === 'number') return json + 0;
  const { property, date, timestamp, op, args } = objectOf(json, path);
  if (typeof property === 'string') return { property };
  if (typeof date === 'string') return { date };
  if (typeof timestamp === 'string') return { timestamp };
  if (op === 'casei' && isList(args) && args.length === 1) {
    return { op, args: [operandOf(args[0], `${path}.args[0]`, depth + 1)] };
  }
  if (typeof op === 'string') throw new FilterProblem(`${path}: ${unknownFunction(op)}`);
  throw new FilterProblem(`${path}: expected a property, a text, a number, a boolean, a date or a timestamp`);
}

function spatialOf(json: unknown, path: string, system: CoordinateSystem): SpatialOperand {
  const object = objectOf(json, path);
  if (typeof object['property'] === 'string') return { property: object['property'] };
  const { bbox } = object;
  const read =
    object['type'] === undefined && isList(bbox)
      ? readBoxLiteral(bbox)
      : readGeometryText(JSON.stringify(object), system);
  if (!read.ok) throw new FilterProblem(`${path}: ${read.problem}`);
  return read.value;
}

function objectOf(json: unknown, path: string): Readonly<Record<string, unknown>> {
  if (typeof json !== 'object' || json === null || isList(json)) throw new FilterProblem(`${path}: expected an object`);
  return json as Readonly<Record<string, unknown>>; // As was just asked.
}

function isList(json: unknown): json is readonly unknown[] {
  return Array.isArray(json);
}
