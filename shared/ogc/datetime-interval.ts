// The value of the parameter datetime (D48): an instant, or two ends with / between. An end may be open (`..` or
// nothing), and one of them a duration of ISO 8601, as `2010-01-01/P1M` (ADR 0077).

import { calendarDateOf, dayOf, isoDateOfDay, readQueryDate, type Day } from '../values/dates';
import { failure, success, type Result } from '../values/result';

/** Both ends included; missing ends are open. */
export interface DayInterval {
  readonly from?: Day;
  readonly to?: Day;
}

export function readInterval(text: string): Result<DayInterval> {
  const ends = text.split('/');
  const [first = '', last = first] = ends;
  const start = readEnd(first);
  const end = readEnd(last);
  if (ends.length > 2 || (ends.length === 1 && start.kind !== 'day' && start.kind !== 'wrong')) return failure(SHAPES);
  for (const one of [start, end]) if (one.kind === 'wrong') return failure(one.problem);
  if (start.kind === 'duration') {
    return end.kind === 'day' ? success({ from: shiftedDay(end, start, -1), to: end.day }) : failure(SHAPES);
  }
  if (end.kind === 'duration') {
    return start.kind === 'day' ? success({ from: start.day, to: shiftedDay(start, end, 1) }) : failure(SHAPES);
  }
  if (start.kind === 'day' && end.kind === 'day' && start.day > end.day) {
    return failure(`begins on ${isoDateOfDay(start.day)}, after its end on ${isoDateOfDay(end.day)}`);
  }
  return success({
    ...(start.kind === 'day' ? { from: start.day } : {}),
    ...(end.kind === 'day' ? { to: end.day } : {}),
  });
}

const SHAPES = 'must be a date, or two with / between, of which one may be .. or a duration such as P1M';
const NO_DATE = 'has a date that is none: write 2010-12-31 or 2010-12-31T12:00:00Z';

/** GDAL sends comparisons of any column of dates so. Answered, they would find other features than it was asked for. */
const DATE_OF_GDAL = /^\d{4}-\d{2}-\d{2}T$/;
const NO_TIME =
  'has a T without a time, as GDAL sends comparisons of a date column, and datetime compares otherwise: ' +
  "in GDAL, write CAST(NAME AS character) < '1970/01/01'";

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
  | { readonly kind: 'wrong'; readonly problem: string }
  | ({ readonly kind: 'day' } & Instant)
  | ({ readonly kind: 'duration' } & Duration);

const DATE = /^\d{4}-\d{2}-\d{2}(?:[Tt ](\d{2}):(\d{2})(?::(\d{2}))?|$)/;
const DURATION =
  /^P(?=\d|T\d)(?:(\d{1,4})Y)?(?:(\d{1,5})M)?(?:(\d{1,6})W)?(?:(\d{1,6})D)?(?:T(?=\d)(?:(\d{1,7})H)?(?:(\d{1,8})M)?(?:(\d{1,9})S)?)?$/i;
const DAY_SECONDS = 86_400;

function readEnd(text: string): End {
  if (text === '' || text === '..') return { kind: 'open' };
  const duration = DURATION.exec(text);
  if (duration !== null) {
    const [years = 0, months = 0, weeks = 0, days = 0, hours = 0, minutes = 0, seconds = 0] = numbersOf(duration);
    const ofDay = (hours * 60 + minutes) * 60 + seconds;
    return { kind: 'duration', months: years * 12 + months, seconds: (weeks * 7 + days) * DAY_SECONDS + ofDay };
  }
  const date = DATE.exec(text);
  const day = date === null ? undefined : readQueryDate(text, 'MDY');
  if (date === null || day?.ok !== true) {
    return { kind: 'wrong', problem: DATE_OF_GDAL.test(text) ? NO_TIME : NO_DATE };
  }
  const [hours = 0, minutes = 0, seconds = 0] = numbersOf(date);
  return { kind: 'day', day: day.value, secondOfDay: (hours * 60 + minutes) * 60 + seconds };
}

/** The groups of a match; what is not written counts as nothing. */
function numbersOf([, ...groups]: readonly (string | undefined)[]): readonly number[] {
  return groups.map((group) => Number(group ?? 0));
}

/** Months first, at most to the end of a shorter one; then the rest, from the time of day of the instant. */
function shiftedDay({ day, secondOfDay }: Instant, { months, seconds }: Duration, direction: 1 | -1): Day {
  const date = calendarDateOf(day);
  const month = date.year * 12 + date.month - 1 + direction * months;
  const [year, monthOfYear] = [Math.floor(month / 12), (((month % 12) + 12) % 12) + 1];
  const daysDown = [0, 1, 2, 3].map((less) => dayOf(year, monthOfYear, date.day - less));
  const shifted = daysDown.find((found) => found !== undefined) ?? day;
  return shifted + Math.floor((secondOfDay + direction * seconds) / DAY_SECONDS);
}
