// What a chart shows as shapes and as a table: for files, and for those who read figures and no picture.

import { kindOf } from '../../state/kinds';
import { colourOf } from '../../state/palette';
import type { ExplorerState } from '../../state/state';
import type { Drawing } from './chart-files';
import { chartTimeOf, type Figure } from './chart-figure';
import { seriesText } from '../../requests/added-series';
import { columnText } from '../parts/cells';
import { alignedLines, bandsOf, dayText, type LinesFigure } from './lines-figure';
import { everyNth } from './ticks';

/** Texts that fit on the horizontal axis of a picture. */
const MOST_MARKS = 16;

/** The share of its place that a bar takes. */
const BAR = 0.8;

export type FigureTable = readonly (readonly (string | number | null)[])[];

/** The bottoms and tops of each piece, time after time. */
export function stacked({ pieces, times }: Figure): readonly (readonly (readonly [number, number] | null)[])[] {
  const tops = times.map(() => 0);
  return pieces.map(({ values }) =>
    values.map((value, at) => {
      if (value === null) return null;
      const bottom = tops[at] ?? 0;
      tops[at] = bottom + value;
      return [bottom, bottom + value];
    }),
  );
}

export function barDrawing(figure: Figure, subject: string): Drawing {
  const { times, pieces, unit, title, isStacked } = figure;
  const count = Math.max(1, times.length);
  const spans = stacked(figure);
  const tops = isStacked
    ? spans.flat().map((span) => span?.[1] ?? 0)
    : pieces.flatMap(({ values }) => numbersIn(values));
  const step = everyNth(count, MOST_MARKS);
  return {
    ...{ title, unit, subject },
    marks: times.flatMap((text, at) => (at % step === 0 ? [{ at: (at + 0.5) / count, text }] : [])),
    legend: pieces.map(({ name, colour }) => ({ text: name, colour })),
    highest: Math.max(0, ...tops) || 1,
    lowest: Math.min(0, ...tops),
    bands: [],
    bars: isStacked
      ? spans.flatMap((list, piece) =>
          list.flatMap((span, at) => {
            if (span === null) return [];
            const from = (at + (1 - BAR) / 2) / count;
            return [
              { colour: pieces[piece]?.colour ?? '', from, to: from + BAR / count, bottom: span[0], top: span[1] },
            ];
          }),
        )
      : [],
    lines: isStacked
      ? []
      : pieces.map(({ values, colour }) => ({
          colour,
          points: values.map((value, at) => (value === null ? null : ([(at + 0.5) / count, value] as const))),
        })),
  };
}

export function lineDrawing(figure: LinesFigure): Drawing {
  const { lines, sites, series, unit, isByWaterYear } = figure;
  const [xs] = alignedLines(lines);
  const bands = bandsOf(figure);
  const coloured = lines.flatMap(({ colour, ...line }) =>
    colour === undefined ? [] : [{ ...line, colour: colourOf(colour) }],
  );
  const [first = 0, last = 1] = [xs[0], xs.at(-1)];
  const span = last - first || 1;
  const values = lines.flatMap(({ points }) => numbersIn(points.map(([, y]) => y)));
  const marks = Array.from({ length: 9 }, (_, index) => index / 8);
  return {
    ...{ title: sites.length === 1 ? sites.join() : 'Sites side by side', unit, subject: seriesText(series) },
    marks: marks.map((at) => ({ at, text: dayText(Math.round(first + at * span), isByWaterYear) })),
    legend: [
      ...coloured.map(({ label, colour }) => ({ text: label, colour })),
      ...bands.map(({ name, colour }) => ({ text: name, colour: colourOf(colour), isBand: true })),
    ],
    highest: values.reduce((most, value) => Math.max(most, value), 0) || 1,
    lowest: values.reduce((least, value) => Math.min(least, value), 0),
    bars: [],
    bands: bands.map(({ colour, low, high }) => ({
      colour: colourOf(colour),
      points: xs.map((x, at) => {
        const [bottom, top] = [low[at] ?? null, high[at] ?? null];
        return bottom === null || top === null ? null : ([(x - first) / span, bottom, top] as const);
      }),
    })),
    lines: coloured.map(({ colour, points }) => ({
      colour,
      points: points.map(([x, y]) => (y === null ? null : ([(x - first) / span, y] as const))),
    })),
  };
}

function numbersIn(values: readonly (number | null)[]): readonly number[] {
  return values.filter((value) => value !== null);
}

/** The figures with their head; the first column is the time. */
export function figureTable(figure: Figure, state: ExplorerState): FigureTable {
  const { times, pieces, unit, whole, wholeName, isOfShares } = figure;
  // Shares are of a whole that is in another unit.
  const wholes = pieces.length < 2 || isOfShares ? [] : [{ name: wholeName, values: whole }];
  const columns = [...pieces, ...wholes];
  const names = columns.map(({ name }) => (name === '' ? unit : `${name} (${unit})`));
  return [
    [columnText(chartTimeOf(state)), ...names],
    ...times.map((time, at) => [time, ...columns.map(({ values }) => values[at] ?? null)]),
  ];
}

export function linesTable({ lines, unit, isByWaterYear }: LinesFigure): FigureTable {
  const [xs, ...columns] = alignedLines(lines);
  return [
    [isByWaterYear ? 'Day of the water year' : 'Day', ...lines.map(({ name }) => `${name} (${unit})`)],
    ...xs.map((x, at) => [dayText(x, isByWaterYear), ...columns.map((column) => column[at] ?? null)]),
  ];
}

/** Says in words what is drawn: the kind and what is filtered of it. */
export function subjectOf({ kind, filters }: ExplorerState): string {
  const values = Object.values(filters)
    .flat()
    .filter((value) => value.length < 40);
  return [kindOf(kind).many, ...values].join(', ');
}
