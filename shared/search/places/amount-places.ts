// Filters places by their amounts: places with at least one of the selected amounts, or with a series that has such
// amounts in enough years (D42). Amounts are ordered by place and variable, so the series alone determine which place
// and series an amount belongs to.

import { toYear } from '../../query/time-groups';
import { giveWayIfSliceOver } from '../../store/deadline';
import { findFirstNotBelow, getRangeStart, numberAt } from '../../values/number-arrays';
import type { PeriodColumn } from '../index/period-column';
import type { PlaceSeries } from '../index/place-series';
import type { RecordSet } from '../index/record-set';
import { loadPeriodColumn, loadPlaceSeries } from '../index/release-index';
import type { SearchableRelease } from '../index/search-caches';

/** Number of places between two checks of the clock, for steps of less than a millisecond. */
const PLACES_AT_ONCE = 4096;

/**
 * Returns the places of `ranks` (ascending) that have one of the amounts. With `minimumYears`, one series must have
 * such amounts in that many years. If `amounts` is undefined, all amounts count. Throws DeadlinePassedError.
 */
export async function filterByAmounts(
  ranks: Uint32Array,
  amounts: RecordSet | undefined,
  minimumYears: number | undefined,
  release: SearchableRelease,
): Promise<Uint32Array> {
  const series = await loadPlaceSeries(release);
  const periods = await loadPeriodColumn(release, 'periods');
  const matcher = new SeriesMatcher(series, amounts?.slice(), minimumYears, periods);
  const matches = new Uint32Array(ranks.length);
  let count = 0;
  for (let start = 0; start < ranks.length; start += PLACES_AT_ONCE) {
    await giveWayIfSliceOver();
    for (const rank of ranks.subarray(start, start + PLACES_AT_ONCE)) {
      if (!matcher.matchesPlace(rank)) continue;
      matches[count] = rank;
      count++;
    }
  }
  return matches.slice(0, count);
}

/** Tests places in ascending order, so that the amounts are scanned only once. */
class SeriesMatcher {
  private readonly years: YearCounter;
  /** The index of the next amount. */
  private next = 0;

  constructor(
    private readonly series: PlaceSeries,
    /** Ascending; undefined for all amounts. */
    private readonly amounts: Uint32Array | undefined,
    /** Undefined if one amount is enough. */
    private readonly minimumYears: number | undefined,
    periods: PeriodColumn,
  ) {
    this.years = new YearCounter(periods);
  }

  matchesPlace(rank: number): boolean {
    const { ends, years } = this.series;
    const end = numberAt(ends, rank);
    const minimumYears = this.minimumYears ?? 0;
    for (let index = getRangeStart(ends, rank); index < end; index++) {
      // The selected amounts of a series cannot have more years than all its amounts.
      if (numberAt(years, index) >= minimumYears && this.matchesSeries(index)) return true;
    }
    return false;
  }

  private matchesSeries(index: number): boolean {
    const { amounts, minimumYears } = this;
    if (amounts === undefined) return true;
    const firstRecord = getRangeStart(this.series.recordEnds, index);
    const endRecord = numberAt(this.series.recordEnds, index);
    const from = findFirstNotBelow(amounts, firstRecord, this.next);
    const to = findFirstNotBelow(amounts, endRecord, from);
    this.next = to;
    if (minimumYears === undefined) return from < to;
    if (to - from === endRecord - firstRecord) return true;
    return to - from >= minimumYears && this.years.hasYears(amounts.subarray(from, to), minimumYears);
  }
}

/** Counts the distinct years of records (D39). */
class YearCounter {
  private readonly codes: PeriodColumn['codes'];
  /** Keyed by period code: the year plus one; 0 for no year. */
  private readonly yearByCode: Uint32Array;
  /** Keyed by year plus one: the number of the last call of `hasYears` that counted the year. */
  private readonly lastCount: Uint32Array;
  private counts = 0;

  constructor({ periods, codes }: PeriodColumn) {
    this.codes = codes;
    this.yearByCode = Uint32Array.from({ length: periods.length / 2 }, (_, code) => {
      const year = code === 0 ? undefined : toYear(numberAt(periods, 2 * code), numberAt(periods, 2 * code + 1));
      return year === undefined ? 0 : year + 1;
    });
    const maxYear = this.yearByCode.reduce((max, year) => Math.max(max, year), 0);
    this.lastCount = new Uint32Array(maxYear + 1);
  }

  /** Whether the records have at least `minimumYears` distinct years. */
  hasYears(records: Uint32Array, minimumYears: number): boolean {
    const { codes, yearByCode, lastCount } = this;
    this.counts++;
    let distinct = 0;
    for (const record of records) {
      const year = numberAt(yearByCode, numberAt(codes, record));
      if (year === 0 || numberAt(lastCount, year) === this.counts) continue;
      lastCount[year] = this.counts;
      distinct++;
      if (distinct >= minimumYears) return true;
    }
    return false;
  }
}
