// The model of a chart, whether of totals or of sites: figures along one axis. The screen, the picture and the table
// are all built from it.

import type { LabeledName } from '../../state/labels';

export interface Chart {
  readonly title: string;
  readonly unit: string;
  /** Describes the drawn records and their filters. */
  readonly subject: string;
  /** The series to choose from, if the answer has several, and the shown one. */
  readonly choices: readonly LabeledName[];
  readonly series: string;
  readonly axis: Axis;
  /** The positions on the axis that have figures, in order. */
  readonly positions: readonly number[];
  readonly columns: readonly Column[];
  /** The columns of the legend on the screen, in order. */
  readonly legend: readonly Column[];
  readonly bands: readonly Band[];
  /** Whether the columns are stacked bars; else they are lines. */
  readonly isStacked: boolean;
  /** Sentences that help to read the chart. */
  readonly notes: readonly string[];
}

interface Axis {
  /** The head of the table's first column, and of the legend while nothing is selected. */
  readonly name: string;
  readonly heading: string;
  readonly format: (x: number) => string;
  /** The labeled positions in a part of the axis of this width in pixels. */
  readonly getTicks: (first: number, last: number, pixels: number) => readonly number[];
}

/** The label below the axis. A year represents its first day. */
export function formatPosition({ axis }: Chart, x: number): string {
  return axis.format(x).replace(/-01-01$/, '');
}

export interface Column {
  /** The name in tables, and the label in legends. */
  readonly name: string;
  readonly label: string;
  /** Undefined if the column has no bars or line of its own: its figures are only listed, or it is part of a band. */
  readonly color: string | undefined;
  /** One per position: null breaks a line, undefined lets it continue to the next value. */
  readonly values: readonly (number | null | undefined)[];
  /** Their sum, if it is meaningful. */
  readonly sum?: number | null | undefined;
}

/** The range drawn at each position, if any: a stacked bar, or a part of a band. */
export interface Spans {
  readonly color: string;
  readonly spans: readonly (readonly [bottom: number, top: number] | null)[];
}

/** The range of the columns that have no line of their own. */
export interface Band extends Spans {
  readonly label: string;
}

export interface DrawnColumn extends Column {
  readonly color: string;
}

export function getDrawnColumns({ columns }: Chart): readonly DrawnColumn[] {
  return columns.flatMap(({ color, ...column }) => (color === undefined ? [] : [{ ...column, color }]));
}

/** Stacks the drawn columns. */
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
  /** Whether the line begins or ends here. A point that does both is isolated. */
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

/** The figures with a head row. The first column is the position on the axis. */
export function buildTable({ axis, positions, columns }: Chart): FigureTable {
  return [
    [axis.name, ...columns.map(({ name }) => name)],
    ...positions.map((x, index) => [axis.format(x), ...columns.map(({ values }) => values[index] ?? null)]),
  ];
}

const STEPS = [1, 2, 2.5, 5, 10];

/** Larger than the rounding errors of quotients. */
const ROUNDING = 1e-9;

/** Round numbers between two bounds, about `wantedCount` of them. */
export function computeTicks(lowest: number, highest: number, wantedCount: number): readonly number[] {
  const rough = (highest - lowest) / Math.max(1, wantedCount);
  if (!(rough > 0) || !Number.isFinite(rough)) return [lowest];
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = (STEPS.find((one) => one * power >= rough) ?? 10) * power;
  const first = Math.ceil(lowest / step - ROUNDING);
  const count = Math.floor(highest / step + ROUNDING) - first + 1;
  // The step between very small numbers would round to zero.
  if (!Number.isFinite(count)) return [lowest];
  // Multiplied, not accumulated, to avoid growing errors.
  return Array.from({ length: count }, (_, index) => Number(((first + index) * step).toPrecision(12)));
}

/** Uses words from a million on. */
export function formatTick(value: number): string {
  const large = { notation: 'compact', compactDisplay: 'long', useGrouping: true } as const;
  return value.toLocaleString('en-US', { maximumFractionDigits: 6, ...(Math.abs(value) < 1e6 ? {} : large) });
}
