// The amounts of single sites as lines on one axis: a line for each site, or for each water year of each, laid over one
// another. Only amounts of one variable, unit, statistic and interval stand on one axis; a gap in time is a gap.

import { mostFrequent, seriesText, shownSeries } from '../../requests/totals';
import type { SiteAmount, SiteAmounts } from '../../requests/sites';
import { colourOf } from '../../state/palette';
import type { Band, Chart, Column } from './chart';

export interface Line {
  readonly name: string;
  /** The name in a legend: short where there is one site, and the year first, which is not cut. */
  readonly label: string;
  /** The place of its site. */
  readonly site: number;
  /** Undefined for a water year that is in the band of its site alone. */
  readonly colour: string | undefined;
  /** Ordered by x; y is null where a gap begins. */
  readonly points: readonly (readonly [x: number, y: number | null])[];
}

/** Lines that a person tells apart by their colour. */
const MOST_COLOURS = 8;

/** The pixels that a text below the axis needs. */
const MARK_WIDTH = 90;

/** Times the days that an amount stands for: when the next one begins later than that, at least one is missing. */
const GAP = 1.5;

const DAY_MS = 86_400_000;

export function linesOf(
  sites: readonly SiteAmounts[],
  chosen: string,
  isByWaterYear: boolean,
): Chart & { readonly lines: readonly Line[] } {
  const choices = mostFrequent(sites.flatMap(({ amounts }) => amounts.map(({ series }) => [series, 1])));
  const series = shownSeries(choices, chosen);
  const ownColours = Math.max(1, Math.floor(MOST_COLOURS / Math.max(1, sites.length)));
  const lines = sites.flatMap(({ name, amounts }, site) => {
    const shown = amounts.filter((amount) => amount.series === series);
    const usual = usualDistance(shown);
    if (!isByWaterYear)
      return [
        { name, label: name, site, colour: colourOf(site), points: pointsOf(shown, usual, ({ first }) => first) },
      ];
    return yearLines(shown, usual).map(({ year, points }, index, years): Line => {
      const fromNewest = years.length - 1 - index;
      const colour = fromNewest < ownColours ? colourOf(site * ownColours + fromNewest) : undefined;
      const label = sites.length === 1 ? String(year) : `${year}, ${name}`;
      return { name: `${name}, ${year}`, label, site, colour, points };
    });
  });
  const unit = sites.flatMap(({ amounts }) => amounts.find((one) => one.series === series) ?? [])[0]?.unit ?? '';
  const names = sites.map(({ name }) => name);
  const [xs, ...columns] = alignedLines(lines);
  const shown = lines.map(({ name, label, colour }, line): Column => {
    return { name: `${name} (${unit})`, label, colour, values: columns[line] ?? [] };
  });
  const drawn = shown.filter(({ colour }) => colour !== undefined);
  return {
    ...{ title: names.length === 1 ? names.join() : 'Sites side by side', unit, subject: seriesText(series) },
    ...{ choices, series, lines, xs, axis: dayAxis(isByWaterYear), isStacked: false },
    columns: shown,
    // The newest water year is drawn last, in front of the others, and named first.
    legend: isByWaterYear ? drawn.toReversed() : drawn,
    bands: bandsOf(lines, names, [xs, ...columns]),
  };
}

function dayAxis(isByWaterYear: boolean): Chart['axis'] {
  const ticksOf = isByWaterYear ? waterYearTicks : calendarTicks;
  return {
    ...{ name: isByWaterYear ? 'Day of the water year' : 'Day', heading: 'Point at the chart to read it' },
    textOf: (day) => dayText(Math.round(day), isByWaterYear),
    ticksOf: (from, to, pixels) => ticksOf(from, to, pixels / MARK_WIDTH),
  };
}

interface YearLine extends Pick<Line, 'points'> {
  readonly year: number;
}

/** October to September, named by its end (D39): a line for each in order, over the days since 1 October. */
function yearLines(amounts: readonly SiteAmount[], usual: number): readonly YearLine[] {
  const years = new Map<number, SiteAmount[]>();
  for (const amount of amounts) {
    const year = waterYearOf(amount.last);
    const list = years.get(year) ?? [];
    list.push(amount);
    years.set(year, list);
  }
  return [...years]
    .sort(([a], [b]) => a - b)
    .map(([year, list]) => ({ year, points: pointsOf(list, usual, ({ first }) => dayOfWaterYear(first, year)) }));
}

/** Since 1 October; 1 March is the same day in all years, so 29 February has a place that most years leave out. */
function dayOfWaterYear(day: number, year: number): number {
  const since = Math.max(0, day - Date.UTC(year - 1, 9, 1) / DAY_MS);
  const march = Date.UTC(year, 2, 1) / DAY_MS;
  return day >= march ? MARCH_OF_WATER_YEAR + day - march : since;
}

/** Days from 1 October to 1 March where there is a 29 February. */
const MARCH_OF_WATER_YEAR = 152;

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

/** The water years without a line of their own: for each site that has some a band, coloured as its newest line. */
function bandsOf(
  lines: readonly Line[],
  names: readonly string[],
  [xs, ...columns]: ReturnType<typeof alignedLines>,
): readonly Band[] {
  const sites = new Set(lines.filter(({ colour }) => colour === undefined).map(({ site }) => site));
  return [...sites].map((site) => {
    const others = lines.flatMap((line, index) =>
      line.site === site && line.colour === undefined ? [{ line, values: joined(columns[index] ?? [], xs) }] : [],
    );
    const years = others.map(({ line }) => line.name.slice(-4));
    const valuesAt = (at: number): readonly number[] => others.flatMap(({ values }) => values[at] ?? []);
    const newest = lines.filter((line) => line.site === site).at(-1);
    return {
      label: `${others.length} others, ${years[0] ?? ''} to ${years.at(-1) ?? ''}${names.length === 1 ? '' : `, ${names[site] ?? ''}`}`,
      colour: newest?.colour ?? '',
      low: xs.map((_, at) => (valuesAt(at).length === 0 ? null : Math.min(...valuesAt(at)))),
      high: xs.map((_, at) => (valuesAt(at).length === 0 ? null : Math.max(...valuesAt(at)))),
    };
  });
}

/** A line's values at each place as it is drawn: between two of its points on the way from one to the other. */
function joined(column: readonly (number | null | undefined)[], xs: readonly number[]): (number | null)[] {
  const values = column.map((value) => value ?? null);
  let last: number | undefined;
  for (const [at, value] of column.entries()) {
    if (value === undefined) continue;
    for (let between = (last ?? at) + 1; last !== undefined && value !== null && between < at; between++) {
      const share = ((xs[between] ?? 0) - (xs[last] ?? 0)) / ((xs[at] ?? 0) - (xs[last] ?? 0));
      values[between] = (column[last] ?? 0) + share * (value - (column[last] ?? 0));
    }
    last = value === null ? undefined : at;
  }
  return values;
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
function waterYearTicks(first: number, last: number, wanted: number): readonly number[] {
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
