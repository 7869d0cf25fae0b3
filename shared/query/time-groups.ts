// The values of time groupings (D39): which year, water year, month or decade a timeframe belongs to.

import { type Day, toCalendarDate } from '../values/dates';
import type { TimeGrouping } from './groupings';

/** A timeframe of so many days, both ends included, is a year's: that of a leap year has them. */
const MOST_DAYS_OF_A_YEAR = 366;

const OCTOBER = 10;

/** The calendar year of the last day; undefined when the timeframe is longer than a year. */
export function toYear(first: Day, last: Day): number | undefined {
  return isWithinYear(first, last) ? toCalendarDate(last).year : undefined;
}

/** Null when the timeframe is too long for it. */
export function toTimeGroup(time: TimeGrouping, first: Day, last: Day): string | null {
  const { year, month } = toCalendarDate(last);
  switch (time) {
    case 'Year':
      return isWithinYear(first, last) ? yearText(year) : null;
    case 'WaterYear':
      return isWithinYear(first, last) ? yearText(month >= OCTOBER ? year + 1 : year) : null;
    case 'Month': {
      const start = toCalendarDate(first);
      return start.year === year && start.month === month ? String(month).padStart(2, '0') : null;
    }
    case 'PriorityYear':
      return yearText(year);
    case 'PriorityDecade':
      return yearText(year - (year % 10));
  }
}

function isWithinYear(first: Day, last: Day): boolean {
  return last - first < MOST_DAYS_OF_A_YEAR;
}

function yearText(year: number): string {
  return String(year).padStart(4, '0');
}
