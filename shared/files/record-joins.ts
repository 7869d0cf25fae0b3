// The joined columns of records, computed once for each lookup as long as the lookups stay the same.

import type { Item } from '../records/record-references';
import { type ColumnValue, createJoinWriter, type JoinedColumns, type LookupItems } from '../render/table-columns';

/** Returns one function for each reference: it writes the joined values of a record. */
export type Joins<Written> = (lookups: LookupItems) => readonly ((record: Item) => Written)[];

/** Starts again when the lookups change: another release may describe the same identifiers differently. */
export function createJoins<Written>(
  joins: readonly JoinedColumns[],
  write: (values: readonly ColumnValue[], join: JoinedColumns) => Written,
): Joins<Written> {
  let currentLookups: LookupItems | undefined;
  let currentJoins: ReturnType<Joins<Written>> = [];
  return (lookups) => {
    if (lookups !== currentLookups)
      currentJoins = joins.map((join) => createJoinWriter(join, lookups, (values) => write(values, join)));
    currentLookups = lookups;
    return currentJoins;
  };
}
