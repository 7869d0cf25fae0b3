// Paging (D5, D18), the data version (D33) and the access key (D30). Each may stand once (D3).

import { DIGEST_NAME } from '../values/digest';
import { readInteger } from '../values/numbers';
import { failure, success, type Result } from '../values/result';
import type { Parameter } from './parameter';

/** service.md, Limits. */
export const RECORD_COUNT = { minimum: 1, maximum: 10_000, default: 1_000 } as const;

export const startIndex: Parameter<number> = {
  ...once('StartIndex', '0-based index of the first record.', '1000'),
  ...integerBetween(0, Number.MAX_SAFE_INTEGER),
  defaultValue: 0,
};

export const recordCount: Parameter<number> = {
  ...once('RecordCount', 'Number of records in the answer.', '100'),
  ...integerBetween(RECORD_COUNT.minimum, RECORD_COUNT.maximum),
  defaultValue: RECORD_COUNT.default,
};

export const dataVersion: Parameter<string> = {
  ...once(
    'DataVersion',
    'Answers from this version of the data, as the Data-Version header of an earlier answer named it, while it is held.',
    '0123456789abcdef0123456789abcdef',
  ),
  limits: { pattern: DIGEST_NAME.source },
  read: (text) =>
    DIGEST_NAME.test(text)
      ? success(text)
      : failure('must be a data version as the header Data-Version gives it: 32 digits from 0 to 9 and a to f'),
};

/** A key or a part of one, escaped or not: what errors must blot out (D30). */
export const KEY_TRACE = /(w|%77)(d|%64)(k|%6b)(_|%5f)[^\s&"'<>]*/gi;

/** Read before all others, and never repeated in an error. */
export const accessKey: Parameter<string> = {
  ...once('key', 'The access key; the header X-API-Key is the better place for it, and wins.', 'YOUR-KEY'),
  read: success,
};

function once(name: string, meaning: string, example: string): Omit<Parameter<never>, 'read' | 'defaultValue'> {
  return { name, synonyms: [], isRepeatable: false, type: 'string', meaning, example };
}

function integerBetween(minimum: number, maximum: number): Pick<Parameter<number>, 'type' | 'limits' | 'read'> {
  const read = (text: string): Result<number> => {
    const value = readInteger(text);
    if (value !== undefined && value >= minimum && value <= maximum) return success(value);
    return failure(`must be a whole number from ${minimum} to ${maximum}, in decimal digits only`);
  };
  return { type: 'integer', limits: { minimum, maximum }, read };
}
