// Reads a cell of a submission file according to the type of its column (submissions.md, 3). Values are never guessed:
// a cell that cannot be read becomes null with the rule that it breaks.

import { formatIsoDate, readSubmittedDate, toDay } from '../../shared/values/dates';
import { removeGuard } from '../../shared/values/formula-guard';
import { BOOLEAN_TEXTS, readNumber } from '../../shared/values/numbers';
import { findStateCode, readStateCode } from '../../shared/values/states';
import { cutText, MAX_TEXT_LENGTH } from '../../shared/values/text-length';
import { type CellValue, type ColumnType, type FileColumn } from './column';
import { explainEpochNumber, readDatabaseDate } from './database-dates';
import { explainGarbledText } from './garbled-text';
import { isFiller, isMissingText } from './missing-texts';
import type { RuleName } from './rules';
import { readProtectedText } from './spreadsheet-notation';

/**
 * The value of a cell and the rule that it breaks. If there is a rule, either the value is null although the cell has
 * text, or the value is doubtful.
 */
export interface Cell {
  readonly value: CellValue;
  readonly problem?: RuleName;
  /** The probable meaning of the cell's text, such as `write 2021-01-01`. A finding appends it to the text. */
  readonly hint?: string;
  /** The order of day and month in a date with slashes: the only possible order, or `either`. */
  readonly dateOrder?: DateOrder;
}

export type DateOrder = 'day first' | 'month first' | 'either';

/**
 * The largest plausible number. Placeholders for missing numbers are often larger, because they are close to the
 * largest double.
 */
const MAX_POSSIBLE_NUMBER = 1e300;

const TWO_DIGIT_YEAR = /\/\d{2}$/;
const SLASH_START = /^(\d{1,2})\/(\d{1,2})\//;
const THREE_PARTS = /^(\d{1,2})[/.-](\d{1,2})[/.-](\d{4})$/;
/** A number up to this limit may be a day or a month. */
const MONTHS = 12;
const SERIAL_DAY = /^(\d{4,5})(?:\.\d+)?$/;
/**
 * Day 0 of spreadsheet dates. Day 1 is 1900-01-01, but spreadsheets also count February 29, 1900, which did not exist.
 */
const SERIAL_DAY_ZERO = toDay(1899, 12, 30) ?? NaN;
/** A smaller number may be a year; a larger one would be a day after 2118. */
const SERIAL_DAYS = { from: 2200, to: 80_000 };

/**
 * A number with a decimal comma. If exactly three digits follow the comma and one to three precede it, the comma may be
 * a thousands separator instead.
 */
const DECIMAL_COMMA = /^[-+]?(?:\d+,(?:\d{1,2}|\d{4,})|(?:0|\d{4,}),\d+)$/;

const THOUSANDS = /^[-+]?[1-9]\d{0,2}(?:(?:,\d{3})+\.\d*|(?:,\d{3}){2,})$/;
const AMBIGUOUS_COMMA = /^[-+]?[1-9]\d{0,2},\d{3}$/;
const NUMBER_WITH_UNIT = /^[-+]?\d[\d,.]*\s*([a-z%][a-z%./ -]{0,20})$/i;

const INTEGER_MADE_DECIMAL = /^(\d+)\.0+$/;
const GROUPED_DIGITS = /^\d{1,3}(?:,\d{3})+$/;
const EXPONENT = /^(\d)(?:\.(\d+))?e\+?(\d+)$/i;

const LIST_TYPES: ReadonlySet<ColumnType> = new Set(['list', 'identifiers']);

const EMPTY: Cell = { value: null };
const EMPTY_LIST: Cell = { value: [] };

/** Types of columns with codes. An apostrophe before a code comes from a spreadsheet. */
const CODE_TYPES: ReadonlySet<ColumnType> = new Set([
  'identifier',
  'identifiers',
  'huc8',
  'huc12',
  'state',
  'date',
  'number',
  'amount',
  'boolean',
]);

export function readCell(raw: string, declared: FileColumn): Cell {
  const text = trimInvisible(removeGuard(trimInvisible(raw)));
  const protectedText = readProtectedText(text, CODE_TYPES.has(declared.type));
  if (protectedText === undefined) return readText(text, declared);
  const cell = readText(protectedText, declared);
  if (cell.problem !== undefined) return cell;
  return { ...cell, problem: 'spreadsheet-notation', hint: `read as ${protectedText}` };
}

