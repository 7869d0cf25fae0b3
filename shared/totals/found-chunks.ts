// The records that a search found, chunk by chunk of the columns, and the values of a column for them.

import { CHUNK_RECORDS } from '../store/artifacts';
import type { RecordSet } from '../search/index/record-set';
import { firstNotBelow } from '../values/numbers';

export interface FoundChunk {
  readonly number: number;
  /** The record with which the chunk begins. */
  readonly first: number;
  /** How many of the found records are in it. */
  readonly count: number;
  /** Their positions in the chunk, ascending; undefined when all of its records were found. */
  readonly positions: Uint32Array | undefined;
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
    chunks.push({ number, first, count: end - start, positions });
    start = end;
  }
  return chunks;
}

/** The values of the found records: those of the chunk itself when all were found. */
export function valuesAt<Values extends Float64Array | Uint8Array | Uint16Array | Uint32Array>(
  values: Values,
  { positions }: FoundChunk,
): Values {
  if (positions === undefined) return values;
  // A new array of the same type.
  const found = new (values.constructor as new (length: number) => Values)(positions.length);
  for (let index = 0; index < positions.length; index++) found[index] = values[positions[index] ?? 0] ?? 0;
  return found;
}

function wholeChunks(records: number): readonly FoundChunk[] {
  return Array.from({ length: Math.ceil(records / CHUNK_RECORDS) }, (_, number) => {
    const first = number * CHUNK_RECORDS;
    return { number, first, count: Math.min(CHUNK_RECORDS, records - first), positions: undefined };
  });
}
