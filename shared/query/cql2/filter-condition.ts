// From a CQL2 expression to the condition that it means, over the queryables of a collection. Letter case counts (D53).

import { readBoundary } from '../../values/boundary';
import type { CoordinateSystem } from '../../values/coordinate-systems';
import { readQueryDate } from '../../values/dates';
import { catchTextProblem, failure, type Result, success, TextProblem } from '../../values/result';
import {
  type Boundary,
  type Condition,
  countComparisons,
  MAX_COMPARISONS,
  MAX_DEPTH,
  measureDepth,
  nextAbove,
  nextBelow,
  type TextMember,
  type TextTest,
  toBoundary,
} from '../condition';
import type { Queryable } from '../parameter';
import {
  type ComparisonOperator,
  type Expression,
  type Operand,
  type PropertyName,
  type SpatialOperand,
} from './parse-json';

interface FilterContext {
  readonly queryables: readonly Queryable[];
  /** What boxes of the filter are in. */
  readonly system: CoordinateSystem;
}

export function toCondition(expression: Expression, context: FilterContext): Result<Condition> {
  return catchTextProblem(() => {
    const condition = meaningOf(expression, context);
    const comparisons = countComparisons(condition);
    if (comparisons > MAX_COMPARISONS) {
      const most = `${MAX_COMPARISONS} are allowed`;
      throw new TextProblem(`has ${comparisons} comparisons, values of lists among them; ${most}`);
    }
    const depth = measureDepth(condition);
    if (depth > MAX_DEPTH) throw new TextProblem(`is nested ${depth} levels deep; ${MAX_DEPTH} are allowed`);
    return condition;
  });
}

function meaningOf(expression: Expression, context: FilterContext): Condition {
  if (typeof expression === 'boolean') return { kind: expression ? 'all' : 'any', operands: [] };
  switch (expression.op) {
    case 'and':
      return { kind: 'all', operands: expression.args.map((one) => meaningOf(one, context)) };
    case 'or':
      return { kind: 'any', operands: expression.args.map((one) => meaningOf(one, context)) };
    case 'not':
      return { kind: 'not', operand: meaningOf(expression.args[0], context) };
    case 'isNull':
      return { kind: 'missing', member: subjectOf(expression.args[0], context).queryable.member };
    case 'between': {
      const [operand, low, high] = expression.args;
      const subject = subjectOf(operand, context);
      return betweenEnds(comparedWith(subject, '>=', low), comparedWith(subject, '<=', high));
    }
    case 'in': {
      const [operand, items] = expression.args;
      const subject = subjectOf(operand, context);
      return { kind: 'any', operands: items.map((item) => comparedWith(subject, '=', item)) };
    }
    case 'like': {
      const [operand, pattern] = expression.args;
      return patternTest(subjectOf(operand, context), pattern);
    }
    case 's_intersects':
      return intersects(expression.args, context);
    case '=':
    case '<>':
    case '<':
    case '>':
    case '<=':
    case '>=':
      return comparison(expression.op, expression.args, context);
  }
}

/** As one comparison: one value must lie between both ends, and a column is gone through once. */
function betweenEnds(low: Condition, high: Condition): Condition {
  if (low.kind === 'number' && high.kind === 'number') return { ...low, ...high };
  if (low.kind === 'day' && high.kind === 'day') return { ...low, ...high };
  if (low.kind === 'text' && high.kind === 'text' && low.test.kind === 'between' && high.test.kind === 'between') {
    return { ...low, test: { ...low.test, ...high.test } };
  }
  throw new Error('ends of several kinds');
}

const REVERSED: Readonly<Record<ComparisonOperator, ComparisonOperator>> = {
  '=': '=',
  '<>': '<>',
  '<': '>',
  '>': '<',
  '<=': '>=',
  '>=': '<=',
};

/** The property may stand on either side. */
function comparison(
  operator: ComparisonOperator,
  [left, right]: readonly [Operand, Operand],
  context: FilterContext,
): Condition {
  if (isProperty(left)) return comparedWith(subjectOf(left, context), operator, right);
  if (isProperty(right)) return comparedWith(subjectOf(right, context), REVERSED[operator], left);
  throw new TextProblem('compares two values; a property must stand on one side');
}

function isProperty(operand: Operand): boolean {
  if (typeof operand !== 'object') return false;
  return 'property' in operand || ('op' in operand && isProperty(operand.args[0]));
}

function subjectOf(operand: Operand, context: FilterContext): Subject {
  if (typeof operand === 'object' && 'op' in operand) return { ...subjectOf(operand.args[0], context), isFolded: true };
  if (typeof operand === 'object' && 'property' in operand) {
    return { queryable: queryableOf(operand, context), isFolded: false };
  }
  throw new TextProblem('tests a value; a property must stand first');
}

function queryableOf({ property }: PropertyName, { queryables }: FilterContext): Queryable {
  const found = queryables.find(({ name }) => name.toLowerCase() === property.toLowerCase());
  if (found !== undefined) return found;
  throw new TextProblem(`${property} is not a queryable: these are ${queryables.map(({ name }) => name).join(', ')}`);
}

function intersects([a, b]: readonly [SpatialOperand, SpatialOperand], context: FilterContext): Condition {
  const [property, shape] = 'property' in a ? [a, b] : [b, a];
  if (!('property' in property) || 'property' in shape) {
    throw new TextProblem('S_INTERSECTS takes the property geometry, and a geometry or BBOX');
  }
  const queryable = queryableOf(property, context);
  if (queryable.type !== 'geometry') throw new TextProblem(`${queryable.name} is not a geometry`);
  if ('type' in shape) return { kind: 'boundary', boundary: toBoundary(shape) };
  const box = readBoxBoundary(shape.bbox, context.system);
  if (!box.ok) throw new TextProblem(box.problem);
  return { kind: 'boundary', boundary: box.value };
}

