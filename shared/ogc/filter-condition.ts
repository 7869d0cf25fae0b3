// From a CQL2 expression to the condition that it means, over the queryables of a collection. Letter case counts (D53).

import { boundaryOf, comparisonsIn, depthOf, MAX_COMPARISONS, MAX_DEPTH, type Condition } from '../query/condition';
import { failure, success, type Result } from '../values/result';
import type { CoordinateSystem } from '../values/coordinate-systems';
import type { Queryable } from './queryables';
import { boxBoundary } from './box';
import { comparedWith, MeaningProblem, patternTest } from './filter-comparisons';
import type { ComparisonOperator, Expression, Operand, PropertyName, SpatialOperand } from './cql2/expression';

export interface FilterContext {
  readonly queryables: readonly Queryable[];
  /** What boxes of the filter are in. */
  readonly system: CoordinateSystem;
}

export function conditionOf(expression: Expression, context: FilterContext): Result<Condition> {
  try {
    const condition = meaningOf(expression, context);
    const comparisons = comparisonsIn(condition);
    if (comparisons > MAX_COMPARISONS) {
      return failure(`has ${comparisons} comparisons, values of lists among them; ${MAX_COMPARISONS} are allowed`);
    }
    const depth = depthOf(condition);
    if (depth > MAX_DEPTH) return failure(`is nested ${depth} levels deep; ${MAX_DEPTH} are allowed`);
    return success(condition);
  } catch (error) {
    if (error instanceof MeaningProblem) return failure(error.message);
    throw error;
  }
}

function meaningOf(expression: Expression, context: FilterContext): Condition {
  if (typeof expression === 'boolean') return { kind: expression ? 'all' : 'any', of: [] };
  switch (expression.op) {
    case 'and':
      return { kind: 'all', of: expression.args.map((one) => meaningOf(one, context)) };
    case 'or':
      return { kind: 'any', of: expression.args.map((one) => meaningOf(one, context)) };
    case 'not':
      return { kind: 'not', of: meaningOf(expression.args[0], context) };
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
      return { kind: 'any', of: items.map((item) => comparedWith(subject, '=', item)) };
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
  ...{ '=': '=', '<>': '<>', '<': '>', '>': '<', '<=': '>=', '>=': '<=' },
};

/** The property may stand on either side. */
function comparison(
  operator: ComparisonOperator,
  [left, right]: readonly [Operand, Operand],
  context: FilterContext,
): Condition {
  if (isProperty(left)) return comparedWith(subjectOf(left, context), operator, right);
  if (isProperty(right)) return comparedWith(subjectOf(right, context), REVERSED[operator], left);
  throw new MeaningProblem('compares two values; a property must stand on one side');
}

function isProperty(operand: Operand): boolean {
  if (typeof operand !== 'object') return false;
  return 'property' in operand || ('op' in operand && isProperty(operand.args[0]));
}

function subjectOf(operand: Operand, context: FilterContext): Parameters<typeof comparedWith>[0] {
  if (typeof operand === 'object' && 'op' in operand) return { ...subjectOf(operand.args[0], context), isFolded: true };
  if (typeof operand === 'object' && 'property' in operand) {
    return { queryable: queryableOf(operand, context), isFolded: false };
  }
  throw new MeaningProblem('tests a value; a property must stand first');
}

function queryableOf({ property }: PropertyName, { queryables }: FilterContext): Queryable {
  const found = queryables.find(({ name }) => name.toLowerCase() === property.toLowerCase());
  if (found !== undefined) return found;
  throw new MeaningProblem(
    `${property} is not a queryable: these are ${queryables.map(({ name }) => name).join(', ')}`,
  );
}

function intersects([a, b]: readonly [SpatialOperand, SpatialOperand], context: FilterContext): Condition {
  const [property, shape] = 'property' in a ? [a, b] : [b, a];
  if (!('property' in property) || 'property' in shape) {
    throw new MeaningProblem('S_INTERSECTS takes the property geometry, and a geometry or BBOX');
  }
  const queryable = queryableOf(property, context);
  if (queryable.type !== 'geometry') throw new MeaningProblem(`${queryable.name} is not a geometry`);
  if ('type' in shape) return { kind: 'boundary', boundary: boundaryOf(shape) };
  const box = boxBoundary(shape.bbox, context.system);
  if (!box.ok) throw new MeaningProblem(box.problem);
  return { kind: 'boundary', boundary: box.value };
}
