// The joined columns of records. They are computed once for each lookup.

import type { Item } from '../records/record-references';
import { type ColumnValue, createJoinWriter, type JoinedColumns, type LookupItems } from '../render/table-columns';

/** Returns one function per reference, which writes the joined values of a record. */
export type Joins<Written> = (lookups: LookupItems) => readonly ((record: Item) => Written)[];

/** New lookups get new functions, because another release may describe the same identifiers differently. */
export function createJoins<Written>(
  joins: readonly JoinedColumns[],
  write: (values: readonly ColumnValue[], join: JoinedColumns) => Written,
): Joins<Written> {
  const joinsByLookups = new WeakMap<LookupItems, ReturnType<Joins<Written>>>();
  return (lookups) => {
    const existing = joinsByLookups.get(lookups);
    if (existing !== undefined) return existing;
    const created = joins.map((join) => createJoinWriter(join, lookups, (values) => write(values, join)));
    joinsByLookups.set(lookups, created);
    return created;
  };
}
