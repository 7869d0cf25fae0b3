// What a comparison of a queryable with a value means: each type of queryable takes its type of value.

import { nextAbove, nextBelow, type Condition, type TextMember, type TextTest } from '../query/condition';
import { readQueryDate } from '../values/dates';
import type { Queryable } from './queryables';
import type { ComparisonOperator, Operand } from './cql2/expression';

/** Thrown within the reading of one filter. */
export class MeaningProblem extends Error {}

/** A queryable as it stands in a filter, with CASEI around it or not. */
interface Subject {
  readonly queryable: Queryable;
  readonly isFolded: boolean;
}

export function comparedWith(subject: Subject, operator: ComparisonOperator, value: Operand): Condition {
  const { queryable } = subject;
  if (operator === '<>') return { kind: 'not', of: comparedWith(subject, '=', value) };
  if (subject.isFolded && queryable.type !== 'text') throw new MeaningProblem(`${queryable.name} is not a text`);
  const { member } = queryable;
  switch (member.kind) {
    case 'geometry':
      throw new MeaningProblem(`${queryable.name} can be compared by S_INTERSECTS alone`);
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

export function patternTest(subject: Subject, pattern: Operand): Condition {
  const { queryable, isFolded } = subject;
  if (queryable.type !== 'text') {
    throw new MeaningProblem(`${queryable.name} cannot be compared by LIKE`);
  }
  const test: TextTest = { kind: 'like', isFolded, pattern: textOf(subject, pattern) };
  return { kind: 'text', member: queryable.member as TextMember, test }; // Texts have such members.
}

function interval(operator: ComparisonOperator, value: number): { readonly least?: number; readonly most?: number } {
  switch (operator) {
    case '<':
      return { most: nextBelow(value) };
    case '<=':
      return { most: value };
    case '>':
      return { least: nextAbove(value) };
    case '>=':
      return { least: value };
    case '=':
    case '<>':
      return { least: value, most: value };
  }
}

function textTest(operator: ComparisonOperator, value: string, isFolded: boolean): TextTest {
  const isIncluded = operator.endsWith('=');
  if (operator.startsWith('<')) return { kind: 'between', isFolded, most: { value, isIncluded } };
  if (operator.startsWith('>')) return { kind: 'between', isFolded, least: { value, isIncluded } };
  return { kind: 'one of', isFolded, values: [value] };
}

function textOf({ queryable, isFolded }: Subject, value: Operand): string {
  const { name } = queryable;
  const isCaseless = typeof value === 'object' && 'op' in value;
  if (isCaseless && !isFolded) throw new MeaningProblem(`CASEI must stand around ${name} as well`);
  const text = isCaseless ? value.args[0] : value;
  if (typeof text === 'string') return text;
  throw new MeaningProblem(`${name} is a text and can be compared with a text alone, such as 'A'`);
}

function booleanOf({ name }: Queryable, value: Operand): string {
  if (typeof value === 'boolean') return String(value);
  throw new MeaningProblem(`${name} can be compared with TRUE and FALSE alone`);
}

function numberOf({ name }: Queryable, value: Operand): number {
  if (typeof value === 'number') return value;
  throw new MeaningProblem(`${name} is a number and can be compared with a number alone`);
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
  }
  if (typeof text === 'string' && INSTANT.test(text) && !Number.isNaN(Date.parse(text)))
    return Date.parse(text) / DAY_MS;
  throw new MeaningProblem(
    `${name} is a date and can be compared with a date alone: DATE('2010-12-31') or TIMESTAMP('2010-12-31T12:00:00Z')`,
  );
}
