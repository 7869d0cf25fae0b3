// Iterates over the matching records of a release in chunks, as its columns are stored.

import { loadCodeChunk } from '../search/index/field-codes';
import type { RecordSet } from '../search/index/record-set';
import type { SearchableRelease } from '../search/index/search-caches';
import { CHUNK_RECORDS } from '../store/artifacts';
import type { NarrowNumbers } from '../values/bytes/sections';
import { findFirstNotBelow } from '../values/number-arrays';
import type { ClassColumn } from './column-classes';

export interface MatchingChunk {
  readonly number: number;
  /** The record number of the first record in the chunk. */
  readonly first: number;
  /** The positions of matching records within the chunk, ascending. */
  readonly positions: Uint32Array;
}

/**
 * Omits chunks without a match, so that their columns are not read. `records` is the number of records in the release.
 */
export function splitIntoChunks(matches: RecordSet, records: number): readonly MatchingChunk[] {
  if (matches.size === records) return listWholeChunks(records);
  const numbers = matches.slice();
  const chunks: MatchingChunk[] = [];
  let start = 0;
  while (start < numbers.length) {
    const number = Math.floor((numbers[start] ?? 0) / CHUNK_RECORDS);
    const first = number * CHUNK_RECORDS;
    const end = findFirstNotBelow(numbers, first + CHUNK_RECORDS, start);
    const positions = new Uint32Array(end - start);
    for (let index = start; index < end; index++) positions[index - start] = (numbers[index] ?? 0) - first;
    chunks.push({ number, first, positions });
    start = end;
  }
  return chunks;
}

function listWholeChunks(records: number): readonly MatchingChunk[] {
  const allPositions = new Uint32Array(Math.min(CHUNK_RECORDS, records));
  for (let position = 0; position < allPositions.length; position++) allPositions[position] = position;
  return Array.from({ length: Math.ceil(records / CHUNK_RECORDS) }, (_, number) => {
    const first = number * CHUNK_RECORDS;
    return { number, first, positions: allPositions.subarray(0, records - first) };
  });
}

/** Loads the codes of all records of a chunk in a column. */
export async function loadCodes(
  column: ClassColumn,
  { number }: MatchingChunk,
  release: SearchableRelease,
): Promise<NarrowNumbers> {
  return column === 'release' ? new Uint8Array(CHUNK_RECORDS) : loadCodeChunk(release, column, number);
}
