// By what the records of one release are told apart. An axis goes by the codes of one column, divides them into
// classes, and says which values of a dimension a record of a class has: several uses, or the counties of a right.

import type { Grouping } from '../../query/groupings';
import type { ClassColumn } from '../../search/columns/column-classes';
import type { ColumnDirectory, VariableTexts } from '../../search/columns/column-format';
import type { Dimension } from './dimension';
import { classesOfGrouping, type ReleaseMeaning } from './grouping-classes';

export interface Axis {
  readonly column: ClassColumn;
  /** The class of each code. */
  readonly classOf: Uint32Array;
  /** How many classes there are. */
  readonly classes: number;
  /** The numbers in the dimension of the values that the records of a class have; one of them at least. */
  readonly valuesOf: (of: number) => readonly number[];
  /** Whether each class has one value, and none has that of another. */
  readonly isSingle: boolean;
}

/** The number of the group null. */
const NO_VALUE: readonly number[] = [0];

export async function groupingAxis(
  grouping: Grouping,
  release: ReleaseMeaning,
  dimension: Dimension<string>,
): Promise<Axis> {
  const { column, classOf, values } = await classesOfGrouping(grouping, release);
  const known: (readonly number[] | undefined)[] = [];
  // Values are numbered when records have them, so that the first of these gives the spelling.
  const numbersOf = (of: number): readonly number[] => {
    const ofClass = values[of] ?? [];
    return ofClass.length === 0 ? NO_VALUE : ofClass.map(({ key, text }) => dimension.numberOf(key, text));
  };
  const isSingle = values.every(({ length }) => length < 2);
  return { column, classOf, classes: values.length, valuesOf: (of) => (known[of] ??= numbersOf(of)), isSingle };
}

/** Tells apart variables whose amounts must not be added up (D40). */
export function variableAxis(
  { variables }: ColumnDirectory,
  shown: readonly number[],
  dimension: Dimension<VariableTexts>,
): Axis {
  const numbers = variables.map((texts) => {
    const value = shown.map((index) => texts[index] ?? null);
    return dimension.numberOf(JSON.stringify(value), value);
  });
  const distinct = [...new Set(numbers)];
  const classes = new Map(distinct.map((number, index) => [number, index]));
  const values = distinct.map((number) => [number]);
  const classOf = Uint32Array.from(numbers, (number) => classes.get(number) ?? 0);
  const valuesOf = (of: number): readonly number[] => values[of] ?? NO_VALUE;
  return { column: 'variable', classOf, classes: distinct.length, valuesOf, isSingle: true };
}
