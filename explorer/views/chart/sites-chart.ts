// Builds the chart of single sites: a line for each site, or for each water year of each site. Only amounts of one
// series share an axis. A gap in time is drawn as a gap.

import { chooseSeries, formatSeries, rankSeries } from '../../requests/series';
import type { SiteAmount, SiteAmounts } from '../../requests/sites';
import { getColor, NOT_STATED_COLOR } from '../../state/palette';
import type { Band, Chart, Column } from './chart';

/** Ordered by x. A null y begins a gap. */
type Points = readonly (readonly [x: number, y: number | null])[];

interface Line extends Column {
  /** The index of its site. */
  readonly site: number;
}

/** As many colors as a person can distinguish. */
const MAX_COLORS = 8;

/** The width of an axis label, in pixels. */
const TICK_WIDTH = 90;

/** If the next amount begins later than this multiple of an amount's days, at least one is missing. */
const GAP_FACTOR = 1.5;

const DAY_MS = 86_400_000;

export function buildSitesChart(sites: readonly SiteAmounts[], chosen: string, isByWaterYear: boolean): Chart {
  const choices = rankSeries(sites.flatMap(({ amounts }) => amounts.map(({ series }) => [series, 1])));
  const series = chooseSeries(choices, chosen);
  const unit = sites.flatMap(({ amounts }) => amounts.find((one) => one.series === series) ?? [])[0]?.unit ?? '';
  const colorsPerSite = Math.max(1, Math.floor(MAX_COLORS / Math.max(1, sites.length)));
  const lines = sites.flatMap(({ name, amounts }, site) => {
    const shown = amounts.filter((amount) => amount.series === series);
    const usualDays = computeUsualDays(shown);
    if (!isByWaterYear) {
      const points = buildPoints(shown, usualDays, ({ first }) => first);
      return [{ name: `${name} (${unit})`, label: name, site, color: getColor(site), points }];
    }
    // A water year runs from October to September and is named by its end (D39).
    const years = [...Map.groupBy(shown, ({ last }) => getWaterYear(last))].sort(([a], [b]) => a - b);
    return years.map(([year, yearAmounts], index) => {
      const fromNewest = years.length - 1 - index;
      // Older water years appear only in the band of their site.
      const color = fromNewest < colorsPerSite ? getColor(site * colorsPerSite + fromNewest) : undefined;
      // The year comes first, because long labels are cut at the end.
      const label = sites.length === 1 ? String(year) : `${year}, ${name}`;
      const points = buildPoints(yearAmounts, usualDays, ({ first }) => toWaterYearDay(first, year));
      return { name: `${name}, ${year} (${unit})`, label, site, color, points };
    });
  });
  const names = sites.map(({ name }) => name);
  const xs = [...new Set(lines.flatMap(({ points }) => points.map(([x]) => x)))].sort((a, b) => a - b);
  const columns = lines.map(({ points, ...line }): Line => ({ ...line, values: alignValues(xs, points) }));
  const drawnColumns = columns.filter(({ color }) => color !== undefined);
  return {
    title: names.length === 1 ? names.join() : 'Compared sites',
    unit,
    subject: formatSeries(series),
    choices,
    series,
    positions: xs,
    columns,
    axis: buildDayAxis(isByWaterYear),
    isStacked: false,
    // The newest water year is drawn last, in front, and listed first.
    legend: isByWaterYear ? drawnColumns.toReversed() : drawnColumns,
    bands: buildBands(columns, names, xs),
    notes: sites.some(({ isTruncated }) => isTruncated)
      ? ['Only the first 50,000 measurements of a site are drawn.']
      : [],
  };
}

function buildDayAxis(isByWaterYear: boolean): Chart['axis'] {
  return {
    name: isByWaterYear ? 'Day of the water year' : 'Day',
    heading: 'Hover for values',
    format: (day) => {
      const date = new Date(Math.round(day) * DAY_MS);
      return isByWaterYear
        ? date.toLocaleDateString('en-US', { timeZone: 'UTC', month: 'short', day: 'numeric' })
        : date.toISOString().slice(0, 10);
    },
    getTicks: computeDayTicks,
  };
}

