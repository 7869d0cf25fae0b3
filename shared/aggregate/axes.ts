// The axes of totals. An axis divides the codes of a column of one release into classes, and maps each class to values
// of a dimension. A class can have several values, such as the uses of a record or the counties of a right.

import type { ColumnDirectory, VariableTexts } from '../search/index/column-format';
import type { SearchableRelease } from '../search/index/search-caches';
import type { ClassColumn } from './column-classes';
import type { Dimension } from './dimension';
import { type GroupingQuery, loadClasses } from './grouping-classes';

export interface Axis {
  readonly column: ClassColumn;
  readonly classByCode: Uint32Array;
  readonly classCount: number;
  /** Returns the value numbers of a class in the dimension; at least one. */
  readonly getValueNumbers: (classNumber: number) => readonly number[];
}

/** The value number assigned to records that have no value. */
const NO_VALUE: readonly number[] = [0];

export async function createGroupingAxis(
  grouping: GroupingQuery,
  release: SearchableRelease,
  dimension: Dimension<string>,
): Promise<Axis> {
  const { column, classByCode, values } = await loadClasses(grouping, release);
  const numbersByClass: (readonly number[] | undefined)[] = [];
  // A value gets its number when the first record with that value occurs, so this record decides the spelling.
  const getValueNumbers = (classNumber: number): readonly number[] => {
    const cachedNumbers = numbersByClass[classNumber];
    if (cachedNumbers !== undefined) return cachedNumbers;
    const classValues = values[classNumber] ?? [];
    const numbers =
      classValues.length === 0 ? NO_VALUE : classValues.map(({ key, text }) => dimension.getNumber(key, text));
    numbersByClass[classNumber] = numbers;
    return numbers;
  };
  return { column, classByCode, classCount: values.length, getValueNumbers };
}

/** Distinguishes variables whose amounts must not be added together (D40). `members` are indices of VARIABLE_MEMBERS. */
export function createVariableAxis(
  { variables }: ColumnDirectory,
  members: readonly number[],
  dimension: Dimension<VariableTexts>,
): Axis {
  const numbers = variables.map((texts) => {
    const value = members.map((index) => texts[index] ?? null);
    return dimension.getNumber(JSON.stringify(value), value);
  });
  const distinct = [...new Set(numbers)];
  const classByNumber = new Map(distinct.map((number, index) => [number, index]));
  const numbersByClass = distinct.map((number) => [number]);
  return {
    column: 'variable',
    classByCode: Uint32Array.from(numbers, (number) => classByNumber.get(number) ?? 0),
    classCount: distinct.length,
    getValueNumbers: (classNumber) => numbersByClass[classNumber] ?? NO_VALUE,
  };
}
