// Stores sets of ascending numbers as runs. A run is a pair of first and last number.

import { ByteWriter } from '../../shared/values/bytes/byte-writer';

/**
 * Record numbers as runs, because most terms apply to whole series of records. In memory, a run takes two to four bytes
 * for its distance from the previous run and its length. A right takes one run in each of a dozen lists.
 */
export class RunList {
  private readonly runs = new ByteWriter(INITIAL_BYTES);
  private count = 0;
  /** The last number of the last complete run. */
  private end = 0;
  /** The open run. It is empty if its last number is below its first. */
  private first = 0;
  private last = -1;

  /** Numbers must be added in ascending order. Adding the last number again has no effect. */
  add(number: number): void {
    if (number <= this.last) return;
    if (number > this.last + 1) {
      this.endRun();
      this.first = number;
    }
    this.last = number;
  }

  /** Yields pairs of first and last number. */
  toRuns(): Uint32Array {
    const isOpen = this.first <= this.last;
    const pairs = new Uint32Array(2 * (this.count + (isOpen ? 1 : 0)));
    const runs = this.runs.bytes();
    let offset = 0;
    let number = 0;
    for (let bound = 0; bound < 2 * this.count; bound++) {
      for (let shift = 1, byte = CONTINUATION; byte >= CONTINUATION; shift *= CONTINUATION) {
        byte = runs[offset] ?? 0;
        offset++;
        number += (byte % CONTINUATION) * shift;
      }
      pairs[bound] = number;
    }
    if (isOpen) pairs.set([this.first, this.last], 2 * this.count);
    return pairs;
  }

  private endRun(): void {
    if (this.last < this.first) return;
    for (let step of [this.first - this.end, this.last - this.first]) {
      for (; step >= CONTINUATION; step = Math.floor(step / CONTINUATION)) {
        this.runs.byte(CONTINUATION + (step % CONTINUATION));
      }
      this.runs.byte(step);
    }
    this.end = this.last;
    this.count++;
  }
}

/** The initial size, which is small because lists are mostly either short or very long. */
const INITIAL_BYTES = 16;

/**
 * The highest bit of a byte, which says that more bytes follow. Numbers have variable length: seven bits per byte,
 * lowest first.
 */
const CONTINUATION = 128;

/** The runs of ascending numbers. Most identifiers and names have only one number. */
export function toRuns(numbers: readonly number[] | Uint32Array): Uint32Array {
  const [first] = numbers;
  if (first !== undefined && numbers.length === 1) return Uint32Array.of(first, first);
  const records = new RunList();
  for (const number of numbers) records.add(number);
  return records.toRuns();
}

export function mergeRuns(a: Uint32Array, b: Uint32Array): Uint32Array {
  const merged = new Uint32Array(a.length + b.length);
  let length = 0;
  let indexA = 0;
  let indexB = 0;
  while (indexA < a.length || indexB < b.length) {
    let first: number;
    let last: number;
    if ((a[indexA] ?? Infinity) <= (b[indexB] ?? Infinity)) {
      first = a[indexA] ?? 0;
      last = a[indexA + 1] ?? 0;
      indexA += 2;
    } else {
      first = b[indexB] ?? 0;
      last = b[indexB + 1] ?? 0;
      indexB += 2;
    }
    const end = merged[length - 1];
    if (length > 0 && end !== undefined && first <= end + 1) {
      merged[length - 1] = Math.max(end, last);
    } else {
      merged[length] = first;
      merged[length + 1] = last;
      length += 2;
    }
  }
  return merged.subarray(0, length);
}

/** Counts the numbers in runs: last minus first plus one, with first numbers at even indices. */
export function countNumbers(pairs: Uint32Array): number {
  return pairs.reduce((size, bound, index) => size + (index % 2 === 0 ? 1 - bound : bound), 0);
}