/** The same day in a leap water year. An amount that begins before its water year is moved to the first day. */
function toWaterYearDay(day: number, year: number): number {
  const date = new Date(Math.max(day * DAY_MS, Date.UTC(year - 1, 9, 1)));
  const month = date.getUTCMonth();
  return Date.UTC(month >= 9 ? 2003 : 2004, month, date.getUTCDate()) / DAY_MS;
}

export function getWaterYear(day: number): number {
  const date = new Date(day * DAY_MS);
  return date.getUTCFullYear() + (date.getUTCMonth() >= 9 ? 1 : 0);
}

/** The median distance in days between the amounts of a site; one day if there are fewer than three amounts. */
function computeUsualDays(amounts: readonly SiteAmount[]): number {
  const days = [...new Set(amounts.map(({ first }) => first))].sort((a, b) => a - b);
  const steps = days.slice(1).map((day, index) => day - (days[index] ?? day));
  return steps.length < 2 ? 1 : (steps.sort((a, b) => a - b)[Math.floor((steps.length - 1) / 2)] ?? 1);
}

function buildPoints(amounts: readonly SiteAmount[], usualDays: number, getX: (amount: SiteAmount) => number): Points {
  const sorted = amounts.toSorted((a, b) => a.first - b.first);
  return sorted.flatMap((amount, index): Points => {
    const { first, last } = amount;
    // An amount of several days covers these days. An amount of one day covers the usual distance.
    const days = last > first ? last - first + 1 : usualDays;
    const next = sorted[index + 1]?.first;
    const point = [getX(amount), amount.amount] as const;
    return next !== undefined && next - first > days * GAP_FACTOR ? [point, [point[0] + 1, null]] : [point];
  });
}

/**
 * The value of a line at each position: null throughout a gap, because the library interrupts a line only at null, and
 * undefined between two points of the line.
 */
function alignValues(xs: readonly number[], points: Points): Column['values'] {
  const figures = new Map(points);
  let isGap = false;
  return xs.map((x) => {
    const figure = figures.get(x);
    if (figure !== undefined) isGap = figure === null;
    return isGap ? null : figure;
  });
}

/** A band for each site with undrawn water years. */
function buildBands(lines: readonly Line[], names: readonly string[], xs: readonly number[]): readonly Band[] {
  const hidden = lines.filter(({ color }) => color === undefined);
  return [...Map.groupBy(hidden, ({ site }) => site)].map(([site, years]) => {
    const ofYears = years.map(({ values }) => interpolate(values, xs));
    const figures = xs.map((_, at) => ofYears.flatMap((values) => values[at] ?? []));
    const [first, last] = [years[0], years.at(-1)].map((year) => year?.label.slice(0, 4) ?? '');
    return {
      label: `Range of ${years.length} earlier years, ${first}–${last}${names.length === 1 ? '' : `, ${names[site] ?? ''}`}`,
      // No line has this color.
      color: NOT_STATED_COLOR,
      spans: figures.map((figuresAtDay) =>
        figuresAtDay.length === 0 ? null : [Math.min(...figuresAtDay), Math.max(...figuresAtDay)],
      ),
    };
  });
}

/** The values of a line at all positions, interpolated linearly between its points. */
function interpolate(column: Column['values'], xs: readonly number[]): (number | null)[] {
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

/** The first days of years, or of months if few years are visible, as many as fit. */
function computeDayTicks(first: number, last: number, pixels: number): readonly number[] {
  const months = ((last - first) / 365.25) * 12;
  const maxTicks = Math.max(1, pixels / TICK_WIDTH);
  const step = [1, 2, 3, 6, 12, 24, 60, 120, 240, 600].find((one) => months / one <= maxTicks) ?? 1200;
  const begin = new Date(first * DAY_MS);
  const from = Math.ceil((begin.getUTCFullYear() * 12 + begin.getUTCMonth()) / step) * step;
  const ticks = Array.from({ length: Math.ceil(months / step) + 1 }, (_, index) => from + index * step);
  const days = ticks.map((month) => Date.UTC(Math.floor(month / 12), month % 12, 1) / DAY_MS);
  return days.filter((day) => day >= first && day <= last);
}
