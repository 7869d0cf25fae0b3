// By what the records of one release are told apart. An axis goes by the codes of one column, divides them into
// classes, and says which values of a dimension a record of a class has: several uses, or the counties of a right.

import { toFilterTerm } from '../query/filter-terms';
import type { Grouping } from '../query/groupings';
import type { TermFilter } from '../query/parameter';
import { toTimeGroup } from '../query/time-groups';
import type { ColumnDirectory, VariableTexts } from '../search/index/column-format';
import { type CodeColumn, loadFieldCodes, loadFieldValues } from '../search/index/field-codes';
import { loadColumnDirectory, loadPeriodColumn } from '../search/index/release-index';
import { getByteLength, type SearchableRelease } from '../search/index/search-caches';
import { getOrAdd } from '../values/maps';
import { numberAt } from '../values/numbers';
import { foldText } from '../values/text';

export interface Axis {
  readonly column: ClassColumn;
  /** The class of each code. */
  readonly classByCode: Uint32Array;
  /** How many classes there are. */
  readonly classCount: number;
  /** The numbers in the dimension of the values that the records of a class have; one of them at least. */
  readonly getValueNumbers: (of: number) => readonly number[];
}

/** The number of the group null. */
const NO_VALUE: readonly number[] = [0];

export async function createGroupingAxis(
  grouping: Grouping,
  release: SearchableRelease,
  dimension: Dimension<string>,
): Promise<Axis> {
  const { column, classByCode: classOf, values } = await loadClasses(grouping, release);
  const known: (readonly number[] | undefined)[] = [];
  // Values are numbered when records have them, so that the first of these gives the spelling.
  const numbersOf = (of: number): readonly number[] => {
    const ofClass = values[of] ?? [];
    return ofClass.length === 0 ? NO_VALUE : ofClass.map(({ key, text }) => dimension.getNumber(key, text));
  };
  return {
    column,
    classByCode: classOf,
    classCount: values.length,
    getValueNumbers: (of) => (known[of] ??= numbersOf(of)),
  };
}

/** Tells apart variables whose amounts must not be added up (D40). */
export function createVariableAxis(
  { variables }: ColumnDirectory,
  shown: readonly number[],
  dimension: Dimension<VariableTexts>,
): Axis {
  const numbers = variables.map((texts) => {
    const value = shown.map((index) => texts[index] ?? null);
    return dimension.getNumber(JSON.stringify(value), value);
  });
  const distinct = [...new Set(numbers)];
  const classes = new Map(distinct.map((number, index) => [number, index]));
  const values = distinct.map((number) => [number]);
  const classOf = Uint32Array.from(numbers, (number) => classes.get(number) ?? 0);
  const valuesOf = (of: number): readonly number[] => values[of] ?? NO_VALUE;
  return { column: 'variable', classByCode: classOf, classCount: distinct.length, getValueNumbers: valuesOf };
}

// The values by which the rows of an answer are told apart, numbered over all releases that the answer is read from.

/** Number 0 stands for records without a value. */
export class Dimension<Value> {
  private readonly numbers = new Map<string, number>();
  private readonly values: (Value | null)[] = [null];

  /** The first value with a key is the one that is shown. */
  getNumber(key: string, value: Value): number {
    return getOrAdd(this.numbers, key, () => this.values.push(value) - 1);
  }

  getValue(number: number): Value | null {
    return this.values[number] ?? null;
  }

  /** By number, the place of the value among all of them in an order in which null comes first. */
  rankValues(compare: (a: Value, b: Value) => number): Uint32Array {
    const numbers = this.values.map((_, number) => number);
    numbers.sort((a, b) => compareNullsFirst(this.getValue(a), this.getValue(b), compare));
    const rankValues = new Uint32Array(numbers.length);
    numbers.forEach((number, rank) => (rankValues[number] = rank));
    return rankValues;
  }
}

export function compareNullsFirst<Value>(
  a: Value | null,
  b: Value | null,
  compare: (a: Value, b: Value) => number,
): number {
  if (a === null || b === null) return Number(a !== null) - Number(b !== null);
  return compare(a, b);
}

// Into which classes a name divides the records of a release (D39): by the organization, the years of their periods,
// the names of their places, or the values of a filter field.

/** Made once for a release and a name. */
async function loadClasses(grouping: Grouping, release: SearchableRelease): Promise<ColumnClasses> {
  const key = `${release.reader.facts.releaseId}/${grouping.name}`;
  return release.caches
    .getCache<ColumnClasses>('classes')
    .getOrCompute(key, () => buildClasses(grouping, release), getByteLength);
}

