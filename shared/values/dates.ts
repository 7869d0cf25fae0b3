// Calendar dates as strings and as day numbers. A day number counts the days since 1970-01-01 in the proleptic
// Gregorian calendar, so that ranges compare as integers. No function here depends on the current date.

import { failure, type Result, success } from './result';

/** Days since 1970-01-01; negative before. */
export type Day = number;

/** A range of days, both ends included. */
export interface DaySpan {
  readonly first: Day;
  readonly last: Day;
}

const DAY_MS = 86_400_000;
const DAYS_OF_40_000_YEARS = 14_609_700;

/** Which of the two numbers of `1/2/2020` is the month (D6). */
export type SlashDateOrder = 'MDY' | 'DMY';

const TIME_OF_DAY = /^([01]?\d|2[0-3]):[0-5]\d(:([0-5]\d|60)(\.\d+)?)?$/;
// In a query string, a plus sign may arrive as a space, so a space is also accepted as the sign of the zone.
const ZONE = /(Z|[+\- ]([01]\d|2[0-3])(:?[0-5]\d)?)$/i;
const MERIDIEM = / ?[AP]M$/i;
const ISO_DATE = /^(\d{4})-(\d{2})-(\d{2})(?:([Tt ])(.+))?$/;
const SLASH_DATE = /^(\d{1,2})\/(\d{1,2})\/(\d{4})$/;
const SUBMITTED_SLASH_DATE = /^(\d{1,2})\/(\d{1,2})\/(\d{4}|\d{2})(?:[T ] ?(.+))?$/i;

/** The syntax of a date in a query. Not every string with this syntax is a valid calendar date. */
export const QUERY_DATE_SHAPE = `${ISO_DATE.source}|${SLASH_DATE.source}`;

const NOT_IN_CALENDAR = 'is not a calendar date';

/** Two-digit years of submissions mean 1930 to 2029 (submissions.md, section 3). */
const FIRST_TWO_DIGIT_YEAR = 1930;

/** Reads a date of a query (D6): `YYYY-MM-DD` with an optional time part, or a slash date in `order`. */
export function readQueryDate(text: string, order: SlashDateOrder): Result<Day> {
  const iso = ISO_DATE.exec(text);
  if (iso !== null && isTimeOfDay(iso[5], false)) {
    const day = toDay(Number(iso[1]), Number(iso[2]), Number(iso[3]));
    return day === undefined ? failure(NOT_IN_CALENDAR) : success(day);
  }
  const slash = SLASH_DATE.exec(text);
  if (slash !== null) {
    return readSlashDate(Number(slash[1]), Number(slash[2]), Number(slash[3]), order);
  }
  const example = order === 'MDY' ? 'M/D/YYYY, such as 12/31/2010' : 'D/M/YYYY, such as 31/12/2010';
  return failure(`is not a date: write YYYY-MM-DD, such as 2010-12-31, or ${example}`);
}

/**
 * Reads a date of a submission: `YYYY-MM-DD` or `M/D/YYYY`, with an optional time of day, which is dropped, or
 * `M/D/YY`. Returns `YYYY-MM-DD`, or undefined for any other text: dates are never guessed.
 */
export function readSubmittedDate(text: string): string | undefined {
  const iso = ISO_DATE.exec(text);
  if (iso !== null) {
    return isTimeOfDay(iso[5], true) ? toIsoDate(Number(iso[1]), Number(iso[2]), Number(iso[3])) : undefined;
  }
  const slash = SUBMITTED_SLASH_DATE.exec(text);
  if (slash?.[3] === undefined) return undefined;
  const hasShortYear = slash[3].length === 2;
  if (hasShortYear ? slash[4] !== undefined : !isTimeOfDay(slash[4], true)) return undefined;
  const year = hasShortYear ? expandYear(Number(slash[3])) : Number(slash[3]);
  return toIsoDate(year, Number(slash[1]), Number(slash[2]));
}

/** Returns the day number of a calendar date. Undefined when the calendar has no such date. */
export function toDay(year: number, month: number, day: number): Day | undefined {
  if (month < 1 || month > 12 || day < 1 || day > daysInMonth(year, month)) return undefined;
  // Date.UTC reads a year below 100 as one of the twentieth century. The calendar repeats after 400 years.
  return Date.UTC(year + 40_000, month - 1, day) / DAY_MS - DAYS_OF_40_000_YEARS;
}

/** Returns the day number of a valid `YYYY-MM-DD`. Throws for any other string. */
export function parseIsoDay(text: string): Day {
  const day = toDay(Number(text.slice(0, 4)), Number(text.slice(5, 7)), Number(text.slice(8, 10)));
  if (day === undefined) throw new Error(`not a calendar date: ${text}`);
  return day;
}

/** Returns the calendar date of a day number. */
export function toCalendarDate(day: Day): { readonly year: number; readonly month: number; readonly day: number } {
  const date = new Date(day * DAY_MS);
  return { year: date.getUTCFullYear(), month: date.getUTCMonth() + 1, day: date.getUTCDate() };
}

/** Formats a day number as `YYYY-MM-DD`. */
export function formatIsoDate(day: Day): string {
  const date = toCalendarDate(day);
  return `${String(date.year).padStart(4, '0')}-${padToTwoDigits(date.month)}-${padToTwoDigits(date.day)}`;
}

function readSlashDate(first: number, second: number, year: number, order: SlashDateOrder): Result<Day> {
  const [month, day] = order === 'MDY' ? [first, second] : [second, first];
  const dayNumber = toDay(year, month, day);
  if (dayNumber !== undefined) return success(dayNumber);
  if (toDay(year, day, month) === undefined) return failure(NOT_IN_CALENDAR);
  const writtenYear = String(year).padStart(4, '0');
  const slashDate = `${second}/${first}/${writtenYear}`;
  const iso = `${writtenYear}-${padToTwoDigits(day)}-${padToTwoDigits(month)}`;
  const rule = order === 'MDY' ? 'the month comes first' : 'the day comes first';
  return failure(`is not a date, because ${rule}: write ${iso} or ${slashDate}`);
}

function toIsoDate(year: number, month: number, day: number): string | undefined {
  if (toDay(year, month, day) === undefined) return undefined;
  return `${String(year).padStart(4, '0')}-${padToTwoDigits(month)}-${padToTwoDigits(day)}`;
}

function expandYear(twoDigitYear: number): number {
  const year = 1900 + twoDigitYear;
  return year < FIRST_TWO_DIGIT_YEAR ? year + 100 : year;
}

/** Submissions may have an hour of one digit and AM or PM, as spreadsheets write them. Queries may not. */
function isTimeOfDay(text: string | undefined, isSubmitted: boolean): boolean {
  if (text === undefined) return true;
  const withoutZone = text.replace(ZONE, '');
  if (isSubmitted) return TIME_OF_DAY.test(withoutZone.replace(MERIDIEM, ''));
  return TIME_OF_DAY.test(withoutZone) && /^\d{2}:/.test(withoutZone);
}

function daysInMonth(year: number, month: number): number {
  if (month === 2) return (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0 ? 29 : 28;
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31;
}

function padToTwoDigits(value: number): string {
  return String(value).padStart(2, '0');
}
