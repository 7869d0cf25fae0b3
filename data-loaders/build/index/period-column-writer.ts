// A period column while records come: their codes lie in a file, so that only the table of periods is in memory.

import { NO_DAY, NO_PERIOD } from '../../../shared/search/index/column-format';
import type { Day } from '../../../shared/values/dates';
import { sectionOf, sectionPieces } from '../../../shared/values/bytes/sections';
import type { ShownDates } from '../../format/amount-definitions';
import { ColumnFile } from './column-file';

/** Codes fit two bytes up to this number of distinct periods. */
const MAX_SHORT_CODES = 0x10000;

export class PeriodColumnWriter {
  /** By first and last day in one number. */
  private readonly codeOf = new Map<number, number>();
  /** Periods of one day: small numbers are found faster, and rights have no others. */
  private readonly codeOfDay = new Map<number, number>();
  /** Those of records that show other dates than their period has. */
  private readonly codeOfOthers = new Map<string, number>();
  private readonly periods: number[] = [0, 0];
  private readonly shown: number[] = [NO_DAY, NO_DAY];
  private readonly codes: ColumnFile;

  /** `path` is that of the file, which is removed by whoever made its folder. */
  constructor(path: string) {
    this.codes = new ColumnFile(path, Uint32Array);
  }

  /** `first` of the period must not be later than `last`; undefined when the record has no dates, and shows none. */
  add(period: { readonly first: Day; readonly last: Day } | undefined, shown: ShownDates | undefined = period): void {
    this.codes.add(period === undefined ? NO_PERIOD : this.code(period.first, period.last, shown));
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

  /** What `readPeriodColumn` reads; each piece is overwritten after the next one. */
  pieces(): Iterable<Uint8Array> {
    const isShort = this.periods.length / 2 <= MAX_SHORT_CODES;
    const codeBytes = isShort ? Uint16Array.BYTES_PER_ELEMENT : Uint32Array.BYTES_PER_ELEMENT;
    const inMemory = [Uint32Array.of(codeBytes), Int32Array.from(this.periods), Int32Array.from(this.shown)].map(
      sectionOf,
    );
    const byteLength = (this.codes.byteLength / Uint32Array.BYTES_PER_ELEMENT) * codeBytes;
    const pieces = (): Iterable<Uint8Array> => (isShort ? shortened(this.codes.pieces()) : this.codes.pieces());
    return sectionPieces([...inMemory, { byteLength, pieces }]);
  }

  private code(first: Day, last: Day, shown: ShownDates | undefined): number {
    if (shown?.first !== first || shown.last !== last) {
      const key = `${first} ${last} ${shown?.first} ${shown?.last}`;
      return this.codeOfKey(this.codeOfOthers, key, [first, last], shown);
    }
    // Days lie within about +-4 million, so both fit one exact number.
    const [codes, key] = first === last ? [this.codeOfDay, first] : [this.codeOf, first * 0x1000000 + (last - first)];
    return this.codeOfKey(codes, key, [first, last], shown);
  }

  private codeOfKey<Key>(
    codes: Map<Key, number>,
    key: Key,
    period: readonly [Day, Day],
    shown: ShownDates | undefined,
  ): number {
    const known = codes.get(key);
    if (known !== undefined) return known;
    const code = this.periods.length / 2;
    this.periods.push(...period);
    this.shown.push(shown?.first ?? NO_DAY, shown?.last ?? NO_DAY);
    codes.set(key, code);
    return code;
  }
}

/** Numbers of four bytes in two. */
function* shortened(pieces: Iterable<Uint8Array>): Iterable<Uint8Array> {
  for (const { buffer, byteOffset, byteLength } of pieces) {
    const numbers = new Uint32Array(buffer, byteOffset, byteLength / Uint32Array.BYTES_PER_ELEMENT);
    yield new Uint8Array(Uint16Array.from(numbers).buffer);
  }
}
