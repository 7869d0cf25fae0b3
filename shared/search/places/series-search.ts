// Which places have amounts that meet filters of amounts, and a series with amounts in enough years (D42). The records
// that a search finds are told by place and series from the series alone, since amounts stand by place and variable.

import { yearOf } from '../../query/groupings';
import { currentDeadline } from '../../store/deadline';
import { firstNotBelow, numberAt } from '../../values/numbers';
import type { PlaceSeries } from '../index/place-series';
import type { PeriodColumn } from '../index/column-format';

/** Places between two looks at the clock: below a millisecond. */
const PLACES_AT_ONCE = 4096;

export interface SeriesSearch {
  readonly series: PlaceSeries;
  /** The amounts that meet the filters, ascending; undefined where all do. */
  readonly found: Uint32Array | undefined;
  /** Undefined where one amount is enough. */
  readonly minimumYears: number | undefined;
  readonly periods: PeriodColumn;
}

/** Those of the places that have them. Throws DeadlinePassedError. */
export async function ranksWithAmounts(ranks: Uint32Array, search: SeriesSearch): Promise<Uint32Array> {
  const deadline = currentDeadline();
  const matcher = new SeriesMatcher(search);
  const matching = new Uint32Array(ranks.length);
  let count = 0;
  for (let start = 0; start < ranks.length; start += PLACES_AT_ONCE) {
    if (deadline.isSliceOver()) await deadline.giveWay();
    for (const rank of ranks.subarray(start, start + PLACES_AT_ONCE))
      if (matcher.matches(rank)) matching[count++] = rank;
  }
  return matching.slice(0, count);
}

class SeriesMatcher {
  private readonly years: DistinctYears;
  /** Where the next of the found records stands: places come in ascending order. */
  private at = 0;

  constructor(private readonly search: SeriesSearch) {
    this.years = new DistinctYears(search.periods);
  }

  /** Places come in ascending order. */
  matches(rank: number): boolean {
    const { series, minimumYears } = this.search;
    const end = numberAt(series.ends, rank);
    for (let at = rank === 0 ? 0 : numberAt(series.ends, rank - 1); at < end; at++) {
      // The years of all its amounts bound those of some.
      if (numberAt(series.years, at) >= (minimumYears ?? 0) && this.seriesMatches(at)) return true;
    }
    return false;
  }

  private seriesMatches(series: number): boolean {
    const { found, minimumYears, series: columns } = this.search;
    if (found === undefined) return true;
    const first = series === 0 ? 0 : numberAt(columns.recordEnds, series - 1);
    const end = numberAt(columns.recordEnds, series);
    const from = firstNotBelow(found, first, this.at);
    const to = firstNotBelow(found, end, from);
    this.at = to;
    if (minimumYears === undefined) return from < to;
    if (to - from === end - first) return true;
    return to - from >= minimumYears && this.years.areAtLeast(minimumYears, found.subarray(from, to));
  }
}

/** Counts distinct years of D39. */
class DistinctYears {
  /** By period code, the year plus one, or 0. */
  private readonly yearOfCode: Uint32Array;
  /** By year, the number of the last count in which it was seen. */
  private readonly seen: Uint32Array;
  private counts = 0;

  constructor(private readonly column: PeriodColumn) {
    const { periods } = column;
    this.yearOfCode = Uint32Array.from({ length: periods.length / 2 }, (_, code) => {
      // Code 0 stands for no dates.
      const year = code === 0 ? undefined : yearOf(numberAt(periods, 2 * code), numberAt(periods, 2 * code + 1));
      return year === undefined ? 0 : year + 1;
    });
    this.seen = new Uint32Array(this.yearOfCode.reduce((most, year) => Math.max(most, year), 0) + 1);
  }

  areAtLeast(least: number, records: Uint32Array): boolean {
    this.counts++;
    let distinct = 0;
    for (const record of records) {
      const year = numberAt(this.yearOfCode, numberAt(this.column.codes, record));
      if (year === 0 || numberAt(this.seen, year) === this.counts) continue;
      this.seen[year] = this.counts;
      distinct++;
      if (distinct >= least) return true;
    }
    return false;
  }
}
