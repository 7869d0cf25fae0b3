// Translates a CQL2 expression into a condition on the queryables of a collection. Letter case matters (D53).

import type { CoordinateSystem } from '../../values/coordinate-systems';
import { findNearestNames } from '../../values/nearest-names';
import { catchTextProblem, type Result, TextProblem } from '../../values/result';
import { shortenForDisplay } from '../access-key-parameter';
import { type Condition, countComparisons, MAX_COMPARISONS, MAX_DEPTH, measureDepth, toBoundary } from '../condition';
import type { Queryable } from '../parameter';
import { readBoxBoundary } from './box-boundary';
import { compareSubject, matchPattern, type Subject } from './compare-queryable';
import type { ComparisonOperator, Expression, Operand, PropertyName, SpatialOperand } from './expression';

interface FilterContext {
  readonly queryables: readonly Queryable[];
  /** The coordinate system of boxes in the filter. */
  readonly system: CoordinateSystem;
}

export function toCondition(expression: Expression, context: FilterContext): Result<Condition> {
  return catchTextProblem(() => {
    const condition = translate(expression, context);
    const comparisons = countComparisons(condition);
    if (comparisons > MAX_COMPARISONS) {
      throw new TextProblem(
        `has ${comparisons} comparisons, counting each value in a list; at most ${MAX_COMPARISONS} are allowed`,
      );
    }
    const depth = measureDepth(condition);
    if (depth > MAX_DEPTH) throw new TextProblem(`is nested ${depth} levels deep; at most ${MAX_DEPTH} are allowed`);
    return condition;
  });
}

function translate(expression: Expression, context: FilterContext): Condition {
  if (typeof expression === 'boolean') return { kind: expression ? 'all' : 'any', operands: [] };
  switch (expression.op) {
    case 'and':
      return joinChain('all', expression.args, context);
    case 'or':
      return joinChain('any', expression.args, context);
    case 'not':
      return { kind: 'not', operand: translate(expression.args[0], context) };
    case 'isNull':
      return { kind: 'missing', member: findSubject(expression.args[0], context).queryable.member };
    case 'between': {
      const [operand, low, high] = expression.args;
      const subject = findSubject(operand, context);
      return joinEnds(compareSubject(subject, '>=', low), compareSubject(subject, '<=', high));
    }
    case 'in': {
      const [operand, items] = expression.args;
      const subject = findSubject(operand, context);
      return { kind: 'any', operands: items.map((item) => compareSubject(subject, '=', item)) };
    }
    case 'like': {
      const [operand, pattern] = expression.args;
      return matchPattern(findSubject(operand, context), pattern);
    }
    case 's_intersects':
      return translateIntersection(expression.args, context);
    case '=':
    case '<>':
    case '<':
    case '>':
    case '<=':
    case '>=':
      return translateComparison(expression.op, expression.args, context);
  }
}

/** A chain of the same operator counts as one level of nesting, however it is bracketed (D70). */
function joinChain(kind: 'all' | 'any', args: readonly Expression[], context: FilterContext): Condition {
  const operands: Condition[] = [];
  for (const argument of args) {
    const operand = translate(argument, context);
    if (operand.kind === kind) operands.push(...operand.operands);
    else operands.push(operand);
  }
  return { kind, operands };
}

/**
 * Joins both ends into one comparison, so that the same value must be within both and a column is scanned only once.
 */
function joinEnds(low: Condition, high: Condition): Condition {
  if (low.kind === 'number' && high.kind === 'number') return { ...low, ...high };
  if (low.kind === 'day' && high.kind === 'day') return { ...low, ...high };
  if (low.kind === 'text' && high.kind === 'text' && low.test.kind === 'between' && high.test.kind === 'between') {
    return { ...low, test: { ...low.test, ...high.test } };
  }
  throw new Error('the two ends have different types');
}

/** Maps each operator to the one with the same meaning when the operands are swapped. */
const REVERSED: Readonly<Record<ComparisonOperator, ComparisonOperator>> = {
  '=': '=',
  '<>': '<>',
  '<': '>',
  '>': '<',
  '<=': '>=',
  '>=': '<=',
};

/** The property may be on either side of the operator. */
function translateComparison(
  operator: ComparisonOperator,
  [left, right]: readonly [Operand, Operand],
  context: FilterContext,
): Condition {
  if (isProperty(left)) return compareSubject(findSubject(left, context), operator, right);
  if (isProperty(right)) return compareSubject(findSubject(right, context), REVERSED[operator], left);
  throw new TextProblem('compares two values; one side must be a property');
}

function isProperty(operand: Operand): boolean {
  if (typeof operand !== 'object') return false;
  return 'property' in operand || ('op' in operand && isProperty(operand.args[0]));
}

function findSubject(operand: Operand, context: FilterContext): Subject {
  if (typeof operand === 'object' && 'op' in operand)
    return { ...findSubject(operand.args[0], context), isFolded: true };
  if (typeof operand === 'object' && 'property' in operand) {
    return { queryable: findQueryable(operand, context), isFolded: false };
  }
  throw new TextProblem('tests a value; the first operand must be a property');
}

/** The maximum number of characters of an unknown name that an error repeats. */
const MAX_NAME_SHOWN = 100;

function findQueryable({ property }: PropertyName, { queryables }: FilterContext): Queryable {
  const queryable = queryables.find(({ name }) => name.toLowerCase() === property.toLowerCase());
  if (queryable !== undefined) return queryable;
  const names = queryables.map(({ name }) => name);
  const [nearest] = findNearestNames(property, names, 1);
  const hint = nearest === undefined ? '' : ` (did you mean ${nearest}?)`;
  const shown = shortenForDisplay(property, MAX_NAME_SHOWN);
  throw new TextProblem(`you cannot filter by ${shown}${hint}; you can filter by ${names.join(', ')}`);
}

function translateIntersection([a, b]: readonly [SpatialOperand, SpatialOperand], context: FilterContext): Condition {
  const [property, shape] = 'property' in a ? [a, b] : [b, a];
  if (!('property' in property) || 'property' in shape) {
    throw new TextProblem('S_INTERSECTS takes the property geometry, and a geometry or BBOX');
  }
  const queryable = findQueryable(property, context);
  if (queryable.type !== 'geometry') throw new TextProblem(`${queryable.name} is not a geometry`);
  if ('type' in shape) return { kind: 'boundary', boundary: toBoundary(shape) };
  const box = readBoxBoundary(shape.bbox, context.system);
  if (!box.ok) throw new TextProblem(box.problem);
  return { kind: 'boundary', boundary: box.value };
}
