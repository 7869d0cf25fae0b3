// What a chart of totals shows, made of the rows that the service added up: categories of time, and for each of them
// the pieces of a bar. Every figure is one of the answer; only what is gathered as "other" is added here.

import { numberOf, seriesName, seriesOf, shownSeries, textOf, type SeriesChoice } from '../../requests/added-series';
import type { TotalsAnswer, TotalsAnswerRow } from '../../requests/operations';
import { kindOf, labelOf, type Measure } from '../../state/kinds';
import { USE_COLOUR } from '../../state/map-kinds';
import { colourOf, colourOfUse } from '../../state/palette';
import { chartStackOf, type ExplorerState } from '../../state/state';

/** As many colours as can be told apart; what is beyond is one piece. */
const MOST_PIECES = 9;

const OTHER = 'all others';
const NONE = 'not stated';

export interface BarPiece {
  readonly name: string;
  readonly colour: string;
  /** One for each time; null where there is no figure. */
  readonly values: readonly (number | null)[];
}

export interface Figure {
  readonly title: string;
  readonly unit: string;
  /** Texts of the time axis, such as 1870 or 2004; each with its number. */
  readonly times: readonly string[];
  readonly pieces: readonly BarPiece[];
  /** The figure of each time in which a record counts once, whatever the pieces; null where there is none. */
  readonly whole: readonly (number | null)[];
  /** What people call it: means have no total. */
  readonly wholeName: string;
  /** What the pieces come to over all times; null for means, which do not add up. */
  readonly sums: readonly (number | null)[];
  readonly sumOfWhole: number | null;
  /** Whether pieces stand on each other: means do not add up, nor do shares of records that are in several. */
  readonly isStacked: boolean;
  /** Whether the pieces are shares of the whole, in percent. */
  readonly isOfShares: boolean;
  /** The series to choose from where the answer holds several that are not the same. */
  readonly choices: readonly SeriesChoice[];
  readonly series: string;
  /** Whether any record is in several pieces. */
  readonly overlaps: boolean;
  /** Records without a time, which the chart cannot show. */
  readonly untimed: number;
}

/** Statistics whose sum is an amount of water; a sum of means is none. */
const ADDED_UP = /Cumulative|Total|Sum/i;

/** The one that is chosen; else the first of the kind, but means of a series whose sum says nothing. */
export function measureOf({ kind, chart }: ExplorerState, totals?: TotalsAnswer): Measure {
  const { measures } = kindOf(kind);
  const usual = measures.find(({ form, name }) => {
    const [series] = form === 'count' || totals === undefined ? [] : seriesOf(totals.Totals);
    const shown = chart.series === '' ? (series?.name ?? '') : chart.series;
    return name !== 'Sum' || shown === '' || ADDED_UP.test(shown);
  });
  const found = measures.find(({ name }) => name === chart.measure) ?? usual;
  if (found === undefined) throw new Error(`nothing can be added up of ${kind}`);
  return found;
}

export function chartTimeOf({ kind, chart }: ExplorerState): string {
  return chart.time === '' ? (kindOf(kind).times[0]?.name ?? '') : chart.time;
}

/** `whole` has the rows of the same records by time alone. */
export function figureOf(answer: TotalsAnswer, state: ExplorerState, whole = answer): Figure {
  const [time, measure, stack] = [chartTimeOf(state), measureOf(state, whole), chartStackOf(state)];
  const choices = measure.form === 'amount' ? seriesOf(whole.Totals) : [];
  const series = shownSeries(choices, state.chart.series);
  const isOfSeries = (row: TotalsAnswerRow): boolean => measure.form === 'count' || seriesName(row) === series;
  const rows = answer.Totals.filter(isOfSeries);
  const rowsOfWhole = whole.Totals.filter(isOfSeries);
  const timed = rows.filter((row) => row[time] !== null);
  const times = everyTime(
    timed.map((row) => textOf(row[time])),
    time,
  );
  const groups = { time, measure: measure.name, times };
  const [only] = piecesOf(rowsOfWhole, { ...groups, stack: '' });
  const unit = measure.unit === '' ? textOf(rows[0]?.['AmountUnitCV'] ?? '') : measure.unit;
  // The service says whether records can be in several groups; the counts, whether any is.
  const overlaps = answer.GroupsOverlap && recordsOf(rows) > recordsOf(rowsOfWhole);
  const isMean = measure.name === 'Mean';
  const figure = {
    wholeName: isMean ? 'All together' : 'Total',
    title: `${measure.label} by ${labelOf(state.kind, time).toLowerCase()}`,
    ...{ unit, times, choices, series, overlaps },
    pieces: piecesOf(timed, { ...groups, stack }),
    whole: only?.values ?? times.map(() => null),
    untimed: recordsOf(rowsOfWhole.filter((row) => row[time] === null)),
  };
  const isOfShares = state.chart.isOfShares && stack !== '' && !isMean;
  const sumOfWhole = isMean ? null : sumOf(figure.whole);
  const sums = figure.pieces.map(({ values }) => (isMean ? null : sumOf(values)));
  const isStacked = !isMean && !(isOfShares && overlaps);
  if (!isOfShares) return { ...figure, sums, sumOfWhole, isStacked, isOfShares };
  return { ...sharesOf(figure), sums: sums.map((sum) => shareOf(sum, sumOfWhole)), sumOfWhole, isStacked, isOfShares };
}

