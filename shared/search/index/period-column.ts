// The period column of a release: for each record its effective first and last day (D7), and the dates that it shows,
// of which one may be missing and the first may be the later one (D62). Records share few distinct
// periods (years, months, days), so the column holds a code per record and a table of periods: 2 bytes a record instead
// of 8, and a range is decided once per period, not once per record.

import type { Period } from '../../query/criteria';
import type { Day } from '../../values/dates';
import { BitSet, markCodes } from '../../values/bytes/bit-set';
import { numberAt } from '../../values/numbers';
import { Sections } from '../../values/bytes/sections';

/** The code of a record that has no dates, and never matches once a bound is given. */
export const NO_PERIOD = 0;

/** Stands for a date that a record does not show; days lie within about +-4 million. */
export const NO_DAY = -0x80000000;

export interface PeriodColumn {
  /** For code c: first day at 2c, last day at 2c + 1. The pair of code 0 is unused. */
  readonly periods: Int32Array;
  /** As `periods`; NO_DAY for none. */
  readonly shown: Int32Array;
  readonly codes: Uint16Array | Uint32Array;
}

export function readPeriodColumn(content: Uint8Array): PeriodColumn {
  const sections = new Sections(content);
  const isShort = sections.numbers(Uint32Array, 0)[0] === Uint16Array.BYTES_PER_ELEMENT;
  const codes = sections.numbers<PeriodColumn['codes']>(isShort ? Uint16Array : Uint32Array, 3);
  return { periods: sections.numbers(Int32Array, 1), shown: sections.numbers(Int32Array, 2), codes };
}

/** The records whose whole period lies within the range. Takes about a millisecond for a million. */
export function allWithin(column: PeriodColumn, range: Period): BitSet {
  return recordsOfCodes(column.codes, codesWithin(column.periods, range));
}

/** The records whose period `isWanted`, by its first and last day; `isUndatedWanted` decides of those without one. */
export function allOfPeriods(
  { periods, codes }: PeriodColumn,
  isUndatedWanted: boolean,
  isWanted: (first: Day, last: Day) => boolean,
): BitSet {
  const wanted = Uint8Array.from({ length: periods.length / 2 }, (_, code) => {
    if (code === NO_PERIOD) return isUndatedWanted ? 1 : 0;
    return isWanted(numberAt(periods, 2 * code), numberAt(periods, 2 * code + 1)) ? 1 : 0;
  });
  return recordsOfCodes(codes, wanted);
}

/** The records that show a first or last date which `isWanted`. */
export function allOfShownDays(
  { shown, codes }: PeriodColumn,
  end: 'first' | 'last',
  isWanted: (day: Day) => boolean,
): BitSet {
  const wanted = Uint8Array.from({ length: shown.length / 2 }, (_, code) => {
    const day = numberAt(shown, 2 * code + (end === 'first' ? 0 : 1));
    return day !== NO_DAY && isWanted(day) ? 1 : 0;
  });
  return recordsOfCodes(codes, wanted);
}

/** The records whose code is marked with 1 in a table of zeros and ones. */
function recordsOfCodes(codes: PeriodColumn['codes'], isWanted: Uint8Array): BitSet {
  const found = new BitSet(codes.length);
  markCodes(codes, isWanted, found, 0);
  return found;
}

/** Both lists are ascending. */
export function candidatesWithin(column: PeriodColumn, range: Period, candidates: Uint32Array): Uint32Array {
  const isWithin = codesWithin(column.periods, range);
  const { codes } = column;
  const found = new Uint32Array(candidates.length);
  let count = 0;
  // The number is always written and the count moves on only for a match: no branch to mispredict.
  for (const number of candidates) {
    found[count] = number;
    count += isWithin[codes[number] ?? 0] ?? 0;
  }
  return found.slice(0, count);
}

function codesWithin(periods: Int32Array, range: Period): Uint8Array {
  const { from = -Infinity, to = Infinity } = range;
  const isWithin = new Uint8Array(periods.length / 2);
  for (let code = 1; code < isWithin.length; code++) {
    const first = periods[2 * code] ?? 0;
    const last = periods[2 * code + 1] ?? 0;
    isWithin[code] = first >= from && last <= to ? 1 : 0;
  }
  return isWithin;
}
