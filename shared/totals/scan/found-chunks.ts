// The records that a search found, chunk by chunk of the columns.

import { CHUNK_RECORDS } from '../../store/artifacts';
import type { RecordSet } from '../../search/index/record-set';
import { firstNotBelow } from '../../values/numbers';

export interface FoundChunk {
  readonly number: number;
  /** The record with which the chunk begins. */
  readonly first: number;
  /** Where the found records stand in the chunk, ascending. */
  readonly positions: Uint32Array;
}

/** Chunks without a found record are left out, so that nothing is read for them. */
export function chunksOf(found: RecordSet, records: number): readonly FoundChunk[] {
  if (found.size === records) return wholeChunks(records);
  const numbers = found.numbers();
  const chunks: FoundChunk[] = [];
  for (let start = 0; start < numbers.length;) {
    const number = Math.floor((numbers[start] ?? 0) / CHUNK_RECORDS);
    const first = number * CHUNK_RECORDS;
    const end = firstNotBelow(numbers, first + CHUNK_RECORDS, start);
    const positions = new Uint32Array(end - start);
    for (let index = start; index < end; index++) positions[index - start] = (numbers[index] ?? 0) - first;
    chunks.push({ number, first, positions });
    start = end;
  }
  return chunks;
}

function wholeChunks(records: number): readonly FoundChunk[] {
  const all = new Uint32Array(Math.min(CHUNK_RECORDS, records));
  for (let position = 0; position < all.length; position++) all[position] = position;
  return Array.from({ length: Math.ceil(records / CHUNK_RECORDS) }, (_, number) => {
    const first = number * CHUNK_RECORDS;
    return { number, first, positions: all.subarray(0, records - first) };
  });
}
