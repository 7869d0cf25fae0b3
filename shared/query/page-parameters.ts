// The page of an answer (D5, D18): where it starts and how long it is.

import { createIntegerRange, type Parameter } from './parameter';

/** The bounds of a page, in records (service.md, Limits). */
export const RECORD_COUNT = { minimum: 1, maximum: 10_000, default: 1_000 } as const;

export interface PageParameter extends Parameter<number> {
  readonly kind: 'startIndex' | 'recordCount';
  readonly defaultValue: number;
}

export const startIndex: PageParameter = {
  kind: 'startIndex',
  name: 'StartIndex',
  meaning: '0-based index of the first record.',
  example: '1000',
  ...createIntegerRange(0, Number.MAX_SAFE_INTEGER),
  defaultValue: 0,
};

export const recordCount: PageParameter = {
  kind: 'recordCount',
  name: 'RecordCount',
  meaning: 'Number of records in the answer.',
  example: '100',
  ...createIntegerRange(RECORD_COUNT.minimum, RECORD_COUNT.maximum),
  defaultValue: RECORD_COUNT.default,
};

/** Pages of rows of totals (D38). */
export const rowPage = describePage('row');

/** Pages of sites or reporting units (D42, D43). */
export const placePage = describePage('place');

function describePage(listed: string): readonly PageParameter[] {
  return [
    { ...startIndex, meaning: `0-based index of the first ${listed}.` },
    { ...recordCount, meaning: `Number of ${listed}s in the answer.` },
  ];
}
