// Finds the records whose dates (D7, D62) are in a range. The range is compared once with each distinct period of the
// release. A scan of the column of period codes then finds the records, or filters the candidates that other conditions
// left.

import type { Condition } from '../query/condition';
import { BitSet, markCodes } from '../values/bytes/bit-set';
import { numberAt } from '../values/number-arrays';
import { NO_DAY, NO_PERIOD, type PeriodColumn } from './index/period-column';
import { ListedRecords, type RecordSet, toRecordSet } from './index/record-set';
import { loadPeriodColumn, type PeriodColumnName } from './index/release-index';
import type { SearchableRelease } from './index/search-caches';

type DateComparison = Extract<Condition, { readonly kind: 'day' | 'within' | 'during' }>;

/** Finds the records for which the comparison is true, among all records or among the candidates (ascending). */
export async function findRecordsWithDates(
  comparison: DateComparison,
  release: SearchableRelease,
  candidates?: Uint32Array,
): Promise<RecordSet> {
  const column = await loadPeriodColumn(release, getColumnName(comparison));
  const isMatch = matchPeriods(comparison, column);
  if (candidates !== undefined) return new ListedRecords(filterByCode(column, isMatch, candidates));
  const matches = new BitSet(column.codes.length);
  markCodes(column.codes, isMatch, matches, 0);
  return toRecordSet(matches);
}

function getColumnName(comparison: DateComparison): PeriodColumnName {
  const isOfPublication =
    (comparison.kind === 'day' && comparison.member.kind === 'published') ||
    (comparison.kind === 'within' && comparison.dates === 'published');
  return isOfPublication ? 'publications' : 'periods';
}

/** Returns a byte per period code: 1 if the comparison is true for the period. */
function matchPeriods(comparison: DateComparison, { periods, displayed }: PeriodColumn): Uint8Array {
  const isMatch = new Uint8Array(periods.length / 2);
  switch (comparison.kind) {
    case 'day': {
      const { member, min = -Infinity, max = Infinity } = comparison;
      const end = member.kind === 'lastDay' ? 1 : 0;
      return isMatch.map((_, code) => {
        const day = numberAt(displayed, 2 * code + end);
        return day !== NO_DAY && day >= min && day <= max ? 1 : 0;
      });
    }
    case 'within': {
      const { from = -Infinity, to = Infinity } = comparison;
      return isMatch.map((_, code) =>
        code !== NO_PERIOD && numberAt(periods, 2 * code) >= from && numberAt(periods, 2 * code + 1) <= to ? 1 : 0,
      );
    }
    case 'during': {
      const { from = -Infinity, to = Infinity } = comparison;
      return isMatch.map((_, code) =>
        code === NO_PERIOD || (numberAt(periods, 2 * code) <= to && numberAt(periods, 2 * code + 1) >= from) ? 1 : 0,
      );
    }
  }
}

function filterByCode({ codes }: PeriodColumn, isMatch: Uint8Array, candidates: Uint32Array): Uint32Array {
  const matches = new Uint32Array(candidates.length);
  let count = 0;
  // Every candidate is written, and only a match advances the count: there is no branch to mispredict.
  for (const record of candidates) {
    matches[count] = record;
    count += isMatch[codes[record] ?? 0] ?? 0;
  }
  return matches.slice(0, count);
}
