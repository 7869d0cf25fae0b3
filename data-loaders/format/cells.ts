// Reads one cell (submissions.md, 3). Nothing is guessed: a cell that cannot be read is null, with the rule why.

import { BOOLEAN_TEXTS, readNumber } from '../../shared/values/numbers';
import { readSubmittedDate } from '../../shared/values/dates';
import { readStateCode } from '../../shared/values/states';
import type { RuleName } from './rules';
import type { CellValue, FileColumn, ColumnType } from './column';

/** The value of a cell, and what is wrong with it: it is null although something stands in the file, or impossible. */
export interface Cell {
  readonly value: CellValue;
  readonly problem?: RuleName;
}

/** Texts that stand for nothing, in any letter case, in columns that are not R. */
export const FILLER_TEXTS: readonly string[] = [
  'Unspecified',
  'Unknown',
  'WaDE Blank',
  'WaDE Unspecified',
  'In Review',
  'NaN',
  'None',
  'null',
];

const FILLERS: ReadonlySet<string> = new Set(FILLER_TEXTS.map((text) => text.toLowerCase()));

/** The first letters of fillers in either case: few other texts are looked up. */
const FILLER_STARTS: ReadonlySet<string> = new Set(
  FILLER_TEXTS.flatMap(([first = '']) => [first.toLowerCase(), first.toUpperCase()]),
);

const LONGEST_FILLER = Math.max(...FILLER_TEXTS.map(({ length }) => length));

/** No quantity is larger; numbers that stand for a missing one often are, next to the largest double. */
const MOST_POSSIBLE = 1e300;

const INTEGER_MADE_DECIMAL = /^(\d+)\.0+$/;
const EXPONENT = /^(\d)(?:\.(\d+))?e\+?(\d+)$/i;

const LIST_TYPES: ReadonlySet<ColumnType> = new Set(['list', 'identifiers']);

const EMPTY: Cell = { value: null };
const EMPTY_LIST: Cell = { value: [] };

export function readCell(raw: string, { type, isRequired }: FileColumn): Cell {
  const text = raw.trim();
  if (text === '' || (!isRequired && isFiller(text))) return LIST_TYPES.has(type) ? EMPTY_LIST : EMPTY;
  return readers[type](text);
}

const readers: Readonly<Record<ColumnType, (text: string) => Cell>> = {
  text: (text) => ({ value: text }),
  identifier: (text) => ({ value: restoreIdentifier(text) }),
  huc8: (text) => readHydrologicUnit(withoutExponent(text), 8),
  huc12: (text) => readHydrologicUnit(text, 12),
  state: (text) => orProblem(readStateCode(text), 'required-unreadable'),
  date: (text) => orProblem(readSubmittedDate(text), 'unreadable-date'),
  number: readQuantity,
  boolean: (text) => orProblem(BOOLEAN_TEXTS.get(text.toLowerCase()), 'unreadable-boolean'),
  list: (text) => ({ value: readList(text, (item) => item) }),
  identifiers: (text) => ({ value: readList(text, restoreIdentifier) }),
};

function isFiller(text: string): boolean {
  return text.length <= LONGEST_FILLER && FILLER_STARTS.has(text.charAt(0)) && FILLERS.has(text.toLowerCase());
}

function orProblem(value: CellValue | undefined, problem: RuleName): Cell {
  return value === undefined ? { value: null, problem } : { value };
}

function readQuantity(text: string): Cell {
  const value = readNumber(text);
  if (value !== undefined && Math.abs(value) > MOST_POSSIBLE) return { value, problem: 'impossible-number' };
  return orProblem(value, 'unreadable-number');
}

/** A spreadsheet wrote 11130302 as 11130302.0 (ADR 0051). */
function restoreIdentifier(text: string): string {
  // Most identifiers end in a digit other than 0 or in a letter; only the others need the expression.
  return text.endsWith('0') ? (INTEGER_MADE_DECIMAL.exec(text)?.[1] ?? text) : text;
}

/** Seven of eight or eleven of twelve digits have lost a leading zero; an exponent has lost others for good. */
function readHydrologicUnit(text: string, digits: number): Cell {
  if (EXPONENT.test(text)) return { value: null, problem: 'lost-digits' };
  const restored = restoreIdentifier(text);
  return { value: restored.length === digits - 1 && /^\d+$/.test(restored) ? `0${restored}` : restored };
}

/** Writes out a HUC8 in exponent notation that has all its digits, such as 1.1130302E7; gives others as they are. */
function withoutExponent(text: string): string {
  const [, first = '', fraction = '', exponent] = EXPONENT.exec(text) ?? [];
  const length = Number(exponent) + 1;
  const digits = first + fraction;
  const hasAll = (length === 7 || length === 8) && digits.length >= length && /^0*$/.test(digits.slice(length));
  return hasAll ? digits.slice(0, length) : text;
}

function readList(text: string, restore: (item: string) => string): readonly string[] {
  if (!text.includes(',')) return [restore(text)];
  const items = text.split(',').map((item) => restore(item.trim()));
  return [...new Set(items.filter((item) => item !== '' && !isFiller(item)))];
}
