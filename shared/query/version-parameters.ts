// The parameters for data versions: the version to answer from (D33), and an earlier version to compare with (D37).

import { DIGEST_NAME } from '../values/digest';
import { failure, type Result, success } from '../values/result';
import type { ConditionFilter, Parameter } from './parameter';

export type DataVersionParameter = Parameter<string> & { readonly kind: 'dataVersion' };

const VERSION_LIMITS = { pattern: DIGEST_NAME.source };

export const dataVersion: DataVersionParameter = {
  kind: 'dataVersion',
  name: 'DataVersion',
  type: 'string',
  meaning:
    'Answer from this version of the data: the Data-Version header of an earlier answer. Works as long as the version is available.',
  example: '0123456789abcdef0123456789abcdef',
  limits: VERSION_LIMITS,
  read: readVersion,
};

/** Matches records that are new or have changed in any member since an earlier version (D37). */
export const changedSince: ConditionFilter = {
  kind: 'changedSince',
  name: 'ChangedSince',
  type: 'string',
  meaning:
    'Only records that were added or changed since this version of the data. Works as long as the version is available.',
  example: dataVersion.example,
  limits: VERSION_LIMITS,
  read: (text) => {
    const version = readVersion(text);
    return version.ok ? success({ kind: 'changedSince', version: version.value }) : version;
  },
};

/** The earlier version whose removed records are listed (D37). */
export const since: ConditionFilter = {
  ...changedSince,
  name: 'Since',
  required: 'the data version from the header Data-Version of an earlier answer',
  meaning: 'Lists the records that are in this version of the data but not in the current one.',
};

function readVersion(text: string): Result<string> {
  if (DIGEST_NAME.test(text)) return success(text);
  return failure('must be a data version from the header Data-Version: 32 digits from 0 to 9 and a to f');
}