// What a comparison of a queryable with a value means: each type of queryable takes its type of value.

/** A queryable as it stands in a filter, with CASEI around it or not. */
interface Subject {
  readonly queryable: Queryable;
  readonly isFolded: boolean;
}

function comparedWith(subject: Subject, operator: ComparisonOperator, value: Operand): Condition {
  const { queryable } = subject;
  if (operator === '<>') return { kind: 'not', operand: comparedWith(subject, '=', value) };
  if (subject.isFolded && queryable.type !== 'text') throw new TextProblem(`${queryable.name} is not a text`);
  const { member } = queryable;
  switch (member.kind) {
    case 'geometry':
      throw new TextProblem(`${queryable.name} can be compared by S_INTERSECTS alone`);
    case 'number':
      return { kind: 'number', member, ...interval(operator, numberOf(queryable, value)) };
    case 'firstDay':
    case 'lastDay':
    case 'published':
      return { kind: 'day', member, ...interval(operator, dayOf(queryable, value)) };
    case 'field':
    case 'owner':
    case 'organization': {
      // In the order of the alphabet false is before true, as it is to be.
      const text = queryable.type === 'boolean' ? booleanOf(queryable, value) : textOf(subject, value);
      return { kind: 'text', member, test: textTest(operator, text, subject.isFolded) };
    }
  }
}

function patternTest(subject: Subject, pattern: Operand): Condition {
  const { queryable, isFolded } = subject;
  if (queryable.type !== 'text') {
    throw new TextProblem(`${queryable.name} cannot be compared by LIKE`);
  }
  const test: TextTest = { kind: 'like', isFolded, pattern: textOf(subject, pattern) };
  return { kind: 'text', member: queryable.member as TextMember, test }; // Texts have such members.
}

function interval(operator: ComparisonOperator, value: number): { readonly min?: number; readonly max?: number } {
  switch (operator) {
    case '<':
      return { max: nextBelow(value) };
    case '<=':
      return { max: value };
    case '>':
      return { min: nextAbove(value) };
    case '>=':
      return { min: value };
    case '=':
    case '<>':
      return { min: value, max: value };
  }
}

function textTest(operator: ComparisonOperator, value: string, isFolded: boolean): TextTest {
  const isIncluded = operator.endsWith('=');
  if (operator.startsWith('<')) return { kind: 'between', isFolded, max: { value, isIncluded } };
  if (operator.startsWith('>')) return { kind: 'between', isFolded, min: { value, isIncluded } };
  return { kind: 'one of', isFolded, values: [value] };
}

function textOf({ queryable, isFolded }: Subject, value: Operand): string {
  const { name } = queryable;
  const isCaseless = typeof value === 'object' && 'op' in value;
  if (isCaseless && !isFolded) throw new TextProblem(`CASEI must stand around ${name} as well`);
  const text = isCaseless ? value.args[0] : value;
  if (typeof text === 'string') return text;
  throw new TextProblem(`${name} is a text and can be compared with a text alone, such as 'A'`);
}

function booleanOf({ name }: Queryable, value: Operand): string {
  if (typeof value === 'boolean') return String(value);
  throw new TextProblem(`${name} can be compared with TRUE and FALSE alone`);
}

function numberOf({ name }: Queryable, value: Operand): number {
  if (typeof value === 'number') return value;
  throw new TextProblem(`${name} is a number and can be compared with a number alone`);
}

const INSTANT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?Z$/;

const DAY = /^\d{4}-\d{2}-\d{2}$/;

const DAY_MS = 86_400_000;

/** Days since 1970; of a timestamp a part of a day besides. A text counts as what it looks like. */
function dayOf({ name }: Queryable, value: Operand): number {
  const text =
    typeof value === 'object' ? ('date' in value ? value.date : 'timestamp' in value ? value.timestamp : '') : value;
  if (typeof text === 'string' && DAY.test(text)) {
    const day = readQueryDate(text, 'MDY');
    if (day.ok) return day.value;
    throw new TextProblem(`${name}: ${text} is not a day of the calendar`);
  }
  if (typeof text === 'string' && INSTANT.test(text) && !Number.isNaN(Date.parse(text)))
    return Date.parse(text) / DAY_MS;
  throw new TextProblem(
    `${name} is a date and can be compared with a date alone: DATE('2010-12-31') or TIMESTAMP('2010-12-31T12:00:00Z')`,
  );
}

// A box of four numbers, or of six with heights, as a boundary (D48). Heights say nothing of places that have none.

/** West beyond the east means across the antimeridian. */
export function readBoxBoundary(numbers: readonly number[], system: CoordinateSystem): Result<Boundary> {
  const half = numbers.length / 2;
  const [left = NaN, lower = NaN] = numbers;
  const [right = NaN, upper = NaN] = numbers.slice(half);
  const [west, south] = system.toDegrees([left, lower]);
  const [east, north] = system.toDegrees([right, upper]);
  const area = readBoundary(`bbox:${[west, south, east, north].join()}`);
  if (!area.ok) return failure(area.problem.replace(/^bbox: /, ''));
  if (area.value.kind !== 'geometry') throw new Error('a box that is not a geometry');
  return success(toBoundary(area.value.geometry));
}
