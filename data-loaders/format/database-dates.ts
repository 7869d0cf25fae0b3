// Reads dates in the notations of databases and mainframes (D73): `26-OCT-1939`, `19391026`, `1939/10/26`. Only
// unambiguous dates are read; the year must have four digits.

import { formatIsoDate, toDay } from '../../shared/values/dates';

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const FULL_MONTHS = [
  'january',
  'february',
  'march',
  'april',
  'may',
  'june',
  'july',
  'august',
  'september',
  'october',
  'november',
  'december',
];

/** Matches a time of day, which is ignored. */
const TIME =
  /[T ](?:[01]?\d|2[0-3])[:.][0-5]\d(?:[:.][0-5]\d(?:[.,]\d+)?)?(?: ?[AP]M)?(?: ?(?:Z|UTC|GMT|[+-]\d{2}:?\d{2}))?$/i;

const DAY_MONTH_YEAR = /^(\d{1,2})(?:st|nd|rd|th)?[-\s./]+([a-z]+)\.?[-\s.,/]+(\d{4})$/i;
const MONTH_DAY_YEAR = /^([a-z]+)\.?[-\s./]+(\d{1,2})(?:st|nd|rd|th)?,?[-\s./]+(\d{4})$/i;
const YEAR_MONTH_DAY = /^(\d{4})[/.-](\d{1,2})[/.-](\d{1,2})$/;
const YEAR_MONTH_NAME_DAY = /^(\d{4})[-\s./]+([a-z]+)[-\s./]+(\d{1,2})$/i;
/** Matches digits, to which a spreadsheet or pandas may have added `.0`. */
const DIGITS = /^(\d{4})(\d{2})(\d{2})(?:\.0+)?$/;

/** The range of years. Numbers of eight digits with another year are not meant as dates. */
const YEARS = { from: 1500, to: 2200 };

/** The date as YYYY-MM-DD; undefined for any other text, and for a day that does not exist. */
export function readDatabaseDate(text: string): string | undefined {
  const date = text.replace(TIME, '').trim();
  const dayFirst = DAY_MONTH_YEAR.exec(date);
  if (dayFirst !== null) return toIsoDate(dayFirst[3], readMonthName(dayFirst[2]), dayFirst[1]);
  const monthFirst = MONTH_DAY_YEAR.exec(date);
  if (monthFirst !== null) return toIsoDate(monthFirst[3], readMonthName(monthFirst[1]), monthFirst[2]);
  const named = YEAR_MONTH_NAME_DAY.exec(date);
  if (named !== null) return toIsoDate(named[1], readMonthName(named[2]), named[3]);
  const numeric = YEAR_MONTH_DAY.exec(date) ?? DIGITS.exec(date);
  return numeric === null ? undefined : toIsoDate(numeric[1], Number(numeric[2]), numeric[3]);
}

function readMonthName(name = ''): number {
  const lower = name.toLowerCase();
  const short = lower === 'sept' ? 'sep' : lower;
  return 1 + Math.max(MONTHS.indexOf(short), FULL_MONTHS.indexOf(short));
}

function toIsoDate(yearText = '', month: number, dayText = ''): string | undefined {
  const year = Number(yearText);
  if (year < YEARS.from || year > YEARS.to) return undefined;
  const day = toDay(year, month, Number(dayText));
  return day === undefined ? undefined : formatIsoDate(day);
}

const INTEGER = /^-?\d+(?:\.0+)?$/;
const EXPONENT = /^-?\d(?:\.\d+)?E\+1[0-3]$/i;
const MS_PER_DAY = 86_400_000;
/** Larger than any plausible number of seconds. As milliseconds, it is 231 days. */
const MIN_MILLISECONDS = 20_000_000_000;
/** As seconds, this is more than 3 years after 1970. */
const MIN_SECONDS = 100_000_000;
const MAX_MILLISECONDS = 4_200_000_000_000;

/** Formats a number of milliseconds or seconds since 1970 as a date; undefined for any other text. */
export function explainEpochNumber(text: string): string | undefined {
  if (EXPONENT.test(text)) return 'a rounded number of milliseconds since 1970: export the date as YYYY-MM-DD';
  if (!INTEGER.test(text)) return undefined;
  const number = Number(text);
  const size = Math.abs(number);
  if (size >= MIN_MILLISECONDS && size <= MAX_MILLISECONDS) {
    return `milliseconds since 1970: write ${formatIsoDate(Math.floor(number / MS_PER_DAY))}`;
  }
  if (size >= MIN_SECONDS && size < MIN_MILLISECONDS) {
    return `seconds since 1970: write ${formatIsoDate(Math.floor((number * 1000) / MS_PER_DAY))}`;
  }
  return undefined;
}
