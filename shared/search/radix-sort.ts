// Sorts keys of 64 bits with a stable radix sort, 16 bits at a time, starting with the lowest. It works in slices, so
// that short requests need not wait for it (ADR 0058).

import { runInSteps } from '../store/deadline';

const DIGIT_VALUES = 0x10000;

/** Digits of 16 bits in a key. The machine stores the lowest digit of a double first. */
const DIGITS = 4;

/** Number of keys between two checks of the clock, for steps of less than a millisecond. */
const STEP = 0x10000;

/**
 * Returns the indices of the keys in ascending order of the keys; equal keys keep their order. No key may be NaN. The
 * keys are changed during the sort and restored at its end.
 */
export async function sortDoubles(keys: Float64Array): Promise<Uint32Array> {
  const digits = new Uint16Array(keys.buffer, keys.byteOffset, DIGITS * keys.length);
  await runInSteps(keys.length, STEP, (from, to) => {
    toSortableBits(digits, from, to);
  });
  const order = await sortByDigits(digits);
  await runInSteps(keys.length, STEP, (from, to) => {
    fromSortableBits(digits, from, to);
  });
  return order;
}

/** Like `sortDoubles`, for unsigned keys that each take four digits, the lowest first. */
export async function sortByDigits(digits: Uint16Array): Promise<Uint32Array> {
  const count = digits.length / DIGITS;
  let order = new Uint32Array(count);
  await runInSteps(count, STEP, (from, to) => {
    for (let index = from; index < to; index++) order[index] = index;
  });
  let sorted = new Uint32Array(count);
  for (let digit = 0; digit < DIGITS; digit++) {
    const counts = new Uint32Array(DIGIT_VALUES);
    await runInSteps(count, STEP, (from, to) => {
      countDigits(digits, digit, counts, { from, to });
    });
    // All keys have the same digit, which is common for the lowest digits of days and whole numbers.
    if (counts.includes(count)) continue;
    const nextIndex = toFirstIndices(counts);
    const source = order;
    const target = sorted;
    await runInSteps(count, STEP, (from, to) => {
      for (let index = from; index < to; index++) {
        const key = source[index] ?? 0;
        const value = digits[DIGITS * key + digit] ?? 0;
        const targetIndex = nextIndex[value] ?? 0;
        target[targetIndex] = key;
        nextIndex[value] = targetIndex + 1;
      }
    });
    order = target;
    sorted = source;
  }
  return order;
}

/** Turns the bits of doubles, which are sign and magnitude, into bits that sort as unsigned integers. */
function toSortableBits(digits: Uint16Array, from: number, to: number): void {
  for (let start = DIGITS * from; start < DIGITS * to; start += DIGITS) {
    const highest = digits[start + DIGITS - 1] ?? 0;
    if (highest < 0x8000) {
      digits[start + DIGITS - 1] = highest | 0x8000;
      continue;
    }
    for (let index = start; index < start + DIGITS; index++) digits[index] = ~(digits[index] ?? 0);
  }
}

/** Reverses `toSortableBits`. */
function fromSortableBits(digits: Uint16Array, from: number, to: number): void {
  for (let start = DIGITS * from; start < DIGITS * to; start += DIGITS) {
    const highest = digits[start + DIGITS - 1] ?? 0;
    if (highest >= 0x8000) {
      digits[start + DIGITS - 1] = highest & 0x7fff;
      continue;
    }
    for (let index = start; index < start + DIGITS; index++) digits[index] = ~(digits[index] ?? 0);
  }
}

function countDigits(
  digits: Uint16Array,
  digit: number,
  counts: Uint32Array,
  { from, to }: { readonly from: number; readonly to: number },
): void {
  for (let index = DIGITS * from + digit; index < DIGITS * to; index += DIGITS) {
    const value = digits[index] ?? 0;
    counts[value] = (counts[value] ?? 0) + 1;
  }
}

/** Returns, for each value, the number of keys with a lower value. */
function toFirstIndices(counts: Uint32Array): Uint32Array {
  const firstIndices = new Uint32Array(counts.length);
  let sum = 0;
  for (let value = 0; value < counts.length; value++) {
    firstIndices[value] = sum;
    sum += counts[value] ?? 0;
  }
  return firstIndices;
}
