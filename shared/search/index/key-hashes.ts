// Finds records by the digests of their keys (ADR 0097): hashes of the digests with the numbers of the records, in
// chunks by the beginning of the hash, so that one chunk is read for one record. A hash stands for few records, whose
// digests are then compared.

import { CHUNK_RECORDS } from '../../store/artifacts';
import { Sections, writeSections } from '../../values/sections';
import { HASHES, hashEntry, numbersOfHash } from './hash-entries';

/** The entries of a chunk, ascending. */
export type KeyHashes = Float64Array;

const HASH_BITS = Math.log2(HASHES);
const DIGIT_BITS = 4;

/** The first bits of the digest. */
export function hashOfDigest(digest: string): number {
  const digits = Math.ceil(HASH_BITS / DIGIT_BITS);
  return Number.parseInt(digest.slice(0, digits), 16) >>> (digits * DIGIT_BITS - HASH_BITS);
}

/** The chunk that has a hash, in a release of so many records. */
export function chunkOfHash(hash: number, records: number): number {
  return Math.floor((hash * Math.ceil(records / CHUNK_RECORDS)) / HASHES);
}

/** Calls `write` with the content of each chunk; `hashes` are by record number. */
export function writeKeyHashes(hashes: ArrayLike<number>, write: (chunk: number, content: Uint8Array) => void): void {
  const { length } = hashes;
  const entries = new Float64Array(length);
  for (let record = 0; record < length; record++) entries[record] = hashEntry(hashes[record] ?? NaN, record);
  entries.sort();
  const chunks = Math.ceil(length / CHUNK_RECORDS);
  let start = 0;
  for (let chunk = 0; chunk < chunks; chunk++) {
    let end = start;
    while (end < length && chunkOfHash(Math.floor((entries[end] ?? 0) / hashEntry(1, 0)), length) === chunk) end++;
    write(chunk, writeSections([entries.subarray(start, end)]));
    start = end;
  }
}

export function readKeyHashes(content: Uint8Array): KeyHashes {
  return new Sections(content).numbers(Float64Array, 0);
}

/** The records that may have the digest, ascending. */
export function recordsOfDigest(hashes: KeyHashes, digest: string): readonly number[] {
  return numbersOfHash(hashes, hashOfDigest(digest));
}
