// Numbers read from the bytes of a text, one after the other, without a string for each: most stand there as JSON
// writes them, and are then copied as they stand. Reading and writing them anew takes ten times as long.

import { numberAt } from '../../values/numbers';

const MINUS = 0x2d;
const POINT = 0x2e;
const ZERO = 0x30;
const NINE = 0x39;

/** So many digits tell a double from all others, so that no shorter text is the same number. */
const MOST_DIGITS = 15;

/** A quotient of two whole numbers that are doubles is the double nearest to the decimal number. */
const POWERS_OF_TEN = Array.from({ length: MOST_DIGITS + 1 }, (_, exponent) => 10 ** exponent);

/** A number as it was read last. */
export class NumberText {
  value = NaN;
  /** Behind its last digit. */
  end = 0;
  /** Whether JSON writes the number as it stands up to `shortestEnd`. Never found so between -1 and 1. */
  isShortest = false;
  /** Before zeros that say nothing, as in 40.50 and 7.0. */
  shortestEnd = 0;

  /** Reads a decimal number without exponent that starts at `start`; false where there is none. */
  read(bytes: Buffer, start: number): boolean {
    const isNegative = bytes[start] === MINUS;
    const first = isNegative ? start + 1 : start;
    let at = first;
    let whole = 0;
    for (let byte = bytes[at] ?? 0; byte >= ZERO && byte <= NINE; byte = bytes[++at] ?? 0) {
      whole = 10 * whole + byte - ZERO;
    }
    if (at === first) return false;
    let digits = at - first;
    let decimals = 0;
    let shortestEnd: number | undefined;
    if (bytes[at] === POINT) {
      const point = at++;
      for (let byte = bytes[at] ?? 0; byte >= ZERO && byte <= NINE; byte = bytes[++at] ?? 0) {
        whole = 10 * whole + byte - ZERO;
      }
      decimals = at - point - 1;
      // Not every reader takes `7.` for a number.
      digits += decimals === 0 ? Infinity : decimals;
      shortestEnd = at;
      while (bytes[shortestEnd - 1] === ZERO) shortestEnd--;
      if (shortestEnd === point + 1) shortestEnd = point;
    }
    this.end = at;
    this.shortestEnd = shortestEnd ?? at;
    this.isShortest = digits <= MOST_DIGITS && bytes[first] !== ZERO;
    if (this.isShortest) this.value = (isNegative ? -whole : whole) / numberAt(POWERS_OF_TEN, decimals);
    else this.value = Number(bytes.toString('latin1', start, at));
    return true;
  }
}
