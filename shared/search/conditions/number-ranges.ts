// The records whose number lies within bounds (D35), chunk by chunk of its column. A chunk is not read when its lowest
// and highest value show that it has no such record, or when no candidate lies in it.

import type { NumberRange } from '../../query/criteria';
import { CHUNK_RECORDS } from '../../store/artifacts';
import { currentDeadline } from '../../store/deadline';
import type { ReleaseReader } from '../../store/port';
import { BitSet, markWithin } from '../../values/bytes/bit-set';
import { firstNotBelow, numberAt } from '../../values/numbers';
import { ListedRecords, markedRecords, type RecordSet } from '../index/record-set';
import { columnDirectoryOf, numberChunkOf } from '../release/release-columns';
import type { SearchCaches } from '../release/search-caches';

/** A chunk that can hold records within the range; its values are read when they are asked for. */
interface Chunk {
  /** The number of its first record. */
  readonly first: number;
  readonly values: () => Promise<Float64Array>;
}

/** The records of the release that lie within the range. */
export async function allWithinNumbers(
  reader: ReleaseReader,
  range: NumberRange,
  caches: SearchCaches,
): Promise<RecordSet> {
  const { minimum = -Infinity, maximum = Infinity } = range;
  const deadline = currentDeadline();
  const found = new BitSet(reader.facts.records);
  for (const { first, values } of await chunksOf(reader, range, caches)) {
    if (deadline.isSliceOver()) await deadline.giveWay();
    markWithin(await values(), [minimum, maximum], found, first);
  }
  return markedRecords(found);
}

/** Those of the candidates that lie within the range. */
export async function candidatesWithinNumbers(
  reader: ReleaseReader,
  range: NumberRange,
  caches: SearchCaches,
  candidates: Uint32Array,
): Promise<RecordSet> {
  const { minimum = -Infinity, maximum = Infinity } = range;
  const deadline = currentDeadline();
  const found = new Uint32Array(candidates.length);
  let count = 0;
  let next = 0;
  for (const { first, values } of await chunksOf(reader, range, caches)) {
    if (deadline.isSliceOver()) await deadline.giveWay();
    const from = firstNotBelow(candidates, first, next);
    next = firstNotBelow(candidates, first + CHUNK_RECORDS, from);
    if (from === next) continue;
    const numbers = await values();
    for (const record of candidates.subarray(from, next)) {
      const value = numberAt(numbers, record - first);
      if (value >= minimum && value <= maximum) found[count++] = record;
    }
  }
  return new ListedRecords(found.slice(0, count));
}

async function chunksOf(reader: ReleaseReader, range: NumberRange, caches: SearchCaches): Promise<readonly Chunk[]> {
  const { column, minimum = -Infinity, maximum = Infinity } = range;
  const { bounds } = await columnDirectoryOf(reader, caches);
  return (bounds[column] ?? []).flatMap((bound, chunk) => {
    if (bound === null || bound[1] < minimum || bound[0] > maximum) return [];
    const values = (): Promise<Float64Array> => numberChunkOf(reader, column, chunk, caches);
    return [{ first: chunk * CHUNK_RECORDS, values }];
  });
}
