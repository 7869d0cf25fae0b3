// The classes into which the codes of a column fall where records are told apart by a name (D39): all records of a
// class have the same values, and no two classes have. They follow from a release alone, so they are made once for it.

import type { OrdinalColumn } from '../../store/artifacts';

/** The columns that have a code for each record. */
export type CodeColumn = OrdinalColumn | 'place' | 'period';

/** A column whose codes tell records apart; `release` has one code for all of them. */
export type ClassColumn = CodeColumn | 'release';

export interface GroupValue {
  /** Folded, so that all spellings of a value have the same. */
  readonly key: string;
  readonly text: string;
}

export interface ColumnClasses {
  readonly column: ClassColumn;
  /** By code. */
  readonly classOf: Uint32Array;
  /** By class: each value once; none is the group null. */
  readonly values: readonly (readonly GroupValue[])[];
  readonly byteLength: number;
}

/** What a class takes in memory, about, with its values. */
const CLASS_BYTES = 200;

export class ColumnClassesBuilder {
  private readonly classes = new Map<string, number>();
  private readonly values: (readonly GroupValue[])[] = [];

  /** The number of the class of these values, of which some may be there more than once. */
  numberOf(values: readonly GroupValue[]): number {
    const distinct = values.length < 2 ? values : firstOfEachKey(values);
    // No folded text has the end of a line.
    const key = distinct
      .map((value) => value.key)
      .sort()
      .join('\n');
    const known = this.classes.get(key);
    if (known !== undefined) return known;
    this.classes.set(key, this.values.length);
    return this.values.push(distinct) - 1;
  }

  build(column: ClassColumn, classOf: Uint32Array): ColumnClasses {
    const { values } = this;
    return { column, classOf, values, byteLength: classOf.byteLength + CLASS_BYTES * values.length };
  }
}

function firstOfEachKey(values: readonly GroupValue[]): readonly GroupValue[] {
  const byKey = new Map<string, GroupValue>();
  for (const value of values) if (!byKey.has(value.key)) byKey.set(value.key, value);
  return [...byKey.values()];
}
