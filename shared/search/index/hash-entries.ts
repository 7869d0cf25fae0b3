// Sorted lists of entries that find numbers by a hash. An entry is a 25-bit hash times 2^28, plus a number below 2^28.
// A double holds it exactly.

import { findFirstNotBelow, numberAt } from '../../values/number-arrays';

const NUMBER_RANGE = 2 ** 28;

/** Hashes are below this. */
export const HASH_RANGE = 2 ** 25;

export function toHashEntry(hash: number, number: number): number {
  return hash * NUMBER_RANGE + number;
}

/**
 * Finds the numbers of the entries with the hash, ascending. The entries must be ascending. Different values can have
 * the same hash, so the caller has to compare the values.
 */
export function findNumbersWithHash(entries: Float64Array, hash: number): readonly number[] {
  const lowest = toHashEntry(hash, 0);
  const numbers: number[] = [];
  for (let index = findFirstNotBelow(entries, lowest, 0); index < entries.length; index++) {
    const number = numberAt(entries, index) - lowest;
    if (number >= NUMBER_RANGE) break;
    numbers.push(number);
  }
  return numbers;
}

/** Returns the entry of a place; `term` is the filter term of its identifier. */
export function toPlaceHash(term: string, rank: number): number {
  return toHashEntry(hashTerm(term), rank);
}

/** Hashes the UTF-16 units of the text with FNV-1a, without its 7 lowest bits. */
export function hashTerm(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index++) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  return hash >>> 7;
}
