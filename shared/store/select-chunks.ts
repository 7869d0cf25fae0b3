// Finds the chunks of stored fragments that contain the requested fragments.

import { findFirstNotBelow, numberAt } from '../values/number-arrays';

export interface SelectedChunk {
  readonly ordinal: number;
  /** Indexes within the chunk, ascending. */
  readonly indexes: Uint32Array;
}

/**
 * Groups fragment numbers by the chunk that contains them. `firsts` has the number of the first fragment of each chunk;
 * both arrays are ascending. Throws if no chunk contains a number.
 */
export function selectChunks(firsts: Uint32Array, numbers: Uint32Array): readonly SelectedChunk[] {
  const selected: SelectedChunk[] = [];
  for (let position = 0; position < numbers.length;) {
    const number = numberAt(numbers, position);
    const ordinal = findFirstNotBelow(firsts, number + 1, 0) - 1;
    const first = firsts[ordinal];
    if (first === undefined || number < first) throw new Error(`no run contains the fragment ${number}`);
    const next = firsts[ordinal + 1] ?? Infinity;
    let end = position + 1;
    while (end < numbers.length && numberAt(numbers, end) < next) end++;
    selected.push({ ordinal, indexes: numbers.subarray(position, end).map((fragment) => fragment - first) });
    position = end;
  }
  return selected;
}
