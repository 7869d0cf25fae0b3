// Translates a comparison of a queryable with a value into a condition. The type of the queryable determines which
// values are allowed.

import { readQueryDate } from '../../values/dates';
import { TextProblem } from '../../values/result';
import { MAX_TEXT_LENGTH, TEXT_TOO_LONG } from '../../values/text-length';
import { type Condition, nextAbove, nextBelow, type TextMember, type TextTest } from '../condition';
import type { Queryable } from '../parameter';
import type { ComparisonOperator, Operand } from './expression';

/** A queryable in a filter. */
export interface Subject {
  readonly queryable: Queryable;
  /** Whether the filter wraps the queryable in CASEI. */
  readonly isFolded: boolean;
}

/** Throws a TextProblem if the queryable cannot be compared with a value of this type. */
export function compareSubject(subject: Subject, operator: ComparisonOperator, value: Operand): Condition {
  const { queryable } = subject;
  if (operator === '<>') return { kind: 'not', operand: compareSubject(subject, '=', value) };
  if (subject.isFolded && queryable.type !== 'text') throw new TextProblem(`${queryable.name} is not text`);
  const { member } = queryable;
  switch (member.kind) {
    case 'geometry':
      throw new TextProblem(`${queryable.name} can be compared only with S_INTERSECTS`);
    case 'number':
      return { kind: 'number', member, ...toRange(operator, readNumberValue(queryable, value)) };
    case 'firstDay':
    case 'lastDay':
    case 'published':
      return { kind: 'day', member, ...toRange(operator, readDays(queryable, value)) };
    case 'field':
    case 'owner':
    case 'organization': {
      // The strings `false` and `true` sort in the same order as booleans.
      const text = queryable.type === 'boolean' ? readBooleanText(queryable, value) : readText(subject, value);
      return { kind: 'text', member, test: toTextTest(operator, text, subject.isFolded) };
    }
  }
}

/** Limits the work: testing a value takes at most its length times the length of the pattern. */
const MAX_PATTERN_LENGTH = 1000;

const PATTERN_TOO_LONG = `has a LIKE pattern of more than ${MAX_PATTERN_LENGTH} characters: shorten it`;

export function matchPattern(subject: Subject, pattern: Operand): Condition {
  const { queryable, isFolded } = subject;
  if (queryable.type !== 'text') {
    throw new TextProblem(`${queryable.name} cannot be compared with LIKE`);
  }
  const text = readText(subject, pattern);
  if (text.length > MAX_PATTERN_LENGTH) throw new TextProblem(PATTERN_TOO_LONG);
  const test: TextTest = { kind: 'like', isFolded, pattern: text };
  return { kind: 'text', member: queryable.member as TextMember, test }; // Queryables of type `text` always have a text member.
}

function toRange(operator: ComparisonOperator, value: number): { readonly min?: number; readonly max?: number } {
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

function toTextTest(operator: ComparisonOperator, value: string, isFolded: boolean): TextTest {
  const isIncluded = operator.endsWith('=');
  if (operator.startsWith('<')) return { kind: 'between', isFolded, max: { value, isIncluded } };
  if (operator.startsWith('>')) return { kind: 'between', isFolded, min: { value, isIncluded } };
  return { kind: 'one of', isFolded, values: [value] };
}

function readText({ queryable, isFolded }: Subject, value: Operand): string {
  const { name } = queryable;
  const isCaseless = typeof value === 'object' && 'op' in value;
  if (isCaseless && !isFolded) throw new TextProblem(`CASEI must enclose ${name} as well`);
  const text = isCaseless ? value.args[0] : value;
  if (typeof text === 'string' && text.length > MAX_TEXT_LENGTH) throw new TextProblem(`${name}: ${TEXT_TOO_LONG}`);
  if (typeof text === 'string') return text;
  throw new TextProblem(`${name} is text and can be compared only with text, such as 'A'`);
}

function readBooleanText({ name }: Queryable, value: Operand): string {
  if (typeof value === 'boolean') return String(value);
  throw new TextProblem(`${name} can be compared only with TRUE and FALSE`);
}

function readNumberValue({ name }: Queryable, value: Operand): number {
  if (typeof value === 'number') return value;
  throw new TextProblem(`${name} is a number and can be compared only with a number`);
}

const INSTANT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?Z$/;

const DAY = /^\d{4}-\d{2}-\d{2}$/;

const DAY_MS = 86_400_000;

/** Returns days since 1970, with a fraction for a timestamp. A plain string is read as a date or a timestamp. */
function readDays({ name }: Queryable, value: Operand): number {
  const text = unwrapDate(value);
  if (typeof text === 'string' && DAY.test(text)) {
    const day = readQueryDate(text, 'MDY');
    if (day.ok) return day.value;
    throw new TextProblem(`${name}: ${text} is not a calendar date`);
  }
  const time = typeof text === 'string' && INSTANT.test(text) ? Date.parse(text) : NaN;
  if (!Number.isNaN(time)) return time / DAY_MS;
  throw new TextProblem(
    `${name} is a date and can be compared only with a date: DATE('2010-12-31') or TIMESTAMP('2010-12-31T12:00:00Z')`,
  );
}

function unwrapDate(value: Operand): unknown {
  if (typeof value !== 'object') return value;
  if ('date' in value) return value.date;
  return 'timestamp' in value ? value.timestamp : undefined;
}
