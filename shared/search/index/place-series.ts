// The series of a release (D42, ADR 0057): a summary of the records of one variable at one place, computed when the
// release is built. Amounts are ordered by place and variable (D17), so the records of a series are consecutive.

import { type NarrowNumbers, Sections, toNarrowNumbers, writeSections } from '../../values/bytes/sections';
import type { DaySpan } from '../../values/dates';
import { getRangeStart, numberAt } from '../../values/number-arrays';
import { NO_DAY } from './period-column';

/** The amounts of one variable at one place. */
export interface CountedSeries {
  /** The number of the variable within its kind. */
  readonly variable: number;
  readonly records: number;
  /** The number of distinct years (D39). */
  readonly years: number;
  /** Undefined when no record has effective dates. */
  readonly days: DaySpan | undefined;
}

/** The series of a release as columns, ordered by place and then by variable. */
export interface PlaceSeries {
  /** The series of the place of rank r go from `ends[r - 1]` to before `ends[r]`. */
  readonly ends: Uint32Array;
  readonly variables: NarrowNumbers;
  /** The record numbers of series s run from `recordEnds[s - 1]` up to, but not including, `recordEnds[s]`. */
  readonly recordEnds: Uint32Array;
  readonly years: NarrowNumbers;
  /** NO_DAY for a series without dates. */
  readonly firstDays: Int32Array;
  readonly lastDays: Int32Array;
  readonly byteLength: number;
}

/** The numbers that the builder keeps for each series. */
const FIELDS = 5;

/** Collects series in the order of their records. A release can have as many series as records. */
export class PlaceSeriesBuilder {
  /** Keyed by rank: the number of series of the place. */
  private readonly counts: Uint32Array;
  /** FIELDS numbers per series, in the order in which `add` writes them. */
  private readonly fields: number[] = [];

  constructor(places: number) {
    this.counts = new Uint32Array(places);
  }

  add(rank: number, { variable, records, years, days }: CountedSeries): void {
    this.counts[rank] = numberAt(this.counts, rank) + 1;
    this.fields.push(variable, records, years, days?.first ?? NO_DAY, days?.last ?? NO_DAY);
  }

  build(): Uint8Array {
    const seriesCount = this.fields.length / FIELDS;
    const toColumn = (field: number): Int32Array =>
      Int32Array.from({ length: seriesCount }, (_, series) => numberAt(this.fields, series * FIELDS + field));
    const toNarrowColumn = (field: number): NarrowNumbers => toNarrowNumbers(Uint32Array.from(toColumn(field)));
    return writeSections([
      Uint32Array.of(this.counts.length, seriesCount),
      toNarrowNumbers(this.counts),
      toNarrowColumn(0),
      toNarrowColumn(1),
      toNarrowColumn(2),
      toColumn(3),
      toColumn(4),
    ]);
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

/** Lists the series of a place, by variable. A place that no record refers to has no series. */
export function listPlaceSeries(series: PlaceSeries, rank: number): readonly CountedSeries[] {
  const placeSeries: CountedSeries[] = [];
  for (let index = getRangeStart(series.ends, rank); index < numberAt(series.ends, rank); index++) {
    const first = numberAt(series.firstDays, index);
    placeSeries.push({
      variable: numberAt(series.variables, index),
      records: numberAt(series.recordEnds, index) - getRangeStart(series.recordEnds, index),
      years: numberAt(series.years, index),
      days: first === NO_DAY ? undefined : { first, last: numberAt(series.lastDays, index) },
    });
  }
  return placeSeries;
}

/** Returns the span from the first to the last day of all series of a place; undefined if no series has dates. */
export function getPlaceSpan(series: PlaceSeries, rank: number): DaySpan | undefined {
  let first = Infinity;
  let last = -Infinity;
  for (let index = getRangeStart(series.ends, rank); index < numberAt(series.ends, rank); index++) {
    if (numberAt(series.firstDays, index) === NO_DAY) continue;
    first = Math.min(first, numberAt(series.firstDays, index));
    last = Math.max(last, numberAt(series.lastDays, index));
  }
  return first === Infinity ? undefined : { first, last };
}

export function writePlaceRecordCounts(counts: Uint32Array): Uint8Array {
  return writeSections([Uint32Array.of(counts.length), toNarrowNumbers(counts)]);
}

/** Reads the number of records that refer to each place, keyed by rank. */
export function readPlaceRecordCounts(content: Uint8Array): NarrowNumbers {
  const sections = new Sections(content);
  const [places = 0] = sections.numbers(Uint32Array, 0);
  return sections.narrow(1, places);
}

function toRunningSums(counts: NarrowNumbers): Uint32Array {
  const sums = new Uint32Array(counts.length);
  let sum = 0;
  for (let index = 0; index < counts.length; index++) {
    sum += numberAt(counts, index);
    sums[index] = sum;
  }
  return sums;
}
