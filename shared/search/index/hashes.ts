// Finds records by the digests of their keys (ADR 0077): hashes of the digests with the numbers of the records, in
// chunks by the beginning of the hash, so that one chunk is read for one record. A hash stands for few records, whose
// digests are then compared.

import { CHUNK_RECORDS } from '../../store/artifacts';
import { findFirstNotBelow, numberAt } from '../../values/numbers';
import { writeNumbers } from './column-format';

// A sorted list of entries that finds numbers by a hash: an entry is a hash of 25 bits, times 2 to the power of 28,
// plus a number, which a double holds exactly.

const NUMBERS = 2 ** 28;

/** Hashes are below this one. */
const HASHES = 2 ** 25;

function toHashEntry(hash: number, number: number): number {
  return hash * NUMBERS + number;
}

/** The numbers with a hash in ascending entries, which may have what the hash is of; ascending. */
export function findNumbersWithHash(entries: Float64Array, hash: number): readonly number[] {
  const lowest = toHashEntry(hash, 0);
  const numbers: number[] = [];
  for (let at = findFirstNotBelow(entries, lowest, 0); at < entries.length; at++) {
    const number = numberAt(entries, at) - lowest;
    if (number >= NUMBERS) break;
    numbers.push(number);
  }
  return numbers;
}

const HASH_BITS = Math.log2(HASHES);
const DIGIT_BITS = 4;

/** The first bits of the digest. */
export function hashDigest(digest: string): number {
  const digits = Math.ceil(HASH_BITS / DIGIT_BITS);
  return Number.parseInt(digest.slice(0, digits), 16) >>> (digits * DIGIT_BITS - HASH_BITS);
}

/** The chunk that has a hash, in a release of so many records. */
export function findHashChunk(hash: number, records: number): number {
  return Math.floor((hash * Math.ceil(records / CHUNK_RECORDS)) / HASHES);
}

/** Hashes by record number, in pieces that can be gone through again. */
export interface CollectedHashes {
  readonly length: number;
  readonly batches: () => Iterable<Iterable<number>>;
}

/** 32 MB of entries; each group of chunks is one more pass over the hashes. */
const CHUNKS_AT_ONCE = 64;

/** Calls `write` with the content of each chunk. */
export function writeKeyHashes(hashes: CollectedHashes, write: (chunk: number, content: Uint8Array) => void): void {
  const counts = new Uint32Array(Math.ceil(hashes.length / CHUNK_RECORDS));
  visitHashes(hashes, (hash) => {
    const chunk = findHashChunk(hash, hashes.length);
    counts[chunk] = numberAt(counts, chunk) + 1;
  });
  for (let first = 0; first < counts.length; first += CHUNKS_AT_ONCE) {
    const ofGroup = counts.subarray(first, first + CHUNKS_AT_ONCE);
    const chunks = Array.from(ofGroup, (count) => ({ entries: new Float64Array(count), length: 0 }));
    visitHashes(hashes, (hash, record) => {
      const chunk = chunks[findHashChunk(hash, hashes.length) - first];
      if (chunk !== undefined) chunk.entries[chunk.length++] = toHashEntry(hash, record);
    });
    chunks.forEach(({ entries }, index) => {
      write(first + index, writeNumbers(entries.sort()));
    });
  }
}

function visitHashes({ batches: pieces }: CollectedHashes, visit: (hash: number, record: number) => void): void {
  let record = 0;
  for (const piece of pieces()) for (const hash of piece) visit(hash, record++);
}

/** `term` is the filter term of the place's identifier. */
export function toPlaceHash(term: string, rank: number): number {
  return toHashEntry(hashTerm(term), rank);
}

/** FNV-1a over the UTF-16 units of the text, without its 7 lowest bits. */
export function hashTerm(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index++) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  return hash >>> 7;
}
