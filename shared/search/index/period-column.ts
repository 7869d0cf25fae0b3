// The period column of a release: for each record its effective first and last day (D7), and the dates that it shows,
// of which one may be missing and the first may be the later one (D62). Records share few distinct
// periods (years, months, days), so the column holds a code per record and a table of periods: 2 bytes a record instead
// of 8, and a range is decided once per period, not once per record.

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
