// The figures of each series at a place, for its page (D49): by year as totals have them (D38 to D40), and by timeframe
// as a chart draws them. They come from the columns of the release; no record is read.

import { type MeasureStatistics, Statistics } from '../../aggregate/statistics';
import { toYear } from '../../query/groupings';
import type { Item } from '../../records/data-sets';
import type { PeriodColumn } from '../../search/index/column-format';
import { type CountedSeries, type PlaceSeries, listPlaceSeries } from '../../search/index/place-series';
import { readLookups, loadNumberChunk, loadPeriodColumn, loadPlaceSeries } from '../../search/index/release-index';
import type { SearchableRelease } from '../../search/index/search-caches';
import { CHUNK_RECORDS } from '../../store/artifacts';
import { giveWayIfSliceOver } from '../../store/deadline';
import type { DaySpan } from '../../values/dates';
import { numberAt, getRangeStart } from '../../values/numbers';

/** The amounts of a series that have a year, or a timeframe, in common. */
export interface FiguresOf<Time> extends MeasureStatistics {
  readonly time: Time;
  readonly records: number;
}

/** The amounts of one variable at one place. */
export interface SeriesFigures {
  /** As the lookups have it. */
  readonly variable: Item;
  readonly counted: CountedSeries;
  /** In the order of time; undefined, which comes last, stands for amounts that have no year (D39). */
  readonly years: readonly FiguresOf<number | undefined>[];
  /** In the order of time; amounts without dates are in none. */
  readonly timeframes: readonly FiguresOf<DaySpan>[];
}

/** By variable, of a release of amounts. */
export async function seriesFiguresOf(release: SearchableRelease, rank: number): Promise<readonly SeriesFigures[]> {
  const series = await loadPlaceSeries(release);
  const counted = listPlaceSeries(series, rank);
  const variables = await readLookups(
    release.reader,
    'VariableSpecifics',
    counted.map(({ variable }) => variable),
  );
  let { from } = recordsOfPlace(series, rank);
  const found: SeriesFigures[] = [];
  for (const [index, one] of counted.entries()) {
    const figures = await figuresBetween(release, from, from + one.records);
    found.push({ variable: variables[index] ?? {}, counted: one, ...figures });
    from += one.records;
  }
  return found;
}

/** The numbers of the records of a place, which follow each other (D17): from one to before another. */
export function recordsOfPlace({ ends, recordEnds }: PlaceSeries, rank: number): RecordRange {
  return { from: getRangeStart(recordEnds, getRangeStart(ends, rank)), end: getRangeStart(recordEnds, numberAt(ends, rank)) };
}

export interface RecordRange {
  readonly from: number;
  readonly end: number;
}

/** The figures of the records from one number to before another. */
async function figuresBetween(
  release: SearchableRelease,
  from: number,
  end: number,
): Promise<Pick<SeriesFigures, 'years' | 'timeframes'>> {
  const periods = await loadPeriodColumn(release, 'periods');
  const years = new Groups();
  const timeframes = new Groups();
  for (let number = Math.floor(from / CHUNK_RECORDS); number * CHUNK_RECORDS < end; number++) {
    await giveWayIfSliceOver();
    const first = number * CHUNK_RECORDS;
    const amounts = await loadNumberChunk(release, 'amount', number);
    const start = Math.max(from, first);
    const positions = Uint32Array.from({ length: Math.min(end, first + amounts.length) - start }, (_, index) => {
      return start + index - first;
    });
    const codes = periods.codes.subarray(first, first + CHUNK_RECORDS);
    years.add(positions, (position) => yearOfCode(periods, numberAt(codes, position)) ?? NO_YEAR, amounts);
    timeframes.add(positions, (position) => numberAt(codes, position), amounts);
  }
  return {
    years: years
      .figures((year) => (year === NO_YEAR ? undefined : year))
      .sort((a, b) => (a.time ?? Infinity) - (b.time ?? Infinity)),
    timeframes: timeframes
      .figures((code) => timeframeOf(periods, code))
      .filter((figures): figures is FiguresOf<DaySpan> => figures.time !== undefined)
      .sort((a, b) => a.time.first - b.time.first || a.time.last - b.time.last),
  };
}

/** Below all years. */
const NO_YEAR = -1_000_000;

function yearOfCode({ periods }: PeriodColumn, code: number): number | undefined {
  return code === 0 ? undefined : toYear(numberAt(periods, 2 * code), numberAt(periods, 2 * code + 1));
}

function timeframeOf({ periods }: PeriodColumn, code: number): DaySpan | undefined {
  // Code 0 stands for no dates.
  return code === 0 ? undefined : { first: numberAt(periods, 2 * code), last: numberAt(periods, 2 * code + 1) };
}

/** Statistics of records by a number that each has. */
class Groups {
  private readonly groupOf = new Map<number, number>();
  private readonly statistics = new Statistics(1);
  private readonly records: number[] = [];

  add(positions: Uint32Array, keyAt: (position: number) => number, values: Float64Array): void {
    const groups = positions.map((position) => {
      const key = keyAt(position);
      const group = this.groupOf.get(key) ?? this.groupOf.size;
      this.groupOf.set(key, group);
      this.records[group] = (this.records[group] ?? 0) + 1;
      return group;
    });
    this.statistics.grow(this.groupOf.size);
    this.statistics.addValues(0, groups, positions, values);
  }

  figures<Time>(timeOf: (key: number) => Time): FiguresOf<Time>[] {
    return Array.from(this.groupOf, ([key, group]) => ({
      time: timeOf(key),
      records: numberAt(this.records, group),
      ...this.statistics.getMeasure(group, 0),
    }));
  }
}
