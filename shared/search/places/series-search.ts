// Which places have amounts that meet filters of amounts, and a series with amounts in enough years (D42). The records
// that a search finds are told by place and series from the series alone, since amounts stand by place and variable.

import { yearOf } from '../../query/groupings';
import { giveWayInTurn } from '../../store/deadline';
import { firstNotBelow, numberAt } from '../../values/numbers';
import type { PlaceSeries } from '../index/place-series';
import type { PeriodColumn } from '../index/column-format';

/** Places between two looks at the clock: below a millisecond. */
const PLACES_AT_ONCE = 4096;

interface SeriesSearch {
  readonly series: PlaceSeries;
  /** The amounts that meet the filters, ascending; undefined where all do. */
  readonly found: Uint32Array | undefined;
  /** Undefined where one amount is enough. */
  readonly minimumYears: number | undefined;
  readonly periods: PeriodColumn;
}

/** Those of the places that have them. Throws DeadlinePassedError. */
export async function ranksWithAmounts(ranks: Uint32Array, search: SeriesSearch): Promise<Uint32Array> {
  const matches = seriesMatcher(search);
  const matching = new Uint32Array(ranks.length);
  let count = 0;
  for (let start = 0; start < ranks.length; start += PLACES_AT_ONCE) {
    await giveWayInTurn();
    for (const rank of ranks.subarray(start, start + PLACES_AT_ONCE)) if (matches(rank)) matching[count++] = rank;
  }
  return matching.slice(0, count);
}

/** What says of one place after the other, in ascending order, whether it has them. */
function seriesMatcher({ series, found, minimumYears, periods }: SeriesSearch): (rank: number) => boolean {
  const haveYears = yearsCounter(periods);
  // Where the next of the found records stands.
  let next = 0;
  const matches = (at: number): boolean => {
    if (found === undefined) return true;
    const first = at === 0 ? 0 : numberAt(series.recordEnds, at - 1);
    const end = numberAt(series.recordEnds, at);
    const from = firstNotBelow(found, first, next);
    next = firstNotBelow(found, end, from);
    if (minimumYears === undefined) return from < next;
    if (next - from === end - first) return true;
    return next - from >= minimumYears && haveYears(found.subarray(from, next), minimumYears);
  };
  return (rank) => {
    const end = numberAt(series.ends, rank);
    for (let at = rank === 0 ? 0 : numberAt(series.ends, rank - 1); at < end; at++) {
      // The years of all its amounts bound those of some.
      if (numberAt(series.years, at) >= (minimumYears ?? 0) && matches(at)) return true;
    }
    return false;
  };
}

/** What says whether records lie in so many distinct years (D39). */
function yearsCounter({ periods, codes }: PeriodColumn): (records: Uint32Array, least: number) => boolean {
  // The year plus one; 0 for none, as of code 0, which stands for no dates.
  const yearOfCode = Uint32Array.from({ length: periods.length / 2 }, (_, code) => {
    const year = code === 0 ? undefined : yearOf(numberAt(periods, 2 * code), numberAt(periods, 2 * code + 1));
    return year === undefined ? 0 : year + 1;
  });
  // By year, the number of the last count in which it was seen.
  const seen = new Uint32Array(yearOfCode.reduce((most, year) => Math.max(most, year), 0) + 1);
  let counts = 0;
  return (records, least) => {
    counts++;
    let distinct = 0;
    for (const record of records) {
      const year = numberAt(yearOfCode, numberAt(codes, record));
      if (year === 0 || numberAt(seen, year) === counts) continue;
      seen[year] = counts;
      distinct++;
      if (distinct >= least) return true;
    }
    return false;
  };
}