async function buildClasses(grouping: Grouping, release: SearchableRelease): Promise<ColumnClasses> {
  const builder = new ColumnClassesBuilder();
  const numberOf = (text: string | null): number => builder.getClass(text === null ? [] : [{ key: text, text }]);
  switch (grouping.kind) {
    case 'organization': {
      const { OrganizationUUID: text } = release.reader.facts.organization;
      return builder.build('release', Uint32Array.of(builder.getClass([{ key: foldText(text), text }])));
    }
    case 'time': {
      const { periods } = await loadPeriodColumn(release, 'periods');
      const classOf = new Uint32Array(periods.length / 2);
      // Code 0 is that of records without dates.
      classOf[0] = numberOf(null);
      for (let code = 1; code < classOf.length; code++) {
        classOf[code] = numberOf(
          toTimeGroup(grouping.name, numberAt(periods, 2 * code), numberAt(periods, 2 * code + 1)),
        );
      }
      return builder.build('period', classOf);
    }
    case 'reportYear': {
      const { reportYears } = await loadColumnDirectory(release);
      return builder.build('reportYear', Uint32Array.from([null, ...reportYears], numberOf));
    }
    case 'term':
      return buildTermClasses(grouping.filter, release, builder);
  }
}

/** The values of a field as its filter finds them (D39). */
async function buildTermClasses(
  { field, read }: TermFilter,
  release: SearchableRelease,
  builder: ColumnClassesBuilder,
): Promise<ColumnClasses> {
  // The filter by state finds by the organization as well; a group goes by the place (D52).
  const shownField = field === 'state' ? 'placeState' : field;
  const valueOf = (text: string): GroupValue => ({ key: toFilterTerm(field, text), text });
  const values = (await loadFieldValues(shownField, release)).map((text): readonly GroupValue[] =>
    // What the filter refuses is no group.
    read(text).ok ? [valueOf(text)] : [],
  );
  const { OrganizationState: state } = release.reader.facts.organization;
  const none = field === 'state' ? [valueOf(state)] : [];
  const classOfOrdinals = (ordinals: readonly number[]): number => {
    const found = ordinals.flatMap((ordinal) => values[ordinal - 1] ?? []);
    return builder.getClass(found.length > 0 ? found : none);
  };
  const { column, ordinals, lists, itemOrdinals: ordinalsOfItems } = await loadFieldCodes(shownField, release);
  const classOfOrdinal = new Uint32Array(values.length + 1);
  for (let ordinal = 0; ordinal <= values.length; ordinal++) classOfOrdinal[ordinal] = classOfOrdinals([ordinal]);
  const classOf = new Uint32Array(ordinals.length + lists.length);
  for (let code = 0; code < ordinals.length; code++) {
    classOf[code] = numberAt(classOfOrdinal, numberAt(ordinals, code));
  }
  lists.forEach((list, index) => {
    classOf[ordinals.length + index] = classOfOrdinals(list.map((item) => ordinalsOfItems[item] ?? 0));
  });
  return builder.build(column, classOf);
}

// The classes into which the codes of a column fall where records are told apart by a name (D39): all records of a
// class have the same values, and no two classes have. They follow from a release alone, so they are made once for it.

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
  readonly classByCode: Uint32Array;
  /** By class: each value once; none is the group null. */
  readonly values: readonly (readonly GroupValue[])[];
  readonly byteLength: number;
}

/** What a class takes in memory, about, with its values. */
const CLASS_BYTES = 200;

class ColumnClassesBuilder {
  private readonly classes = new Map<string, number>();
  private readonly values: (readonly GroupValue[])[] = [];

  /** The number of the class of these values, of which some may be there more than once. */
  getClass(values: readonly GroupValue[]): number {
    const distinct = values.length < 2 ? values : keepFirstOfEachKey(values);
    // No folded text has the end of a line.
    const key = distinct
      .map((value) => value.key)
      .sort()
      .join('\n');
    return getOrAdd(this.classes, key, () => this.values.push(distinct) - 1);
  }

  build(column: ClassColumn, classOf: Uint32Array): ColumnClasses {
    const { values } = this;
    return { column, classByCode: classOf, values, byteLength: classOf.byteLength + CLASS_BYTES * values.length };
  }
}

function keepFirstOfEachKey(values: readonly GroupValue[]): readonly GroupValue[] {
  const byKey = new Map<string, GroupValue>();
  for (const value of values) if (!byKey.has(value.key)) byKey.set(value.key, value);
  return [...byKey.values()];
}
