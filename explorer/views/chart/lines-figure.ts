// The amounts of single sites as lines on one axis: a line for each site, or for each water year of each, laid over one
// another. Only amounts of one variable, unit, statistic and interval stand on one axis; a gap in time is a gap.

import type { SiteAmount, SiteAmounts } from '../../requests/sites';

export interface Line {
  readonly name: string;
  /** The place of its site, which gives it its colour. */
  readonly site: number;
  /** Ordered by x; y is null where a gap begins. */
  readonly points: readonly (readonly [x: number, y: number | null])[];
}

export interface LinesFigure {
  readonly series: string;
  readonly choices: readonly string[];
  readonly unit: string;
  readonly lines: readonly Line[];
  readonly isByWaterYear: boolean;
}

/** Times the days that an amount stands for: when the next one begins later than that, at least one is missing. */
const GAP = 1.5;

const DAY_MS = 86_400_000;

export function linesOf(sites: readonly SiteAmounts[], chosen: string, isByWaterYear: boolean): LinesFigure {
  const counts = new Map<string, number>();
  for (const { amounts } of sites) {
    for (const { series } of amounts) counts.set(series, (counts.get(series) ?? 0) + 1);
  }
  const choices = [...counts].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1)).map(([name]) => name);
  const series = choices.includes(chosen) ? chosen : (choices[0] ?? '');
  const lines = sites.flatMap(({ name, amounts }, site) => {
    const shown = amounts.filter((amount) => amount.series === series);
    const usual = usualDistance(shown);
    return isByWaterYear
      ? yearLines(shown, usual, { name, site })
      : [{ name, site, points: pointsOf(shown, usual, ({ first }) => first) }];
  });
  const unit = sites.flatMap(({ amounts }) => amounts.find((one) => one.series === series) ?? [])[0]?.unit ?? '';
  return { series, choices, unit, lines, isByWaterYear };
}

/** October to September, named by its end (D39): a line for each, over the days since 1 October. */
function yearLines(amounts: readonly SiteAmount[], usual: number, { name, site }: Omit<Line, 'points'>): Line[] {
  const years = new Map<number, SiteAmount[]>();
  for (const amount of amounts) {
    const year = waterYearOf(amount.last);
    const list = years.get(year) ?? [];
    list.push(amount);
    years.set(year, list);
  }
  return [...years].map(([year, list]) => {
    const start = Date.UTC(year - 1, 9, 1) / DAY_MS;
    return { name: `${name}, ${year}`, site, points: pointsOf(list, usual, ({ first }) => Math.max(0, first - start)) };
  });
}

export function waterYearOf(day: number): number {
  const date = new Date(day * DAY_MS);
  return date.getUTCFullYear() + (date.getUTCMonth() >= 9 ? 1 : 0);
}

/** In days, over all amounts of a site; one day where two amounts alone say nothing about what is usual. */
function usualDistance(amounts: readonly SiteAmount[]): number {
  const days = [...new Set(amounts.map(({ first }) => first))].sort((a, b) => a - b);
  const steps = days.slice(1).map((day, index) => day - (days[index] ?? day));
  return steps.length < 2 ? 1 : (steps.sort((a, b) => a - b)[Math.floor((steps.length - 1) / 2)] ?? 1);
}

function pointsOf(amounts: readonly SiteAmount[], usual: number, xOf: (amount: SiteAmount) => number): Line['points'] {
  const sorted = amounts.toSorted((a, b) => a.first - b.first);
  return sorted.flatMap((amount, index): Line['points'] => {
    const { first, last } = amount;
    // An amount of several days stands for these, one of a day for the time until the next one usually comes.
    const days = last > first ? last - first + 1 : usual;
    const next = sorted[index + 1]?.first;
    const point = [xOf(amount), amount.amount] as const;
    return next !== undefined && next - first > days * GAP ? [point, [point[0] + 1, null]] : [point];
  });
}

/**
 * All places on the axis in order, and for each line what it has there: null all through a gap, since the library
 * goes on drawing wherever it finds no null; undefined where a line has nothing to say between two of its points.
 */
export function alignedLines(lines: readonly Line[]): readonly [readonly number[], ...(number | null | undefined)[][]] {
  const xs = [...new Set(lines.flatMap(({ points }) => points.map(([x]) => x)))].sort((a, b) => a - b);
  const places = new Map(xs.map((x, index) => [x, index]));
  const columns = lines.map(({ points }) => {
    const column = new Array<number | null | undefined>(xs.length).fill(undefined);
    let [after, isGap] = [0, false];
    for (const [x, y] of points) {
      const at = places.get(x) ?? 0;
      if (y !== null) {
        if (isGap) column.fill(null, after, at);
        column[at] = y;
        after = at + 1;
      }
      isGap = y === null;
    }
    return column;
  });
  return [xs, ...columns];
}

/** The places of points without a neighbour to be joined to: they are dots, however many points there are. */
export function isolatedPoints(column: readonly (number | null | undefined)[]): number[] {
  const given = column.flatMap((value, at) => (value === undefined ? [] : [{ value, at }]));
  const isNumber = (index: number): boolean => typeof given[index]?.value === 'number';
  return given.flatMap(({ at }, index) =>
    isNumber(index) && !isNumber(index - 1) && !isNumber(index + 1) ? [at] : [],
  );
}

/** The days on which years begin, or months where only a few years are shown: about as many as wanted. */
export function calendarTicks(first: number, last: number, wanted: number): readonly number[] {
  const months = ((last - first) / 365.25) * 12;
  const step = [1, 2, 3, 6, 12, 24, 60, 120, 240, 600].find((one) => months / one <= Math.max(1, wanted)) ?? 1200;
  const begin = new Date(first * DAY_MS);
  const from = Math.ceil((begin.getUTCFullYear() * 12 + begin.getUTCMonth()) / step) * step;
  const ticks = Array.from({ length: Math.ceil(months / step) + 1 }, (_, index) => from + index * step);
  const days = ticks.map((month) => Date.UTC(Math.floor(month / 12), month % 12, 1) / DAY_MS);
  return days.filter((day) => day >= first && day <= last);
}

/** The first day of a water year that has all days, 29 February too. */
const WATER_YEAR_START = Date.UTC(2003, 9, 1) / DAY_MS;

/** As calendarTicks, over the days of a water year. */
export function waterYearTicks(first: number, last: number, wanted: number): readonly number[] {
  const days = calendarTicks(first + WATER_YEAR_START, last + WATER_YEAR_START, wanted);
  return days.map((day) => day - WATER_YEAR_START);
}

/** A day since 1970 as YYYY-MM-DD, or one of a water year as a day of October to September. */
export function dayText(day: number, isByWaterYear: boolean): string {
  const date = new Date((isByWaterYear ? WATER_YEAR_START + day : day) * DAY_MS);
  return isByWaterYear
    ? date.toLocaleDateString('en-US', { timeZone: 'UTC', month: 'short', day: 'numeric' })
    : date.toISOString().slice(0, 10);
}
