// The records whose number (D35) or dates (D7, D62) lie within bounds: by going through a column.

import type { Condition } from '../query/condition';
import { CHUNK_RECORDS } from '../store/artifacts';
import { giveWayInTurn } from '../store/deadline';
import { BitSet, markCodes, markWithin } from '../values/bytes/bit-set';
import { numberAt } from '../values/numbers';
import { NO_DAY, NO_PERIOD, type PeriodColumn } from './index/column-format';
import { markedRecords, type RecordSet } from './index/record-set';
import { columnDirectoryOf, numberChunkOf, periodColumnOf } from './index/release-index';
import type { Searched } from './index/search-caches';

type NumberRange = Omit<Extract<Condition, { readonly kind: 'number' }>, 'kind'>;

/**
 * The records that lie within the range. A chunk is not read when its lowest and highest value show that it has no such
 * record.
 */
export async function recordsWithNumber(
  { member: { column }, least = -Infinity, most = Infinity }: NumberRange,
  searched: Searched,
): Promise<RecordSet> {
  const { bounds } = await columnDirectoryOf(searched);
  const found = new BitSet(searched.reader.facts.records);
  for (const [chunk, bound] of (bounds[column] ?? []).entries()) {
    if (bound === null || bound[1] < least || bound[0] > most) continue;
    await giveWayInTurn();
    markWithin(await numberChunkOf(searched, column, chunk), [least, most], found, chunk * CHUNK_RECORDS);
  }
  return markedRecords(found);
}

export type DateComparison = Extract<Condition, { readonly kind: 'day' | 'within' | 'during' }>;

/** The records of which the comparison is true: decided once for each distinct period. */
export async function recordsWithDates(comparison: DateComparison, searched: Searched): Promise<RecordSet> {
  const column = await periodColumnOf(searched, columnNameOf(comparison));
  const found = new BitSet(column.codes.length);
  markCodes(column.codes, periodsMeeting(comparison, column), found, 0);
  return markedRecords(found);
}

function columnNameOf(comparison: DateComparison): 'periods' | 'publications' {
  const isOfPublication =
    (comparison.kind === 'day' && comparison.member.kind === 'published') ||
    (comparison.kind === 'within' && comparison.dates === 'published');
  return isOfPublication ? 'publications' : 'periods';
}

/** By code, 1 where the comparison is true of the period. */
function periodsMeeting(comparison: DateComparison, { periods, shown }: PeriodColumn): Uint8Array {
  const isMet = new Uint8Array(periods.length / 2);
  switch (comparison.kind) {
    case 'day': {
      const { member, least = -Infinity, most = Infinity } = comparison;
      const end = member.kind === 'lastDay' ? 1 : 0;
      return isMet.map((_, code) => {
        const day = numberAt(shown, 2 * code + end);
        return day !== NO_DAY && day >= least && day <= most ? 1 : 0;
      });
    }
    case 'within': {
      const { from = -Infinity, to = Infinity } = comparison;
      return isMet.map((_, code) =>
        code !== NO_PERIOD && numberAt(periods, 2 * code) >= from && numberAt(periods, 2 * code + 1) <= to ? 1 : 0,
      );
    }
    case 'during': {
      const { from = -Infinity, to = Infinity } = comparison;
      return isMet.map((_, code) =>
        code === NO_PERIOD || (numberAt(periods, 2 * code) <= to && numberAt(periods, 2 * code + 1) >= from) ? 1 : 0,
      );
    }
  }
}
