// Sorts records by a number: a radix sort of the numbers' bits, 16 at a time from the lowest, which keeps the order of
// equal ones. It goes on in slices, so that short requests need not wait for it (ADR 0058).

import { currentDeadline } from '../store/deadline';

const DIGIT_VALUES = 0x10000;

/** Digits of 16 bits in a double, of which the machine stores the lowest first. */
const DIGITS = 4;

/** So many are worked on before the clock is asked: less than a millisecond. */
const STEP = 0x10000;

/** The indices of the keys in ascending order, equal ones in their own. The keys have no NaN, and are lost. */
export async function sortByKey(keys: Float64Array): Promise<Uint32Array> {
  const digits = new Uint16Array(keys.buffer, keys.byteOffset, DIGITS * keys.length);
  const count = keys.length;
  await inSteps(count, (from, to) => {
    toOrderedBits(digits, from, to);
  });
  let order = new Uint32Array(count);
  await inSteps(count, (from, to) => {
    for (let index = from; index < to; index++) order[index] = index;
  });
  let sorted = new Uint32Array(count);
  for (let digit = 0; digit < DIGITS; digit++) {
    const ends = new Uint32Array(DIGIT_VALUES);
    await inSteps(count, (from, to) => {
      countDigits(digits, digit, ends, { from, to });
    });
    // Nothing to do where all keys have the same digit, as days and whole numbers have in their lowest.
    if (ends.includes(count)) continue;
    let sum = 0;
    const next = ends.map((ofDigit) => (sum += ofDigit) - ofDigit);
    const [source, target] = [order, sorted];
    await inSteps(count, (from, to) => {
      for (let index = from; index < to; index++) {
        const key = source[index] ?? 0;
        const value = digits[DIGITS * key + digit] ?? 0;
        const place = next[value] ?? 0;
        target[place] = key;
        next[value] = place + 1;
      }
    });
    [order, sorted] = [target, source];
  }
  return order;
}

/** Calls `act` for one part after the other, and gives way between them when a slice is over. */
export async function inSteps(count: number, act: (from: number, to: number) => void): Promise<void> {
  const deadline = currentDeadline();
  for (let from = 0; from < count; from += STEP) {
    if (deadline.isSliceOver()) await deadline.giveWay();
    act(from, Math.min(count, from + STEP));
  }
}

/** Makes of the bits of doubles, which stand as sign and size, ones that are in order as whole numbers. */
function toOrderedBits(digits: Uint16Array, from: number, to: number): void {
  for (let start = DIGITS * from; start < DIGITS * to; start += DIGITS) {
    const highest = digits[start + DIGITS - 1] ?? 0;
    if (highest < 0x8000) {
      digits[start + DIGITS - 1] = highest | 0x8000;
      continue;
    }
    for (let at = start; at < start + DIGITS; at++) digits[at] = ~(digits[at] ?? 0);
  }
}

function countDigits(
  digits: Uint16Array,
  digit: number,
  counts: Uint32Array,
  { from, to }: { readonly from: number; readonly to: number },
): void {
  for (let at = DIGITS * from + digit; at < DIGITS * to; at += DIGITS) {
    const value = digits[at] ?? 0;
    counts[value] = (counts[value] ?? 0) + 1;
  }
}
