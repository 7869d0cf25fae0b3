// The amounts of single sites as lines on one axis: a line for each site, or for each water year of each, laid over one
// another. Only amounts of one variable, unit, statistic and interval stand on one axis; a gap in time is a gap.

import type { SiteAmount, SiteAmounts } from '../../requests/sites';
import { mostFrequent, seriesText, shownSeries } from '../../requests/totals';
import { colourOf } from '../../state/palette';
import type { Band, Chart, Column } from './chart';

/** Ordered by x; y is null where a gap begins. */
type Points = readonly (readonly [x: number, y: number | null])[];

interface Line extends Column {
  /** The place of its site. */
  readonly site: number;
}

/** Lines that a person tells apart by their colour. */
const MOST_COLOURS = 8;

/** The pixels that a text below the axis needs. */
const MARK_WIDTH = 90;

/** Times the days that an amount stands for: when the next one begins later than that, at least one is missing. */
const GAP = 1.5;

const DAY_MS = 86_400_000;

export function linesOf(sites: readonly SiteAmounts[], chosen: string, isByWaterYear: boolean): Chart {
  const choices = mostFrequent(sites.flatMap(({ amounts }) => amounts.map(({ series }) => [series, 1])));
  const series = shownSeries(choices, chosen);
  const unit = sites.flatMap(({ amounts }) => amounts.find((one) => one.series === series) ?? [])[0]?.unit ?? '';
  const ownColours = Math.max(1, Math.floor(MOST_COLOURS / Math.max(1, sites.length)));
  const lines = sites.flatMap(({ name, amounts }, site) => {
    const shown = amounts.filter((amount) => amount.series === series);
    const usual = usualDistance(shown);
    if (!isByWaterYear) {
      const points = pointsOf(shown, usual, ({ first }) => first);
      return [{ name: `${name} (${unit})`, label: name, site, colour: colourOf(site), points }];
    }
    // October to September, named by its end (D39).
    const years = [...Map.groupBy(shown, ({ last }) => waterYearOf(last))].sort(([a], [b]) => a - b);
    return years.map(([year, ofYear], index) => {
      const fromNewest = years.length - 1 - index;
      // Older ones are in the band of their site alone.
      const colour = fromNewest < ownColours ? colourOf(site * ownColours + fromNewest) : undefined;
      // The year first, which is not cut.
      const label = sites.length === 1 ? String(year) : `${year}, ${name}`;
      const points = pointsOf(ofYear, usual, ({ first }) => placeInWaterYear(first, year));
      return { name: `${name}, ${year} (${unit})`, label, site, colour, points };
    });
  });
  const names = sites.map(({ name }) => name);
  const xs = [...new Set(lines.flatMap(({ points }) => points.map(([x]) => x)))].sort((a, b) => a - b);
  const columns = lines.map(({ points, ...line }): Line => ({ ...line, values: valuesAt(xs, points) }));
  const drawn = columns.filter(({ colour }) => colour !== undefined);
  return {
    title: names.length === 1 ? names.join() : 'Sites side by side',
    unit,
    subject: seriesText(series),
    choices,
    series,
    xs,
    columns,
    axis: dayAxis(isByWaterYear),
    isStacked: false,
    // The newest water year is drawn last, in front of the others, and named first.
    legend: isByWaterYear ? drawn.toReversed() : drawn,
    bands: bandsOf(columns, names, xs),
    notes: sites.some(({ isCut }) => isCut) ? ['Only the first 50,000 amounts of a site are drawn.'] : [],
  };
}

function dayAxis(isByWaterYear: boolean): Chart['axis'] {
  return {
    name: isByWaterYear ? 'Day of the water year' : 'Day',
    heading: 'Point at the chart to read it',
    textOf: (day) => {
      const date = new Date(Math.round(day) * DAY_MS);
      return isByWaterYear
        ? date.toLocaleDateString('en-US', { timeZone: 'UTC', month: 'short', day: 'numeric' })
        : date.toISOString().slice(0, 10);
    },
    ticksOf: dayTicks,
  };
}

/** The same day of a water year that has every day; what begins before its year stands on the first one. */
function placeInWaterYear(day: number, year: number): number {
  const date = new Date(Math.max(day * DAY_MS, Date.UTC(year - 1, 9, 1)));
  const month = date.getUTCMonth();
  return Date.UTC(month >= 9 ? 2003 : 2004, month, date.getUTCDate()) / DAY_MS;
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

function pointsOf(amounts: readonly SiteAmount[], usual: number, xOf: (amount: SiteAmount) => number): Points {
  const sorted = amounts.toSorted((a, b) => a.first - b.first);
  return sorted.flatMap((amount, index): Points => {
    const { first, last } = amount;
    // An amount of several days stands for these, one of a day for the time until the next one usually comes.
    const days = last > first ? last - first + 1 : usual;
    const next = sorted[index + 1]?.first;
    const point = [xOf(amount), amount.amount] as const;
    return next !== undefined && next - first > days * GAP ? [point, [point[0] + 1, null]] : [point];
  });
}

/**
 * What a line has at each place: null all through a gap, since the library goes on drawing wherever it finds no null;
 * undefined where it has nothing to say between two of its points.
 */
function valuesAt(xs: readonly number[], points: Points): Column['values'] {
  const figures = new Map(points);
  let isGap = false;
  return xs.map((x) => {
    const figure = figures.get(x);
    if (figure !== undefined) isGap = figure === null;
    return isGap ? null : figure;
  });
}

/** For each site with water years that are not drawn by themselves a band of these, coloured as its newest one. */
function bandsOf(lines: readonly Line[], names: readonly string[], xs: readonly number[]): readonly Band[] {
  const hidden = lines.filter(({ colour }) => colour === undefined);
  return [...Map.groupBy(hidden, ({ site }) => site)].map(([site, years]) => {
    const ofYears = years.map(({ values }) => joined(values, xs));
    const figures = xs.map((_, at) => ofYears.flatMap((values) => values[at] ?? []));
    const [first, last] = [years[0], years.at(-1)].map((year) => year?.label.slice(0, 4) ?? '');
    return {
      label: `${years.length} others, ${first} to ${last}${names.length === 1 ? '' : `, ${names[site] ?? ''}`}`,
      colour: lines.findLast((line) => line.site === site)?.colour ?? '',
      spans: figures.map((some) => (some.length === 0 ? null : [Math.min(...some), Math.max(...some)])),
    };
  });
}

/** A line's values at each place as it is drawn: between two of its points on the way from one to the other. */
function joined(column: Column['values'], xs: readonly number[]): (number | null)[] {
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

/** The days on which years begin, or months where only a few years are shown: as many as have room. */
function dayTicks(first: number, last: number, pixels: number): readonly number[] {
  const months = ((last - first) / 365.25) * 12;
  const most = Math.max(1, pixels / MARK_WIDTH);
  const step = [1, 2, 3, 6, 12, 24, 60, 120, 240, 600].find((one) => months / one <= most) ?? 1200;
  const begin = new Date(first * DAY_MS);
  const from = Math.ceil((begin.getUTCFullYear() * 12 + begin.getUTCMonth()) / step) * step;
  const ticks = Array.from({ length: Math.ceil(months / step) + 1 }, (_, index) => from + index * step);
  const days = ticks.map((month) => Date.UTC(Math.floor(month / 12), month % 12, 1) / DAY_MS);
  return days.filter((day) => day >= first && day <= last);
}