function recordsOf(rows: readonly TotalsAnswerRow[]): number {
  return sumOf(rows.map((row) => numberOf(row['RecordsCount'])));
}

/** The same with each piece as its share of the whole of its time. */
function sharesOf<Shown extends Pick<Figure, 'title' | 'unit' | 'pieces' | 'whole'>>(figure: Shown): Shown {
  const { title, pieces, whole } = figure;
  return {
    ...figure,
    title: `Share of the ${title.toLowerCase()}`,
    unit: '%',
    pieces: pieces.map(({ values, ...piece }) => ({
      ...piece,
      values: values.map((value, at) => shareOf(value, whole[at] ?? null)),
    })),
  };
}

function shareOf(part: number | null, whole: number | null): number | null {
  return part === null || whole === null || whole <= 0 ? null : (100 * part) / whole;
}

interface Groups {
  readonly time: string;
  readonly stack: string;
  readonly measure: string;
  readonly times: readonly string[];
}

function piecesOf(rows: readonly TotalsAnswerRow[], { time, stack, measure, times }: Groups): readonly BarPiece[] {
  const places = new Map(times.map((text, index) => [text, index]));
  const pieces = new Map<string, (number | null)[]>();
  for (const row of rows) {
    const name = stack === '' ? '' : textOf(row[stack]) || NONE;
    const values = pieces.get(name) ?? times.map(() => null);
    pieces.set(name, values);
    const at = places.get(textOf(row[time]));
    const value = row[measure];
    if (at !== undefined && typeof value === 'number') values[at] = (values[at] ?? 0) + value;
  }
  const ordered = [...pieces]
    .filter(([, values]) => values.some((value) => value !== null))
    .map(([name, values]) => ({ name, values }))
    .sort((a, b) => sumOf(b.values) - sumOf(a.values) || (a.name < b.name ? -1 : 1));
  const shown = measure === 'Mean' ? ordered.slice(0, MOST_PIECES) : gathered(ordered);
  // A use has the colour that it has on maps.
  const colourAt = (name: string, index: number): string =>
    (stack === USE_COLOUR ? colourOfUse(name) : undefined) ?? colourOf(index);
  return shown.map(({ name, values }, index) => ({ name, values, colour: colourAt(name, index) }));
}

type Piece = Pick<BarPiece, 'name' | 'values'>;

/** The largest pieces, and the others as one. */
function gathered(pieces: readonly Piece[]): readonly Piece[] {
  if (pieces.length <= MOST_PIECES) return pieces;
  const [shown, others] = [pieces.slice(0, MOST_PIECES - 1), pieces.slice(MOST_PIECES - 1)];
  const values = (others[0]?.values ?? []).map((_, at) => {
    const given = others.flatMap((piece) => piece.values[at] ?? []);
    return given.length === 0 ? null : sumOf(given);
  });
  return [...shown, { name: OTHER, values }];
}

/** Times in order; years and decades between the first and the last, too, so that gaps are seen. */
function everyTime(found: readonly string[], time: string): readonly string[] {
  const sorted = [...new Set(found)].sort();
  const [first, last] = [Number(sorted[0]), Number(sorted.at(-1))];
  if (time === 'Month' || Number.isNaN(first) || last - first > 5000) return sorted;
  const step = time === 'PriorityDecade' ? 10 : 1;
  return Array.from({ length: (last - first) / step + 1 }, (_, index) => String(first + index * step));
}

function sumOf(values: readonly (number | null)[]): number {
  return values.reduce<number>((sum, value) => sum + (value ?? 0), 0);
}
