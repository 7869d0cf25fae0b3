// Collects the period column of a release while records are added.

import { NO_DAY, NO_PERIOD } from '../../shared/search/index/period-column';
import { sectionBuffers, toSection } from '../../shared/values/bytes/sections';
import type { Day, DaySpan } from '../../shared/values/dates';
import { getOrAdd } from '../../shared/values/maps';
import type { ShownDates } from '../format/amount-definitions';
import { ColumnFile, readUint32Pieces } from './column-file';

/** Up to this number of distinct periods, codes fit in two bytes. */
const MAX_SHORT_CODES = 0x10000;

/** A period column that is being filled. Only the table of distinct periods is in memory. */
export class PeriodColumnWriter {
  /** Codes keyed by the days of the period and the displayed dates. */
  private readonly codesByPeriod = new Map<string, number>();
  private readonly periods: number[] = [0, 0];
  private readonly shownDates: number[] = [NO_DAY, NO_DAY];
  private readonly codes: ColumnFile;

  /** `path` is the file for the codes, whose folder is removed by its owner. */
  constructor(path: string) {
    this.codes = new ColumnFile(path, Uint32Array);
  }

  /** `period.first` must not be after `period.last`. Undefined if the record has no dates. */
  add(period: DaySpan | undefined, shownDates: ShownDates | undefined = period): void {
    this.codes.add(period === undefined ? NO_PERIOD : this.getCode(period.first, period.last, shownDates));
  }

  /** The first and last day of all records; undefined if no record has dates. */
  extent(): DaySpan | undefined {
    let first = Infinity;
    let last = -Infinity;
    for (let index = 2; index < this.periods.length; index += 2) {
      first = Math.min(first, this.periods[index] ?? first);
      last = Math.max(last, this.periods[index + 1] ?? last);
    }
    return first === Infinity ? undefined : { first, last };
  }

  /** The content in the format of `readPeriodColumn`. A buffer is overwritten after the next buffer is requested. */
  pieces(): Iterable<Uint8Array> {
    const isShort = this.periods.length / 2 <= MAX_SHORT_CODES;
    const codeBytes = isShort ? Uint16Array.BYTES_PER_ELEMENT : Uint32Array.BYTES_PER_ELEMENT;
    const inMemory = [Uint32Array.of(codeBytes), Int32Array.from(this.periods), Int32Array.from(this.shownDates)].map(
      toSection,
    );
    const byteLength = (this.codes.byteLength / Uint32Array.BYTES_PER_ELEMENT) * codeBytes;
    const pieces = (): Iterable<Uint8Array> => (isShort ? shortenCodes(this.codes) : this.codes.pieces());
    return sectionBuffers([...inMemory, { byteLength, pieces }]);
  }

  private getCode(first: Day, last: Day, shownDates: ShownDates | undefined): number {
    return getOrAdd(this.codesByPeriod, `${first} ${last} ${shownDates?.first} ${shownDates?.last}`, () => {
      this.shownDates.push(shownDates?.first ?? NO_DAY, shownDates?.last ?? NO_DAY);
      return this.periods.push(first, last) / 2 - 1;
    });
  }
}

/** Shortens codes from four bytes to two. */
function* shortenCodes(codes: ColumnFile): Iterable<Uint8Array> {
  for (const numbers of readUint32Pieces(codes)) yield new Uint8Array(Uint16Array.from(numbers).buffer);
}
