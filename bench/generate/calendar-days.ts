// Converts between dates and days since 1970-01-01.

const MILLISECONDS_A_DAY = 86_400_000;

/** `month` is from 1 to 12. A day or month out of range overflows into the next, as in `Date.UTC`. */
export function toDayNumber(year: number, month: number, day: number): number {
  return Date.UTC(year, month - 1, day) / MILLISECONDS_A_DAY;
}

/** Formats a day as YYYY-MM-DD. */
export function formatDay(day: number): string {
  return new Date(day * MILLISECONDS_A_DAY).toISOString().slice(0, 10);
}

export interface Timeframe {
  readonly year: number;
  readonly start: string;
  readonly end: string;
}

/** Whole calendar years, both ends included. */
export function listYears(first: number, last: number): Timeframe[] {
  return Array.from({ length: last - first + 1 }, (_, index) => {
    const year = first + index;
    return { year, start: `${year}-01-01`, end: `${year}-12-31` };
  });
}

/** Every month of these years. */
export function listMonths(first: number, last: number): Timeframe[] {
  return listYears(first, last).flatMap(({ year }) =>
    Array.from({ length: 12 }, (_, index) => ({
      year,
      start: formatDay(toDayNumber(year, index + 1, 1)),
      end: formatDay(toDayNumber(year, index + 2, 0)),
    })),
  );
}
