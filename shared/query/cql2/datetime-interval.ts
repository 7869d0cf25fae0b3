// Reads the value of the parameter datetime (D48): an instant, or two ends separated by a slash. An end may be open
// (`..` or empty), and one end may be an ISO 8601 duration, as in `2010-01-01/P1M` (ADR 0077).

import { type Day, formatIsoDate, readQueryDate, toCalendarDate, toDay } from '../../values/dates';
import { failure, type Result, success } from '../../values/result';
import type { Period } from '../condition';

interface Duration {
  readonly months: number;
  readonly seconds: number;
}

interface Instant {
  readonly day: Day;
  readonly secondOfDay: number;
}

type End =
  | { readonly kind: 'open' }
  | { readonly kind: 'invalid'; readonly problem: string }
  | ({ readonly kind: 'day' } & Instant)
  | ({ readonly kind: 'duration' } & Duration);

export function readInterval(text: string): Result<Period> {
  const ends = text.split('/');
  const [first = '', last = first] = ends;
  const start = readEnd(first);
  const end = readEnd(last);
  if (ends.length > 2) return failure(INTERVAL_SHAPES);
  if (ends.length === 1 && start.kind !== 'day' && start.kind !== 'invalid') return failure(INTERVAL_SHAPES);
  if (start.kind === 'invalid') return failure(start.problem);
  if (end.kind === 'invalid') return failure(end.problem);
  if (start.kind === 'duration') {
    return end.kind === 'day' ? success({ from: shiftDay(end, start, -1), to: end.day }) : failure(INTERVAL_SHAPES);
  }
  if (end.kind === 'duration') {
    return start.kind === 'day' ? success({ from: start.day, to: shiftDay(start, end, 1) }) : failure(INTERVAL_SHAPES);
  }
  if (start.kind === 'day' && end.kind === 'day' && start.day > end.day) {
    return failure(`begins on ${formatIsoDate(start.day)}, after its end on ${formatIsoDate(end.day)}`);
  }
  return success({
    ...(start.kind === 'day' ? { from: start.day } : {}),
    ...(end.kind === 'day' ? { to: end.day } : {}),
  });
}

const INTERVAL_SHAPES = 'must be a date, or two separated by /, one of which may be .. or a duration such as P1M';
const INVALID_DATE = 'has an invalid date: write 2010-12-31 or 2010-12-31T12:00:00Z';

/**
 * GDAL sends a comparison of any date column in this form. The answer would contain features that the user did not ask
 * for.
 */
const DATE_OF_GDAL = /^\d{4}-\d{2}-\d{2}T$/;
const DATE_WITHOUT_TIME =
  'has a T without a time, as GDAL sends for a comparison of a date column, but datetime has another meaning: ' +
  "in GDAL, write CAST(NAME AS character) < '1970/01/01'";

/**
 * QGIS up to 3.30 sends a comparison of any date column with such an open end, and does not filter the returned
 * features itself.
 */
const OPEN_END_OF_QGIS = /^(?:0000|9999)-/;
const END_WITHOUT_MEANING =
  'has an open end in year 0000 or 9999, as QGIS up to 3.30 sends for comparisons of any date column, but datetime compares ' +
  "the features' own times: in QGIS, write to_string(\"NAME\") >= '2021-01-01'; in a program, write the parameter " +
  "filter, such as NAME >= DATE('2021-01-01'), or .. for an open end";

const DATE = /^\d{4}-\d{2}-\d{2}(?:[Tt ](\d{2}):(\d{2})(?::(\d{2}))?|$)/;
const DURATION =
  /^P(?=\d|T\d)(?:(\d{1,4})Y)?(?:(\d{1,5})M)?(?:(\d{1,6})W)?(?:(\d{1,6})D)?(?:T(?=\d)(?:(\d{1,7})H)?(?:(\d{1,8})M)?(?:(\d{1,9})S)?)?$/i;
const DAY_SECONDS = 86_400;

function readEnd(text: string): End {
  if (text === '' || text === '..') return { kind: 'open' };
  const duration = DURATION.exec(text);
  if (duration !== null) {
    const [years = 0, months = 0, weeks = 0, days = 0, hours = 0, minutes = 0, seconds = 0] = readGroups(duration);
    const timeSeconds = (hours * 60 + minutes) * 60 + seconds;
    return { kind: 'duration', months: years * 12 + months, seconds: (weeks * 7 + days) * DAY_SECONDS + timeSeconds };
  }
  if (OPEN_END_OF_QGIS.test(text)) return { kind: 'invalid', problem: END_WITHOUT_MEANING };
  const date = DATE.exec(text);
  const day = date === null ? undefined : readQueryDate(text, 'MDY');
  if (date === null || day?.ok !== true) {
    return { kind: 'invalid', problem: DATE_OF_GDAL.test(text) ? DATE_WITHOUT_TIME : INVALID_DATE };
  }
  const [hours = 0, minutes = 0, seconds = 0] = readGroups(date);
  return { kind: 'day', day: day.value, secondOfDay: (hours * 60 + minutes) * 60 + seconds };
}

/** Returns the groups of a match as numbers; a missing group is 0. */
function readGroups([, ...groups]: readonly (string | undefined)[]): readonly number[] {
  return groups.map((group) => Number(group ?? 0));
}

/** Adds the months first, staying within the resulting month, and then the seconds. */
function shiftDay({ day, secondOfDay }: Instant, { months, seconds }: Duration, direction: 1 | -1): Day {
  const date = toCalendarDate(day);
  const month = date.year * 12 + date.month - 1 + direction * months;
  const year = Math.floor(month / 12);
  const monthOfYear = (((month % 12) + 12) % 12) + 1;
  // The resulting month may be shorter and lack the day. Its last day is at most three days earlier.
  const candidates = [0, 1, 2, 3].map((daysEarlier) => toDay(year, monthOfYear, date.day - daysEarlier));
  const shifted = candidates.find((candidate) => candidate !== undefined) ?? day;
  return shifted + Math.floor((secondOfDay + direction * seconds) / DAY_SECONDS);
}
