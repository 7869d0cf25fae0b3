// Encodes runs of numbers as bytes. Each item, such as a place or a term, has a list of runs, and the lists follow one
// another.

import type { NarrowNumbers } from '../../values/bytes/sections';
import { getRangeStart, numberAt } from '../../values/number-arrays';

export interface EncodedRuns {
  readonly runs: Uint8Array;
  /** The runs of item i take the bytes from `runEnds[i - 1]` to before `runEnds[i]`. */
  readonly runEnds: NarrowNumbers;
}

/**
 * Appends the encoded runs, which are pairs of first and last number, ascending. A run is a number with 7 bits per
 * byte, low bits first: twice the distance from the end of the previous run, plus one if the run has several numbers.
 * In that case, the count of numbers after the first follows. Most runs take one or two bytes.
 */
export function appendRuns(target: number[], runs: Uint32Array): void {
  let end = 0;
  for (let index = 0; index < runs.length; index += 2) {
    const first = numberAt(runs, index);
    const followers = numberAt(runs, index + 1) - first;
    appendNumber(target, 2 * (first - end) + Math.min(1, followers));
    if (followers > 0) appendNumber(target, followers);
    end = first + followers;
  }
}

function appendNumber(target: number[], number: number): void {
  let rest = number;
  for (; rest > 0x7f; rest = Math.floor(rest / 0x80)) target.push(0x80 | (rest % 0x80));
  target.push(rest);
}

/** Calls `visit` with the first and the last number of each run of an item, ascending. */
export function visitRuns(
  { runs, runEnds }: EncodedRuns,
  item: number,
  visit: (first: number, last: number) => void,
): void {
  let offset = getRangeStart(runEnds, item);
  const end = numberAt(runEnds, item);
  const readNumber = (): number => {
    let byte = numberAt(runs, offset);
    offset++;
    let number = byte & 0x7f;
    for (let unit = 0x80; byte > 0x7f; unit *= 0x80) {
      byte = numberAt(runs, offset);
      offset++;
      number += (byte & 0x7f) * unit;
    }
    return number;
  };
  let last = 0;
  while (offset < end) {
    const code = readNumber();
    const first = last + Math.floor(code / 2);
    last = code % 2 === 0 ? first : first + readNumber();
    visit(first, last);
  }
}
