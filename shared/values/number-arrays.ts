// Access to arrays of numbers, and binary search in them.

/** Returns the number at an index that must exist. Throws a RangeError when it does not. */
export function numberAt(numbers: ArrayLike<number>, index: number): number {
  const number = numbers[index];
  if (number === undefined) throw new RangeError(`no number at index ${index} of ${numbers.length}`);
  return number;
}

/** Returns the start of a range, given the exclusive ends of consecutive ranges from 0. */
export function getRangeStart(ends: ArrayLike<number>, range: number): number {
  return range === 0 ? 0 : numberAt(ends, range - 1);
}

/**
 * Finds the index of the first number at or above `bound` in ascending numbers. All numbers before `from` are below it.
 */
export function findFirstNotBelow(numbers: ArrayLike<number>, bound: number, from: number): number {
  return findFirst(from, numbers.length, (index) => numberAt(numbers, index) >= bound);
}

/** Binary search: the first index in [low, high) that matches, or `high`. All indexes after a match must match too. */
export function findFirst(low: number, high: number, matches: (index: number) => boolean): number {
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (matches(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}
