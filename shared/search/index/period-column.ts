// The period column of a release: for each record its effective first and last day (D7). Records share few distinct
// periods (years, months, days), so the column holds a code per record and a table of periods: 2 bytes a record instead
// of 8, and a range is decided once per period, not once per record.

import type { Period } from '../../query/criteria';
import type { Day } from '../../values/dates';
import { BitSet, markCodes } from '../../values/bit-set';
import { numberAt } from '../../values/numbers';
import { sectionPieces, Sections } from '../../values/sections';

/** Code 0: the record has no dates and never matches once a bound is given. */
const NO_PERIOD = 0;

/** Codes fit two bytes up to this number of distinct periods. */
const MAX_SHORT_CODES = 0x10000;

export interface PeriodColumn {
  /** For code c: first day at 2c, last day at 2c + 1. The pair of code 0 is unused. */
  readonly periods: Int32Array;
  readonly codes: Uint16Array | Uint32Array;
}

export class PeriodColumnBuilder {
  private readonly codeOf = new Map<number, number>();
  private readonly periods: number[] = [0, 0];
  private codes: PeriodColumn['codes'] = new Uint16Array(1024);
  private count = 0;

  /** `first` must not be later than `last`; undefined when the record has no dates. */
  add(period: { readonly first: Day; readonly last: Day } | undefined): void {
    const code = period === undefined ? NO_PERIOD : this.code(period.first, period.last);
    const isTooLong = code >= MAX_SHORT_CODES && this.codes instanceof Uint16Array;
    if (isTooLong || this.count === this.codes.length) this.grow(isTooLong);
    this.codes[this.count++] = code;
  }

  /** First and last day over all records; undefined when none has dates. */
  extent(): { readonly first: Day; readonly last: Day } | undefined {
    let first = Infinity;
    let last = -Infinity;
    for (let index = 2; index < this.periods.length; index += 2) {
      first = Math.min(first, this.periods[index] ?? first);
      last = Math.max(last, this.periods[index + 1] ?? last);
    }
    return first === Infinity ? undefined : { first, last };
  }

  build(): PeriodColumn {
    return { periods: Int32Array.from(this.periods), codes: this.codes.subarray(0, this.count) };
  }

  private grow(isTooLong: boolean): void {
    const { codes } = this;
    const length = 2 * codes.length;
    this.codes = codes instanceof Uint16Array && !isTooLong ? new Uint16Array(length) : new Uint32Array(length);
    this.codes.set(codes);
  }

  private code(first: Day, last: Day): number {
    // Days lie within about +-4 million, so both fit one exact number.
    const key = first * 0x1000000 + (last - first);
    const known = this.codeOf.get(key);
    if (known !== undefined) return known;
    const code = this.periods.length / 2;
    this.periods.push(first, last);
    this.codeOf.set(key, code);
    return code;
  }
}

/** What `readPeriodColumn` reads, without a copy of the codes. */
export function periodColumnPieces({ codes, periods }: PeriodColumn): Iterable<Uint8Array> {
  const sections = [Uint32Array.of(codes.BYTES_PER_ELEMENT), periods, codes];
  return sectionPieces(
    sections.map(({ buffer, byteOffset, byteLength }) => {
      return { byteLength, pieces: () => [new Uint8Array(buffer, byteOffset, byteLength)] };
    }),
  );
}

export function readPeriodColumn(content: Uint8Array): PeriodColumn {
  const sections = new Sections(content);
  const isShort = sections.numbers(Uint32Array, 0)[0] === Uint16Array.BYTES_PER_ELEMENT;
  const codes = sections.numbers<PeriodColumn['codes']>(isShort ? Uint16Array : Uint32Array, 2);
  return { periods: sections.numbers(Int32Array, 1), codes };
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
