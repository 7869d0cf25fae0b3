// The period column of a release: for each record its effective first and last day (D7), and its dates as shown, where
// one may be missing and the start may be after the end (D62). Records share few distinct periods (years, months,
// days), so the column holds a code per record and a table of periods: 2 bytes per record instead of 8. A range is
// tested once per period, not once per record.

import { Sections } from '../../values/bytes/sections';

/** The code of records without dates, which never match a range that has a bound. */
export const NO_PERIOD = 0;

/** Marks a missing date of a record or of a series; real days lie within about +-4 million. */
export const NO_DAY = -0x80000000;

export interface PeriodColumn {
  /** The effective first day of code c is at 2c, the last day at 2c + 1. The pair of code 0 is unused. */
  readonly periods: Int32Array;
  /** The displayed days, in the same layout; NO_DAY if missing. */
  readonly displayed: Int32Array;
  /** Keyed by record: the code of its period. */
  readonly codes: Uint16Array | Uint32Array;
}

export function readPeriodColumn(content: Uint8Array): PeriodColumn {
  const sections = new Sections(content);
  const isShort = sections.numbers(Uint32Array, 0)[0] === Uint16Array.BYTES_PER_ELEMENT;
  const codes = sections.numbers<PeriodColumn['codes']>(isShort ? Uint16Array : Uint32Array, 3);
  return { periods: sections.numbers(Int32Array, 1), displayed: sections.numbers(Int32Array, 2), codes };
}
