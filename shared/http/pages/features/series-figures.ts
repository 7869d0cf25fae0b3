// The figures of each series at a place, for the page of the place (D49): by year as in totals (D38 to D40), and by
// timeframe for the chart. They are computed from the columns of the release, without reading records.

import { type MeasureStatistics, Statistics } from '../../../aggregate/statistics';
import { toYear } from '../../../query/time-groups';
import type { Item } from '../../../records/record-references';
import type { PeriodColumn } from '../../../search/index/period-column';
import { type CountedSeries, listPlaceSeries, type PlaceSeries } from '../../../search/index/place-series';
import { loadNumberChunk, loadPeriodColumn, loadPlaceSeries } from '../../../search/index/release-index';
import { readLookups } from '../../../search/index/release-lookups';
import type { SearchableRelease } from '../../../search/index/search-caches';
import { CHUNK_RECORDS } from '../../../store/artifacts';
import { giveWayIfSliceOver } from '../../../store/deadline';
import type { DaySpan } from '../../../values/dates';
import { getRangeStart, numberAt } from '../../../values/number-arrays';

/** Statistics of the amounts of a series that share a year or timeframe. */
export interface TimeFigures<Time> extends MeasureStatistics {
  readonly time: Time;
  readonly records: number;
}

/** The amounts of one variable at one place. */
export interface SeriesFigures {
  /** The lookup of the variable. */
  readonly variable: Item;
  readonly counted: CountedSeries;
  /** In chronological order. The year of the last entry may be undefined: amounts without a year (D39). */
  readonly years: readonly TimeFigures<number | undefined>[];
  /** In chronological order. Amounts without dates are left out. */
  readonly timeframes: readonly TimeFigures<DaySpan>[];
}

/** The maximum number of series on a page. The API returns all of them. */
export const MAX_SERIES = 24;

/**
 * The maximum number of amounts that the figures of a page are computed from. A series that would exceed it has no
 * figures.
 */
const MAX_AMOUNTS = 250_000;

/**
 * Reads the series of a place, one per variable. The release must be of amounts. Only the series that a page shows have
 * figures.
 */
export async function readSeriesFigures(release: SearchableRelease, rank: number): Promise<readonly SeriesFigures[]> {
  const series = await loadPlaceSeries(release);
  const counted = listPlaceSeries(series, rank);
  const variables = await readLookups(
    release.reader,
    'VariableSpecifics',
    counted.map(({ variable }) => variable),
  );
  let { from } = findPlaceRecords(series, rank);
  const figuresOfSeries: SeriesFigures[] = [];
  let remaining = MAX_AMOUNTS;
  for (const [index, counts] of counted.entries()) {
    const isComputed = index < MAX_SERIES && counts.records <= remaining;
    if (isComputed) remaining -= counts.records;
    const figures = isComputed ? await readFigures(release, from, from + counts.records) : NO_FIGURES;
    figuresOfSeries.push({ variable: variables[index] ?? {}, counted: counts, ...figures });
    from += counts.records;
  }
  return figuresOfSeries;
}

const NO_FIGURES: Pick<SeriesFigures, 'years' | 'timeframes'> = { years: [], timeframes: [] };

/** Finds the records of a place, which are consecutive (D17): from `from` up to, but not including, `end`. */
export function findPlaceRecords({ ends, recordEnds }: PlaceSeries, rank: number): RecordRange {
  return {
    from: getRangeStart(recordEnds, getRangeStart(ends, rank)),
    end: getRangeStart(recordEnds, numberAt(ends, rank)),
  };
}

export interface RecordRange {
  readonly from: number;
  readonly end: number;
}

/** Reads the figures of the records from `from` up to, but not including, `end`. */
async function readFigures(
  release: SearchableRelease,
  from: number,
  end: number,
): Promise<Pick<SeriesFigures, 'years' | 'timeframes'>> {
  const periods = await loadPeriodColumn(release, 'periods');
  const years = new Groups();
  const timeframes = new Groups();
  for (let chunk = Math.floor(from / CHUNK_RECORDS); chunk * CHUNK_RECORDS < end; chunk++) {
    await giveWayIfSliceOver();
    const first = chunk * CHUNK_RECORDS;
    const amounts = await loadNumberChunk(release, 'amount', chunk);
    const start = Math.max(from, first);
    const positions = Uint32Array.from({ length: Math.min(end, first + amounts.length) - start }, (_, index) => {
      return start + index - first;
    });
    const codes = periods.codes.subarray(first, first + CHUNK_RECORDS);
    years.add(positions, (position) => decodeYear(periods, numberAt(codes, position)) ?? NO_YEAR, amounts);
    timeframes.add(positions, (position) => numberAt(codes, position), amounts);
  }
  return {
    years: years
      .listFigures((year) => (year === NO_YEAR ? undefined : year))
      .sort((a, b) => (a.time ?? Infinity) - (b.time ?? Infinity)),
    timeframes: timeframes
      .listFigures((code) => decodeTimeframe(periods, code))
      .filter((figures): figures is TimeFigures<DaySpan> => figures.time !== undefined)
      .sort((a, b) => a.time.first - b.time.first || a.time.last - b.time.last),
  };
}

/** Stands for amounts without a year. Less than any year. */
const NO_YEAR = -1_000_000;

function decodeYear({ periods }: PeriodColumn, code: number): number | undefined {
  return code === 0 ? undefined : toYear(numberAt(periods, 2 * code), numberAt(periods, 2 * code + 1));
}

function decodeTimeframe({ periods }: PeriodColumn, code: number): DaySpan | undefined {
  // Code 0 means that there are no dates.
  return code === 0 ? undefined : { first: numberAt(periods, 2 * code), last: numberAt(periods, 2 * code + 1) };
}

/** Collects statistics of records, grouped by a number. */
class Groups {
  private readonly groupByKey = new Map<number, number>();
  private readonly statistics = new Statistics(1);
  private readonly records: number[] = [];

  add(positions: Uint32Array, readKey: (position: number) => number, values: Float64Array): void {
    const groups = positions.map((position) => {
      const key = readKey(position);
      const group = this.groupByKey.get(key) ?? this.groupByKey.size;
      this.groupByKey.set(key, group);
      this.records[group] = (this.records[group] ?? 0) + 1;
      return group;
    });
    this.statistics.grow(this.groupByKey.size);
    this.statistics.addValues(0, groups, positions, values);
  }

  listFigures<Time>(toTime: (key: number) => Time): TimeFigures<Time>[] {
    return Array.from(this.groupByKey, ([key, group]) => ({
      time: toTime(key),
      records: numberAt(this.records, group),
      ...this.statistics.getMeasure(group, 0),
    }));
  }
}
