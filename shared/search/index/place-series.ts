// What the records at each place of a release add up to (D42, ADR 0057), counted when the release is built. Amounts
// stand by place and variable (D17), so each series is a stretch of records that follow each other.

import { toNarrowNumbers, type NarrowNumbers, Sections, writeSections } from '../../values/bytes/sections';
import type { DaySpan } from '../../values/dates';
import { numberAt, getRangeStart } from '../../values/numbers';
import { NO_DAY } from './column-format';

/** The amounts of one variable at one place. */
export interface CountedSeries {
  /** The number of the variable within its kind. */
  readonly variable: number;
  readonly records: number;
  /** Distinct years of D39. */
  readonly years: number;
  /** Undefined when no record has effective dates. */
  readonly days: DaySpan | undefined;
}

const COLUMNS = 5;

/** The columns of the series of a release, place by place, those of a place by variable. */
export interface PlaceSeries {
  /** The series of the place of rank r stand from `ends[r - 1]` to before `ends[r]`. */
  readonly ends: Uint32Array;
  readonly variables: NarrowNumbers;
  /** The records of series s have the numbers from `recordEnds[s - 1]` to before `recordEnds[s]`. */
  readonly recordEnds: Uint32Array;
  readonly years: NarrowNumbers;
  readonly firstDays: Int32Array;
  readonly lastDays: Int32Array;
  readonly byteLength: number;
}

/** Collects series in the order of their records: a release can have as many as records. */
export class PlaceSeriesBuilder {
  /** By rank, how many series the place has. */
  private readonly counts: Uint32Array;
  /** Five numbers a series, as `add` writes them. */
  private readonly columns: number[] = [];

  constructor(places: number) {
    this.counts = new Uint32Array(places);
  }

  add(rank: number, { variable, records, years, days }: CountedSeries): void {
    this.counts[rank] = numberAt(this.counts, rank) + 1;
    this.columns.push(variable, records, years, days?.first ?? NO_DAY, days?.last ?? NO_DAY);
  }

  build(): Uint8Array {
    const series = this.columns.length / COLUMNS;
    const column = (index: number): Int32Array =>
      Int32Array.from({ length: series }, (_, at) => numberAt(this.columns, at * COLUMNS + index));
    const narrow = (index: number): NarrowNumbers => toNarrowNumbers(Uint32Array.from(column(index)));
    const header = Uint32Array.of(this.counts.length, series);
    return writeSections([header, toNarrowNumbers(this.counts), narrow(0), narrow(1), narrow(2), column(3), column(4)]);
  }
}

export function readPlaceSeries(content: Uint8Array): PlaceSeries {
  const sections = new Sections(content);
  const [places = 0, series = 0] = sections.numbers(Uint32Array, 0);
  const ends = toRunningSums(sections.narrow(1, places));
  const recordEnds = toRunningSums(sections.narrow(3, series));
  return {
    ends,
    variables: sections.narrow(2, series),
    recordEnds,
    years: sections.narrow(4, series),
    firstDays: sections.numbers(Int32Array, 5),
    lastDays: sections.numbers(Int32Array, 6),
    byteLength: content.byteLength + ends.byteLength + recordEnds.byteLength,
  };
}

/** The series of a place, by variable; none of a place to which no record refers. */
export function listPlaceSeries(series: PlaceSeries, rank: number): readonly CountedSeries[] {
  const found: CountedSeries[] = [];
  for (let at = getRangeStart(series.ends, rank); at < numberAt(series.ends, rank); at++) {
    const first = numberAt(series.firstDays, at);
    found.push({
      variable: numberAt(series.variables, at),
      records: numberAt(series.recordEnds, at) - getRangeStart(series.recordEnds, at),
      years: numberAt(series.years, at),
      days: first === NO_DAY ? undefined : { first, last: numberAt(series.lastDays, at) },
    });
  }
  return found;
}

/** From the first to the last day of all its series; undefined where none has dates. */
export function getPlaceSpan(series: PlaceSeries, rank: number): CountedSeries['days'] {
  let first = Infinity;
  let last = -Infinity;
  for (let at = getRangeStart(series.ends, rank); at < numberAt(series.ends, rank); at++) {
    if (numberAt(series.firstDays, at) === NO_DAY) continue;
    first = Math.min(first, numberAt(series.firstDays, at));
    last = Math.max(last, numberAt(series.lastDays, at));
  }
  return first === Infinity ? undefined : { first, last };
}

export function writePlaceRecordCounts(counts: Uint32Array): Uint8Array {
  return writeSections([Uint32Array.of(counts.length), toNarrowNumbers(counts)]);
}

/** How many records refer to each place, by rank. */
export function readPlaceRecordCounts(content: Uint8Array): NarrowNumbers {
  const sections = new Sections(content);
  const [places = 0] = sections.numbers(Uint32Array, 0);
  return sections.narrow(1, places);
}

function toRunningSums(counts: NarrowNumbers): Uint32Array {
  let sum = 0;
  return Uint32Array.from(counts, (count) => (sum += count));
}
