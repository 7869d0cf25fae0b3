// Fragments (records, lookups, geometries, places) are numbered from zero within their family. Neighbours are stored
// together in runs; some of them are read as one JSON text, joined with commas.

import { firstNotBelow, numberAt } from '../values/numbers';
import type { JoinedFragments } from './port';

/** The separator of joined fragments, which makes them a piece of a JSON list. */
export const COMMA = 0x2c;

export interface SelectedRun {
  readonly ordinal: number;
  /** Positions in the run, ascending. */
  readonly indexes: Uint32Array;
}

/** Which runs hold some fragments, and where: `firsts` has the first number of each run, `numbers` are ascending. */
export function selectRuns(firsts: Uint32Array, numbers: Uint32Array): readonly SelectedRun[] {
  const selected: SelectedRun[] = [];
  for (let position = 0; position < numbers.length;) {
    const number = numberAt(numbers, position);
    const ordinal = firstNotBelow(firsts, number + 1, 0) - 1;
    const first = firsts[ordinal];
    if (first === undefined || number < first) throw new Error(`no run holds the fragment ${number}`);
    const next = firsts[ordinal + 1] ?? Infinity;
    let end = position + 1;
    while (end < numbers.length && numberAt(numbers, end) < next) end++;
    selected.push({ ordinal, indexes: numbers.subarray(position, end).map((one) => one - first) });
    position = end;
  }
  return selected;
}

/** How long texts of these lengths are, joined with commas. */
export function joinedBytes(lengths: Uint32Array): number {
  return lengths.reduce((sum, length) => sum + length, Math.max(0, lengths.length - 1));
}

/** `parts` are JSON texts of one or more fragments each, in order, which are joined with commas within a part. */
export function joinParts(parts: readonly Uint8Array[]): JoinedFragments {
  const commas = Math.max(0, parts.length - 1);
  return {
    byteLength: parts.reduce((sum, part) => sum + part.length, commas),
    copyTo: (target, offset) => {
      let at = offset;
      parts.forEach((part, index) => {
        if (index > 0) target[at++] = COMMA;
        target.set(part, at);
        at += part.length;
      });
    },
  };
}

/** Joined fragments as the JSON text of a list. */
export function listText(fragments: JoinedFragments): string {
  const content = Buffer.allocUnsafe(fragments.byteLength);
  fragments.copyTo(content, 0);
  return `[${content.toString()}]`;
}
