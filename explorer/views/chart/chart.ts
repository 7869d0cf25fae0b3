// The model of a chart, whether of totals or of sites: figures along one axis. The screen, the picture and the table
// are all built from it.

import type { LabeledName } from '../../state/labels';

export interface Chart {
  readonly title: string;
  readonly unit: string;
  /** Says in words what is drawn, and what is filtered of it. */
  readonly subject: string;
  /** The series to choose from where the answer holds several that are not the same, and the one that is shown. */
  readonly choices: readonly LabeledName[];
  readonly series: string;
  readonly axis: Axis;
  /** The places on the axis that have figures, in order. */
  readonly positions: readonly number[];
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
  readonly format: (x: number) => string;
  /** What has a text where a part of the axis takes so many pixels. */
  readonly getTicks: (first: number, last: number, pixels: number) => readonly number[];
}

/** Below the axis, where a year stands for its first day. */
export function formatPosition({ axis }: Chart, x: number): string {
  return axis.format(x).replace(/-01-01$/, '');
}

export interface Column {
  /** In a table, and in a legend. */
  readonly name: string;
  readonly label: string;
  /** Undefined where it is a figure to read, or is in a band, and not drawn by itself. */
  readonly color: string | undefined;
  /** One for each place: null where there is no figure, undefined where a line goes on to the next one. */
  readonly values: readonly (number | null | undefined)[];
  /** What they come to together, if that says anything. */
  readonly sum?: number | null | undefined;
}

/** What stands at each place from a figure to another, if anything: a bar on others, or a part of a band. */
export interface Spans {
  readonly color: string;
  readonly spans: readonly (readonly [bottom: number, top: number] | null)[];
}

/** What columns that are not drawn reach from and to. */
export interface Band extends Spans {
  readonly label: string;
}

export interface DrawnColumn extends Column {
  readonly color: string;
}

export function getDrawnColumns({ columns }: Chart): readonly DrawnColumn[] {
  return columns.flatMap(({ color, ...column }) => (color === undefined ? [] : [{ ...column, color }]));
}

/** The bars that stand on each other. */
export function stackColumns(chart: Chart): readonly Spans[] {
  const tops: number[] = [];
  return getDrawnColumns(chart).map(({ color, values }) => {
    const spans = values.map((value, index) => {
      if (typeof value !== 'number') return null;
      const bottom = tops[index] ?? 0;
      tops[index] = bottom + value;
      return [bottom, bottom + value] as const;
    });
    return { color, spans };
  });
}

interface LinePoint {
  readonly index: number;
  readonly value: number;
  /** Whether the line begins or ends here; a point that is both has no neighbour to be joined to. */
  readonly isFirst: boolean;
  readonly isLast: boolean;
}

export function listLinePoints({ values }: Pick<Column, 'values'>): readonly LinePoint[] {
  const points = values.flatMap((value, index) => (value === undefined ? [] : [{ value, index }]));
  return points.flatMap(({ value, index }, pointIndex) => {
    if (value === null) return [];
    const previousValue = points[pointIndex - 1]?.value ?? null;
    const nextValue = points[pointIndex + 1]?.value ?? null;
    return [{ index, value, isFirst: previousValue === null, isLast: nextValue === null }];
  });
}

export type FigureTable = readonly (readonly (string | number | null)[])[];

/** The figures with their head; the first column is the place on the axis. */
export function buildTable({ axis, positions, columns }: Chart): FigureTable {
  return [
    [axis.name, ...columns.map(({ name }) => name)],
    ...positions.map((x, index) => [axis.format(x), ...columns.map(({ values }) => values[index] ?? null)]),
  ];
}

const STEPS = [1, 2, 2.5, 5, 10];

/** Quotients of decimals are off by less. */
const ROUNDING = 1e-9;

/** Round numbers between two bounds, about as many as wanted. */
export function computeTicks(lowest: number, highest: number, wantedCount: number): readonly number[] {
  const rough = (highest - lowest) / Math.max(1, wantedCount);
  if (!(rough > 0) || !Number.isFinite(rough)) return [lowest];
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = (STEPS.find((one) => one * power >= rough) ?? 10) * power;
  const first = Math.ceil(lowest / step - ROUNDING);
  const count = Math.floor(highest / step + ROUNDING) - first + 1;
  // Multiplied and not added up, so that no error grows.
  return Array.from({ length: count }, (_, index) => Number(((first + index) * step).toPrecision(12)));
}

/** From a million on in words. */
export function formatTick(value: number): string {
  const large = { notation: 'compact', compactDisplay: 'long', useGrouping: true } as const;
  return value.toLocaleString('en-US', { maximumFractionDigits: 6, ...(Math.abs(value) < 1e6 ? {} : large) });
}
