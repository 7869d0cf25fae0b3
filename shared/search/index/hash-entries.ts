// A sorted list of entries that finds numbers by a hash: an entry is a hash of 25 bits, times 2 to the power of 28,
// plus a number, which a double holds exactly.

import { firstNotBelow, numberAt } from '../../values/numbers';

const NUMBERS = 2 ** 28;

/** Hashes are below this one. */
export const HASHES = 2 ** 25;

export function hashEntry(hash: number, number: number): number {
  return hash * NUMBERS + number;
}

/** The numbers with a hash in ascending entries; ascending. */
export function numbersOfHash(entries: Float64Array, hash: number): readonly number[] {
  const lowest = hashEntry(hash, 0);
  const numbers: number[] = [];
  for (let at = firstNotBelow(entries, lowest, 0); at < entries.length; at++) {
    const number = numberAt(entries, at) - lowest;
    if (number >= NUMBERS) break;
    numbers.push(number);
  }
  return numbers;
}
