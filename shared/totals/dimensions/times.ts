// The years and months that effective days give a record (D39).

import type { TimeGrouping } from '../../query/groupings';
import { calendarDateOf, type Day } from '../../values/dates';

/** A timeframe of so many days, both ends included, is a year's: that of a leap year has them. */
const MOST_DAYS_OF_A_YEAR = 366;

const OCTOBER = 10;

/** The calendar year of the last day; undefined when the timeframe is longer than a year. */
export function yearOf(first: Day, last: Day): number | undefined {
  return isWithinYear(first, last) ? calendarDateOf(last).year : undefined;
}

/** Null when the timeframe is too long for it. */
export function timeOf(time: TimeGrouping, first: Day, last: Day): string | null {
  const { year, month } = calendarDateOf(last);
  switch (time) {
    case 'Year':
      return isWithinYear(first, last) ? yearText(year) : null;
    case 'WaterYear':
      return isWithinYear(first, last) ? yearText(month >= OCTOBER ? year + 1 : year) : null;
    case 'Month': {
      const start = calendarDateOf(first);
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
