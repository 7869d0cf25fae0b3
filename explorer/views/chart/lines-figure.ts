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

/** Times the usual distance of two amounts: what is longer is a gap. */
const GAP = 2.5;

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
    return isByWaterYear
      ? yearLines(shown, name, site)
      : [{ name, site, points: pointsOf(shown, ({ first }) => first) }];
  });
  const unit = sites.flatMap(({ amounts }) => amounts.find((one) => one.series === series) ?? [])[0]?.unit ?? '';
  return { series, choices, unit, lines, isByWaterYear };
}

/** October to September, named by its end (D39): a line for each, over the days since 1 October. */
function yearLines(amounts: readonly SiteAmount[], name: string, site: number): readonly Line[] {
  const years = new Map<number, SiteAmount[]>();
  for (const amount of amounts) {
    const year = waterYearOf(amount.last);
    const list = years.get(year) ?? [];
    list.push(amount);
    years.set(year, list);
  }
  return [...years].map(([year, list]) => {
    const start = Date.UTC(year - 1, 9, 1) / DAY_MS;
    return { name: `${name}, ${year}`, site, points: pointsOf(list, ({ first }) => Math.max(0, first - start)) };
  });
}

export function waterYearOf(day: number): number {
  const date = new Date(day * DAY_MS);
  return date.getUTCFullYear() + (date.getUTCMonth() >= 9 ? 1 : 0);
}

function pointsOf(amounts: readonly SiteAmount[], xOf: (amount: SiteAmount) => number): Line['points'] {
  const sorted = amounts.map((amount) => [xOf(amount), amount.amount] as const).sort((a, b) => a[0] - b[0]);
  const steps = sorted.slice(1).map(([x], index) => x - (sorted[index]?.[0] ?? x));
  const usual = steps.toSorted((a, b) => a - b)[Math.floor(steps.length / 2)] ?? 0;
  return sorted.flatMap(([x, y], index): Line['points'] => {
    const step = steps[index];
    const isGap = step !== undefined && usual > 0 && step > usual * GAP;
    return isGap
      ? [
          [x, y],
          [x + usual, null],
        ]
      : [[x, y]];
  });
}

/** All places on the axis in order, and for each line what it has there; undefined where it has nothing to say. */
export function alignedLines(lines: readonly Line[]): readonly [readonly number[], ...(number | null | undefined)[][]] {
  const xs = [...new Set(lines.flatMap(({ points }) => points.map(([x]) => x)))].sort((a, b) => a - b);
  const places = new Map(xs.map((x, index) => [x, index]));
  const columns = lines.map(({ points }) => {
    const column = new Array<number | null | undefined>(xs.length).fill(undefined);
    for (const [x, y] of points) column[places.get(x) ?? 0] = y;
    return column;
  });
  return [xs, ...columns];
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
