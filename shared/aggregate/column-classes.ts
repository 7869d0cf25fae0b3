// Divides the codes of a column into classes for one grouping (D39): all records of a class have the same values, and
// records of different classes have different values. Classes depend only on the release, so they are built once per
// release.

import type { CodeColumn } from '../search/index/field-codes';
import { getOrAdd } from '../values/maps';

/** A column whose codes distinguish records. The column `release` has the same code for all records. */
export type ClassColumn = CodeColumn | 'release';

export interface GroupValue {
  /** The folded value, which is the same for all its spellings. */
  readonly key: string;
  readonly text: string;
}

export interface ColumnClasses {
  readonly column: ClassColumn;
  readonly classByCode: Uint32Array;
  /** The distinct values of each class. A class without values is the group null. */
  readonly values: readonly (readonly GroupValue[])[];
  readonly byteLength: number;
}

/** Approximate memory of a class with its values. */
const CLASS_BYTES = 200;

export class ColumnClassesBuilder {
  private readonly classes = new Map<string, number>();
  private readonly values: (readonly GroupValue[])[] = [];

  /** Returns the class of these values, which may contain duplicates. Adds the class if it is new. */
  getClass(values: readonly GroupValue[]): number {
    const distinct = values.length < 2 ? values : keepFirstOfEachKey(values);
    // Folded strings contain no line feed.
    const key = distinct
      .map((value) => value.key)
      .sort()
      .join('\n');
    return getOrAdd(this.classes, key, () => this.values.push(distinct) - 1);
  }

  build(column: ClassColumn, classByCode: Uint32Array): ColumnClasses {
    const { values } = this;
    return { column, classByCode, values, byteLength: classByCode.byteLength + CLASS_BYTES * values.length };
  }
}

function keepFirstOfEachKey(values: readonly GroupValue[]): readonly GroupValue[] {
  const byKey = new Map<string, GroupValue>();
  for (const value of values) {
    if (!byKey.has(value.key)) byKey.set(value.key, value);
  }
  return [...byKey.values()];
}
