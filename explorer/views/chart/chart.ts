// What a chart shows, whether of totals or of sites: figures over the places of one axis, with round numbers on its
// axes. The screen, the picture and the table of a chart are all made of it.

import type { Named } from '../../state/kinds';

export interface Chart {
  readonly title: string;
  readonly unit: string;
  /** Says in words what is drawn, and what is filtered of it. */
  readonly subject: string;
  /** The series to choose from where the answer holds several that are not the same, and the one that is shown. */
  readonly choices: readonly Named[];
  readonly series: string;
  readonly axis: Axis;
  /** The places on the axis that have figures, in order. */
  readonly xs: readonly number[];
  readonly columns: readonly Column[];
  /** Those that a screen names below, in this order. */
  readonly legend: readonly Column[];
  readonly bands: readonly Band[];
  /** Whether the columns are bars that stand on each other; else they are lines. */
  readonly isStacked: boolean;
  /** What must be known to read it, in sentences. */
  readonly notes: readonly string[];
}

interface Axis {
  /** Above a table, and above the legend while nobody points at a place. */
  readonly name: string;
  readonly heading: string;
  readonly textOf: (x: number) => string;
  /** What has a text where a part of the axis takes so many pixels. */
  readonly ticksOf: (first: number, last: number, pixels: number) => readonly number[];
}

/** Below the axis, where a year stands for its first day. */
export function placeText({ axis }: Chart, x: number): string {
  return axis.textOf(x).replace(/-01-01$/, '');
}

export interface Column {
  /** In a table, and in a legend. */
  readonly name: string;
  readonly label: string;
  /** Undefined where it is a figure to read, or is in a band, and not drawn by itself. */
  readonly colour: string | undefined;
  /** One for each place: null where there is no figure, undefined where a line goes on to the next one. */
  readonly values: readonly (number | null | undefined)[];
  /** What they come to together, if that says anything. */
  readonly sum?: number | null | undefined;
}

/** What stands at each place from a figure to another, if anything: a bar on others, or a part of a band. */
export interface Spans {
  readonly colour: string;
  readonly spans: readonly (readonly [bottom: number, top: number] | null)[];
}

/** What columns that are not drawn reach from and to. */
export interface Band extends Spans {
  readonly label: string;
}

export interface DrawnColumn extends Column {
  readonly colour: string;
}

export function drawnOf({ columns }: Chart): readonly DrawnColumn[] {
  return columns.flatMap(({ colour, ...column }) => (colour === undefined ? [] : [{ ...column, colour }]));
}

/** The bars that stand on each other. */
export function stacked(chart: Chart): readonly Spans[] {
  const tops: number[] = [];
  return drawnOf(chart).map(({ colour, values }) => {
    const spans = values.map((value, at) => {
      if (typeof value !== 'number') return null;
      const bottom = tops[at] ?? 0;
      tops[at] = bottom + value;
      return [bottom, bottom + value] as const;
    });
    return { colour, spans };
  });
}

interface LinePoint {
  readonly at: number;
  readonly value: number;
  /** Whether the line begins or ends here; a point that is both has no neighbour to be joined to. */
  readonly isFirst: boolean;
  readonly isLast: boolean;
}

export function linePoints({ values }: Pick<Column, 'values'>): readonly LinePoint[] {
  const given = values.flatMap((value, at) => (value === undefined ? [] : [{ value, at }]));
  return given.flatMap(({ value, at }, index) => {
    if (value === null) return [];
    const before = given[index - 1]?.value ?? null;
    const after = given[index + 1]?.value ?? null;
    return [{ at, value, isFirst: before === null, isLast: after === null }];
  });
}

export type FigureTable = readonly (readonly (string | number | null)[])[];

/** The figures with their head; the first column is the place on the axis. */
export function tableOf({ axis, xs, columns }: Chart): FigureTable {
  return [
    [axis.name, ...columns.map(({ name }) => name)],
    ...xs.map((x, at) => [axis.textOf(x), ...columns.map(({ values }) => values[at] ?? null)]),
  ];
}

const STEPS = [1, 2, 2.5, 5, 10];

/** Quotients of decimals are off by less. */
const ROUNDING = 1e-9;

/** Round numbers between two bounds, about as many as wanted. */
export function ticksOf(lowest: number, highest: number, wanted: number): readonly number[] {
  const rough = (highest - lowest) / Math.max(1, wanted);
  if (!(rough > 0) || !Number.isFinite(rough)) return [lowest];
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = (STEPS.find((one) => one * power >= rough) ?? 10) * power;
  const first = Math.ceil(lowest / step - ROUNDING);
  const count = Math.floor(highest / step + ROUNDING) - first + 1;
  // Multiplied and not added up, so that no error grows.
  return Array.from({ length: count }, (_, index) => Number(((first + index) * step).toPrecision(12)));
}

/** From a million on in words. */
export function tickText(value: number): string {
  const large = { notation: 'compact', compactDisplay: 'long', useGrouping: true } as const;
  return value.toLocaleString('en-US', { maximumFractionDigits: 6, ...(Math.abs(value) < 1e6 ? {} : large) });
}
