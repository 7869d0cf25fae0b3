// The records whose number (D35) or dates (D7, D62) lie within bounds: by going through a column for all records, or
// for the candidates that other conditions left.

import type { Condition } from '../query/condition';
import { CHUNK_RECORDS } from '../store/artifacts';
import { giveWayIfSliceOver } from '../store/deadline';
import { BitSet, markCodes, markWithin } from '../values/bytes/bit-set';
import { findFirstNotBelow, numberAt } from '../values/numbers';
import { NO_DAY, NO_PERIOD, type PeriodColumn } from './index/column-format';
import { ListedRecords, toRecordSet, type RecordSet } from './index/record-set';
import { loadColumnDirectory, loadNumberChunk, loadPeriodColumn } from './index/release-index';
import type { SearchableRelease } from './index/search-caches';

type NumberRange = Omit<Extract<Condition, { readonly kind: 'number' }>, 'kind'>;

/** A chunk that can hold records within a range; its values are read when they are asked for. */
interface Chunk {
  /** The number of its first record. */
  readonly first: number;
  readonly values: () => Promise<Float64Array>;
}

/**
 * The records, or the ascending candidates, that lie within the range. A chunk is not read when its lowest and highest
 * value show that it has no such record, or when no candidate lies in it.
 */
export async function findRecordsWithNumber(
  range: NumberRange,
  searched: SearchableRelease,
  candidates?: Uint32Array,
): Promise<RecordSet> {
  const { min: least = -Infinity, max: most = Infinity } = range;
  const chunks = await listChunks(range, searched);
  if (candidates !== undefined) return filterByNumber(chunks, [least, most], candidates);
  const found = new BitSet(searched.reader.facts.records);
  for (const { first, values } of chunks) {
    await giveWayIfSliceOver();
    markWithin(await values(), [least, most], found, first);
  }
  return toRecordSet(found);
}

async function filterByNumber(
  chunks: readonly Chunk[],
  [least, most]: readonly [number, number],
  candidates: Uint32Array,
): Promise<RecordSet> {
  const found = new Uint32Array(candidates.length);
  let count = 0;
  let next = 0;
  for (const { first, values } of chunks) {
    await giveWayIfSliceOver();
    const from = findFirstNotBelow(candidates, first, next);
    next = findFirstNotBelow(candidates, first + CHUNK_RECORDS, from);
    if (from === next) continue;
    const numbers = await values();
    for (const record of candidates.subarray(from, next)) {
      const value = numberAt(numbers, record - first);
      if (value >= least && value <= most) found[count++] = record;
    }
  }
  return new ListedRecords(found.slice(0, count));
}

async function listChunks(
  { member, min: least = -Infinity, max: most = Infinity }: NumberRange,
  searched: SearchableRelease,
): Promise<readonly Chunk[]> {
  const { column } = member;
  const { bounds } = await loadColumnDirectory(searched);
  return (bounds[column] ?? []).flatMap((bound, chunk) => {
    if (bound === null || bound[1] < least || bound[0] > most) return [];
    const values = (): Promise<Float64Array> => loadNumberChunk(searched, column, chunk);
    return [{ first: chunk * CHUNK_RECORDS, values }];
  });
}

type DateComparison = Extract<Condition, { readonly kind: 'day' | 'within' | 'during' }>;

/** The records, or the ascending candidates, of which the comparison is true: decided once for each distinct period. */
export async function findRecordsWithDates(
  comparison: DateComparison,
  searched: SearchableRelease,
  candidates?: Uint32Array,
): Promise<RecordSet> {
  const column = await loadPeriodColumn(searched, getColumnName(comparison));
  const isMet = matchPeriods(comparison, column);
  if (candidates !== undefined) return new ListedRecords(filterByCode(column, isMet, candidates));
  const found = new BitSet(column.codes.length);
  markCodes(column.codes, isMet, found, 0);
  return toRecordSet(found);
}

function getColumnName(comparison: DateComparison): 'periods' | 'publications' {
  const isOfPublication =
    (comparison.kind === 'day' && comparison.member.kind === 'published') ||
    (comparison.kind === 'within' && comparison.dates === 'published');
  return isOfPublication ? 'publications' : 'periods';
}

/** By code, 1 where the comparison is true of the period. */
function matchPeriods(comparison: DateComparison, { periods, displayed: shown }: PeriodColumn): Uint8Array {
  const isMet = new Uint8Array(periods.length / 2);
  switch (comparison.kind) {
    case 'day': {
      const { member, min: least = -Infinity, max: most = Infinity } = comparison;
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

function filterByCode({ codes }: PeriodColumn, isMet: Uint8Array, candidates: Uint32Array): Uint32Array {
  const found = new Uint32Array(candidates.length);
  let count = 0;
  // The number is always written and the count moves on only for a match: no branch to mispredict.
  for (const number of candidates) {
    found[count] = number;
    count += isMet[codes[number] ?? 0] ?? 0;
  }
  return found.slice(0, count);
}