function readText(text: string, { type, isRequired }: FileColumn): Cell {
  const empty = LIST_TYPES.has(type) ? EMPTY_LIST : EMPTY;
  if (text === '' || (!isRequired && isFiller(text))) return empty;
  return isMissingText(text) ? { ...empty, problem: 'missing-text' } : readers[type](text);
}

const PRINTABLE_ASCII = { from: 0x21, to: 0x7e };
const INVISIBLE_ENDS = /^[\s\p{Cc}\p{Cf}]+|[\s\p{Cc}\p{Cf}]+$/gu;

/** The text without white space and invisible characters at either end. */
export function trimInvisible(text: string): string {
  return isVisibleAscii(text.charCodeAt(0)) && isVisibleAscii(text.charCodeAt(text.length - 1))
    ? text
    : text.replace(INVISIBLE_ENDS, '');
}

function isVisibleAscii(code: number): boolean {
  return code >= PRINTABLE_ASCII.from && code <= PRINTABLE_ASCII.to;
}

const readers: Readonly<Record<ColumnType, (text: string) => Cell>> = {
  text: (text) => limitText({ value: text }),
  geometry: (text) => ({ value: text }),
  identifier: (text) => limitText({ value: restoreIdentifier(text) }),
  huc8: (text) => limitText(readHydrologicUnit(expandExponent(text), 8)),
  huc12: (text) => limitText(readHydrologicUnit(text, 12)),
  stateName: (text) =>
    limitText(findStateCode(text) === undefined ? { value: text, problem: 'unknown-state' } : { value: text }),
  state: (text) => valueOrProblem(readStateCode(text), 'required-unreadable'),
  date: readDate,
  number: readQuantity,
  amount: readAmount,
  boolean: (text) => valueOrProblem(BOOLEAN_TEXTS.get(text.toLowerCase()), 'unreadable-boolean'),
  list: (text) => limitItems(readList(text, (item) => item)),
  identifiers: (text) => limitItems(readList(text, restoreIdentifier)),
};

/** Truncates text over the maximum length, and warns about garbled text. */
function limitText(cell: Cell): Cell {
  const { value } = cell;
  if (typeof value !== 'string') return cell;
  if (value.length > MAX_TEXT_LENGTH) return { ...cell, value: cutText(value, MAX_TEXT_LENGTH), problem: 'long-text' };
  const explanation = explainGarbledText(value);
  return explanation === undefined || cell.problem !== undefined
    ? cell
    : { ...cell, problem: GARBLED, hint: explanation };
}

const GARBLED: RuleName = 'garbled-text';

/** Truncates items over the maximum length, and warns about garbled items. A list may have any number of items. */
function limitItems(items: readonly string[]): Cell {
  if (items.every((item) => item.length <= MAX_TEXT_LENGTH)) {
    const explanation = items.map(explainGarbledText).find((text) => text !== undefined);
    return explanation === undefined ? { value: items } : { value: items, problem: GARBLED, hint: explanation };
  }
  const cut = items.map((item) => cutText(item, MAX_TEXT_LENGTH));
  return { value: [...new Set(cut)], problem: 'long-text' };
}

function valueOrProblem(value: CellValue | undefined, problem: RuleName): Cell {
  return value === undefined ? { value: null, problem } : { value };
}

function readDate(text: string): Cell {
  const value = readSubmittedDate(text);
  if (value === undefined) {
    const databaseDate = readDatabaseDate(text);
    return databaseDate === undefined ? explainUnreadableDate(text) : { value: databaseDate };
  }
  const [month, day] = SLASH_START.exec(text)?.slice(1).map(Number) ?? [];
  // The value is the same in both orders if day and month are equal, as in 1/1.
  const read = day === undefined || day === month ? { value } : { value, dateOrder: toDateOrder(day) };
  return TWO_DIGIT_YEAR.test(text) ? { ...read, problem: 'two-digit-year', hint: `read as ${value}` } : read;
}

function toDateOrder(day: number): DateOrder {
  return day > MONTHS ? 'month first' : 'either';
}

