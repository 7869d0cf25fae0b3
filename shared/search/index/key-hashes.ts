// Finds records by the digests of their keys (ADR 0077). Hashes of the digests, with the numbers of the records, are
// stored in chunks by the first bits of the hash, so finding a record reads one chunk. The digests of the few records
// that share a hash are then compared.

import { CHUNK_RECORDS } from '../../store/artifacts';
import { numberAt } from '../../values/number-arrays';
import { writeNumbers } from './column-format';
import { HASH_RANGE, toHashEntry } from './hash-entries';

const HASH_BITS = Math.log2(HASH_RANGE);
const DIGIT_BITS = 4;

/** Chunks that are written in one pass over the hashes: 32 MB of entries. */
const CHUNKS_PER_PASS = 64;

/** Hashes by record number, in batches that can be iterated several times. */
export interface CollectedHashes {
  readonly length: number;
  readonly batches: () => Iterable<Iterable<number>>;
}

/** Returns the first bits of the digest, which is hexadecimal. */
export function hashDigest(digest: string): number {
  const digits = Math.ceil(HASH_BITS / DIGIT_BITS);
  return Number.parseInt(digest.slice(0, digits), 16) >>> (digits * DIGIT_BITS - HASH_BITS);
}

/** Returns the chunk that contains a hash. `records` is the number of records in the release. */
export function findHashChunk(hash: number, records: number): number {
  return Math.floor((hash * Math.ceil(records / CHUNK_RECORDS)) / HASH_RANGE);
}

/** Calls `write` with the content of each chunk. */
export function writeKeyHashes(hashes: CollectedHashes, write: (chunk: number, content: Uint8Array) => void): void {
  const counts = new Uint32Array(Math.ceil(hashes.length / CHUNK_RECORDS));
  visitHashes(hashes, (hash) => {
    const chunk = findHashChunk(hash, hashes.length);
    counts[chunk] = numberAt(counts, chunk) + 1;
  });
  for (let first = 0; first < counts.length; first += CHUNKS_PER_PASS) {
    const passCounts = counts.subarray(first, first + CHUNKS_PER_PASS);
    const chunks = Array.from(passCounts, (count) => ({ entries: new Float64Array(count), length: 0 }));
    visitHashes(hashes, (hash, record) => {
      const chunk = chunks[findHashChunk(hash, hashes.length) - first];
      if (chunk === undefined) return;
      chunk.entries[chunk.length] = toHashEntry(hash, record);
      chunk.length++;
    });
    chunks.forEach(({ entries }, index) => {
      write(first + index, writeNumbers(entries.sort()));
    });
  }
}

function visitHashes({ batches }: CollectedHashes, visit: (hash: number, record: number) => void): void {
  let record = 0;
  for (const batch of batches()) {
    for (const hash of batch) {
      visit(hash, record);
      record++;
    }
  }
}
