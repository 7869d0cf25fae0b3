// The values of time groupings (D39): the year, water year, month or decade of a timeframe.

import { type Day, toCalendarDate } from '../values/dates';
import type { TimeGrouping } from './groupings';

/** The length of a leap year in days. */
const MAX_DAYS_OF_YEAR = 366;

const OCTOBER = 10;

/** Returns the calendar year of the last day; undefined if the timeframe is longer than a year. */
export function toYear(first: Day, last: Day): number | undefined {
  return isWithinYear(first, last) ? toCalendarDate(last).year : undefined;
}

/** Null if the timeframe is too long for the grouping. */
export function toTimeGroup(time: TimeGrouping, first: Day, last: Day): string | null {
  const { year, month } = toCalendarDate(last);
  switch (time) {
    case 'Year':
      return isWithinYear(first, last) ? formatYear(year) : null;
    case 'WaterYear':
      return isWithinYear(first, last) ? formatYear(month >= OCTOBER ? year + 1 : year) : null;
    case 'Month': {
      const start = toCalendarDate(first);
      return start.year === year && start.month === month ? String(month).padStart(2, '0') : null;
    }
    case 'PriorityYear':
      return formatYear(year);
    case 'PriorityDecade':
      return formatYear(year - (year % 10));
  }
}

function isWithinYear(first: Day, last: Day): boolean {
  return last - first < MAX_DAYS_OF_YEAR;
}

function formatYear(year: number): string {
  return String(year).padStart(4, '0');
}
