// Finds the records whose number (D35) is in a range, by a scan of a column: of all records, or of the candidates that
// other conditions left.

import type { Condition } from '../query/condition';
import { CHUNK_RECORDS } from '../store/artifacts';
import { giveWayIfSliceOver } from '../store/deadline';
import { BitSet, markWithin } from '../values/bytes/bit-set';
import { findFirstNotBelow, numberAt } from '../values/number-arrays';
import { ListedRecords, type RecordSet, toRecordSet } from './index/record-set';
import { loadColumnDirectory, loadNumberChunk } from './index/release-index';
import type { SearchableRelease } from './index/search-caches';

type NumberRange = Omit<Extract<Condition, { readonly kind: 'number' }>, 'kind'>;

/** A chunk that can have records in the range. */
interface ChunkInRange {
  /** The number of its first record. */
  readonly first: number;
  readonly loadValues: () => Promise<Float64Array>;
}

/**
 * Finds the records with a number in the range, among all records or among the candidates (ascending). A chunk is not
 * read if its lowest and highest value exclude a match, or if it has no candidates.
 */
export async function findRecordsWithNumber(
  range: NumberRange,
  release: SearchableRelease,
  candidates?: Uint32Array,
): Promise<RecordSet> {
  const { min = -Infinity, max = Infinity } = range;
  const chunks = await listChunksInRange(range, release);
  if (candidates !== undefined) return filterByNumber(chunks, [min, max], candidates);
  const matches = new BitSet(release.reader.facts.records);
  for (const { first, loadValues } of chunks) {
    await giveWayIfSliceOver();
    markWithin(await loadValues(), [min, max], matches, first);
  }
  return toRecordSet(matches);
}

async function filterByNumber(
  chunks: readonly ChunkInRange[],
  [min, max]: readonly [number, number],
  candidates: Uint32Array,
): Promise<RecordSet> {
  const matches = new Uint32Array(candidates.length);
  let count = 0;
  let next = 0;
  for (const { first, loadValues } of chunks) {
    await giveWayIfSliceOver();
    const from = findFirstNotBelow(candidates, first, next);
    next = findFirstNotBelow(candidates, first + CHUNK_RECORDS, from);
    if (from === next) continue;
    const values = await loadValues();
    for (const record of candidates.subarray(from, next)) {
      const value = numberAt(values, record - first);
      // NaN means that the record has no number. It is in no range.
      if (value >= min && value <= max) {
        matches[count] = record;
        count++;
      }
    }
  }
  return new ListedRecords(matches.slice(0, count));
}

async function listChunksInRange(
  { member, min = -Infinity, max = Infinity }: NumberRange,
  release: SearchableRelease,
): Promise<readonly ChunkInRange[]> {
  const { column } = member;
  const { bounds } = await loadColumnDirectory(release);
  return (bounds[column] ?? []).flatMap((chunkBounds, chunk) => {
    if (chunkBounds === null) return [];
    const [lowest, highest] = chunkBounds;
    if (highest < min || lowest > max) return [];
    const loadValues = (): Promise<Float64Array> => loadNumberChunk(release, column, chunk);
    return [{ first: chunk * CHUNK_RECORDS, loadValues }];
  });
}
