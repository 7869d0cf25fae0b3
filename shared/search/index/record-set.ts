// A set of record numbers of one release, with four representations behind one interface: all records, a sorted list,
// a bit per record (the result of a pass over a column), and a Roaring bitmap (posting lists and their combinations).
// Bitmaps live in WebAssembly memory. The garbage collector frees them through roaring-wasm's finalizers; a load writes
// thousands of them in a row and therefore disposes of each at once.

import { RoaringBitmap32 } from 'roaring-wasm';
import type { BitSet } from '../../values/bytes/bit-set';

/** With more than 983,040 numbers in one call, roaring-wasm writes to memory that may have moved during the call. */
const NUMBERS_AT_ONCE = 2 ** 19;

/** Runs whose last number is at least this far from the first are added as ranges. */
const LONG_RUN = 32;

export interface RecordSet {
  readonly size: number;
  /** Memory held, in bytes. */
  readonly byteLength: number;
  /** Returns the numbers from index `from` to before index `to`, ascending; all of them without arguments. */
  slice(from?: number, to?: number): Uint32Array;
}

/** Every record of a release of `size` records. */
export class AllRecords implements RecordSet {
  readonly byteLength = 16;

  constructor(readonly size: number) {}

  slice(from = 0, to = this.size): Uint32Array {
    const numbers = new Uint32Array(Math.max(0, Math.min(to, this.size) - from));
    for (let index = 0; index < numbers.length; index++) numbers[index] = from + index;
    return numbers;
  }
}

export class ListedRecords implements RecordSet {
  readonly size: number;
  readonly byteLength: number;

  /** `list` must be ascending and without duplicates; it is kept, not copied. */
  constructor(private readonly list: Uint32Array) {
    this.size = list.length;
    this.byteLength = list.byteLength;
  }

  slice(from?: number, to?: number): Uint32Array {
    return this.list.subarray(from, to);
  }
}

/** A bit per record of the release. */
class MarkedRecords implements RecordSet {
  readonly byteLength: number;

  constructor(
    private readonly set: BitSet,
    readonly size: number,
  ) {
    this.byteLength = set.words.byteLength;
  }

  slice(from = 0, to = this.size): Uint32Array {
    return this.set.slice(Math.min(from, this.size), Math.min(to, this.size));
  }
}

class BitmapRecords implements RecordSet {
  readonly size: number;
  readonly byteLength: number;

  constructor(readonly bitmap: RoaringBitmap32) {
    this.size = bitmap.size;
    this.byteLength = bitmap.getSerializationSizeInBytes('portable');
  }

  slice(from = 0, to = this.size): Uint32Array {
    return this.bitmap.sliceUint32Array(from, Math.min(to, this.size));
  }
}

export const NO_RECORDS: RecordSet = new ListedRecords(new Uint32Array(0));

/** Decodes the bytes of `writeRecordSet`. */
export function readRecordSet(content: Uint8Array): RecordSet {
  return new BitmapRecords(RoaringBitmap32.deserialize(content, 'portable'));
}

/** Keeps the bits, or a list of the numbers where that takes less memory. */
export function toRecordSet(set: BitSet): RecordSet {
  const { size, words } = set;
  const isShort = size * Uint32Array.BYTES_PER_ELEMENT < words.byteLength;
  return isShort ? new ListedRecords(set.slice()) : new MarkedRecords(set, size);
}

/** `runs` are pairs of first and last number, in any order. */
export function createRecordSetFromRuns(runs: ArrayLike<number>): RecordSet {
  return new BitmapRecords(createBitmapFromRuns(runs));
}

/** Writes the portable Roaring format. `runs` are pairs of first and last number, ascending and not adjacent. */
export function writeRecordSet(runs: Uint32Array): Uint8Array {
  const bitmap = createBitmapFromRuns(runs);
  bitmap.runOptimize();
  const content = bitmap.serialize('portable');
  bitmap.dispose();
  return content;
}

export function union(sets: readonly RecordSet[]): RecordSet {
  const [first, ...others] = sets.filter(({ size }) => size > 0);
  if (first === undefined) return NO_RECORDS;
  if (others.length === 0) return first;
  const all = sets.find((set) => set instanceof AllRecords);
  if (all !== undefined) return all;
  const bitmap = toBitmap(first).clone();
  for (const other of others) bitmap.orInPlace(toBitmap(other));
  return new BitmapRecords(bitmap);
}

/** Starts with the smallest set, so that the cost of each step depends on the size of the intermediate result. */
export function intersection(sets: readonly RecordSet[]): RecordSet {
  const narrowing = sets.filter((set) => !(set instanceof AllRecords)).sort((a, b) => a.size - b.size);
  const [first, second, ...others] = narrowing;
  if (first === undefined) return sets[0] ?? NO_RECORDS;
  if (second === undefined || first.size === 0) return first;
  const bitmap = RoaringBitmap32.and(toBitmap(first), toBitmap(second));
  for (const other of others) bitmap.andInPlace(toBitmap(other));
  return new BitmapRecords(bitmap);
}

/** Returns the records of `from` that are not in `without`; `records` is the number of records in the release. */
export function difference(from: RecordSet, without: RecordSet, records: number): RecordSet {
  if (without.size === 0) return from;
  const excluded = toBitmap(without);
  if (from instanceof AllRecords) return new BitmapRecords(RoaringBitmap32.flipRange(excluded, 0, records));
  return new BitmapRecords(RoaringBitmap32.andNot(toBitmap(from), excluded));
}

function toBitmap(set: RecordSet): RoaringBitmap32 {
  return set instanceof BitmapRecords ? set.bitmap : addNumbers(new RoaringBitmap32(), set.slice());
}

/** Returns the same bitmap. */
function addNumbers(bitmap: RoaringBitmap32, numbers: Uint32Array): RoaringBitmap32 {
  for (let from = 0; from < numbers.length; from += NUMBERS_AT_ONCE) {
    bitmap.addMany(numbers.subarray(from, from + NUMBERS_AT_ONCE));
  }
  return bitmap;
}

/** Adds long runs as ranges and short ones number by number: a call into WebAssembly costs as much as 50 numbers. */
function createBitmapFromRuns(runs: ArrayLike<number>): RoaringBitmap32 {
  const bitmap = new RoaringBitmap32();
  const singles: number[] = [];
  for (let index = 0; index + 1 < runs.length; index += 2) {
    const first = runs[index] ?? 0;
    const last = runs[index + 1] ?? 0;
    if (last - first >= LONG_RUN) bitmap.addRange(first, last + 1);
    else for (let number = first; number <= last; number++) singles.push(number);
  }
  return addNumbers(bitmap, Uint32Array.from(singles));
}