/** Explains texts that people and spreadsheets write instead of a date. The cell becomes null in any case. */
function explainUnreadableDate(text: string): Cell {
  const serial = Number(SERIAL_DAY.exec(text)?.[1]);
  if (serial > SERIAL_DAYS.from && serial < SERIAL_DAYS.to) {
    return { value: null, problem: 'serial-day', hint: `write ${formatIsoDate(SERIAL_DAY_ZERO + serial)}` };
  }
  const epoch = explainEpochNumber(text);
  if (epoch !== undefined) return { value: null, problem: 'unreadable-date', hint: epoch };
  const [day = 0, month = 0, year = 0] = THREE_PARTS.exec(text)?.slice(1).map(Number) ?? [];
  const date = toDay(year, month, day);
  if (date === undefined || day <= MONTHS) return { value: null, problem: 'unreadable-date' };
  return { value: null, problem: 'day-first-date', hint: `write ${formatIsoDate(date)}`, dateOrder: 'day first' };
}

function readQuantity(text: string): Cell {
  const value = readNumber(text);
  if (value !== undefined && Math.abs(value) > MAX_POSSIBLE_NUMBER) return { value, problem: 'impossible-number' };
  if (value !== undefined) return { value };
  if (THOUSANDS.test(text)) return readGroupedNumber(text);
  if (!DECIMAL_COMMA.test(text)) return explainUnreadableNumber(text);
  return { value: null, problem: 'decimal-comma', hint: `write ${text.replace(',', '.')}` };
}

/** Thousands separators are unambiguous if there are at least two, or one and a decimal point. */
function readGroupedNumber(text: string): Cell {
  const plain = text.replaceAll(',', '');
  return { value: readNumber(plain) ?? null, problem: 'thousands-separator', hint: `read as ${plain}` };
}

function explainUnreadableNumber(text: string): Cell {
  const problem = 'unreadable-number';
  if (AMBIGUOUS_COMMA.test(text)) {
    const hint = `write ${text.replace(',', '')}, or ${text.replace(',', '.')} if the comma is a decimal comma`;
    return { value: null, problem, hint };
  }
  const [, unit] = NUMBER_WITH_UNIT.exec(text) ?? [];
  if (unit === undefined) return { value: null, problem };
  return { value: null, problem, hint: `write the number without ${unit}` };
}

function readAmount(text: string): Cell {
  const cell = readQuantity(text);
  const isNegative = typeof cell.value === 'number' && cell.value < 0 && cell.problem === undefined;
  return isNegative ? { ...cell, problem: 'negative-amount' } : cell;
}

/** Restores 11130302 from 11130302.0, the form that a spreadsheet writes (ADR 0051). */
function restoreIdentifier(text: string): string {
  return INTEGER_MADE_DECIMAL.exec(text)?.[1] ?? text;
}

/**
 * Restores one lost leading zero (7 of 8, or 11 of 12 digits), and removes thousands separators. Digits lost to
 * exponent notation cannot be restored.
 */
function readHydrologicUnit(text: string, digits: number): Cell {
  if (EXPONENT.test(text)) return { value: null, problem: 'lost-digits' };
  const plain = GROUPED_DIGITS.test(text) ? text.replaceAll(',', '') : text;
  const restored = restoreIdentifier(plain);
  const value = restored.length === digits - 1 && /^\d+$/.test(restored) ? `0${restored}` : restored;
  if (value.length !== digits || !/^\d+$/.test(value)) return { value, problem: 'not-hydrologic-unit' };
  return plain === text ? { value } : { value, problem: 'spreadsheet-notation', hint: `read as ${value}` };
}

/**
 * Expands a HUC8 in exponent notation that has all its digits, such as 1.1130302E7. Returns any other text unchanged.
 */
function expandExponent(text: string): string {
  const [, first = '', fraction = '', exponent] = EXPONENT.exec(text) ?? [];
  const length = Number(exponent) + 1;
  const digits = first + fraction;
  const hasAllDigits = (length === 7 || length === 8) && digits.length >= length && /^0*$/.test(digits.slice(length));
  return hasAllDigits ? digits.slice(0, length) : text;
}

function readList(text: string, restore: (item: string) => string): readonly string[] {
  if (!text.includes(',')) return [restore(text)];
  const items = text.split(',').map((item) => {
    const trimmed = trimInvisible(item);
    return restore(readProtectedText(trimmed, true) ?? trimmed);
  });
  return [...new Set(items.filter((item) => item !== '' && !isFiller(item) && !isMissingText(item)))];
}
