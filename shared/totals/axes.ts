// By what the records of one release are told apart. An axis goes by the codes of one column, divides them into
// classes, and says which values of a dimension a record of a class has: several uses, or the counties of a right.

import { filterTerm, type FilterField, type Vocabulary } from '../query/filter-terms';
import type { Grouping } from '../query/groupings';
import type { ColumnDirectory, VariableTexts } from '../search/columns/column-format';
import { codesOfField, type CodeColumn } from '../search/field-codes';
import { placeCodesOf, placeNamesOf } from '../search/release-columns';
import { periodColumnOf } from '../search/release-index';
import type { SearchCaches } from '../search/search-caches';
import type { SearchedRelease } from '../search/search-release';
import { foldText } from '../values/text';
import type { Dimension } from './dimension';
import { timeOf } from './times';

/** The column whose codes an axis goes by; `release` has one code for all records. */
export type AxisColumn = CodeColumn | 'release';

export interface Axis {
  readonly column: AxisColumn;
  /** The class of each code. */
  readonly classOf: Uint32Array;
  /** How many classes there are. */
  readonly classes: number;
  /** The numbers in the dimension of the values that the records of a class have; one of them at least. */
  readonly valuesOf: (of: number) => readonly number[];
}

/** A release with what says the meaning of its codes. */
export interface ReleaseMeaning extends SearchedRelease {
  readonly caches: SearchCaches;
  readonly directory: ColumnDirectory;
  readonly vocabulary: Vocabulary;
}

const NO_VALUE: readonly number[] = [0];

export async function groupingAxis(
  grouping: Grouping,
  release: ReleaseMeaning,
  dimension: Dimension<string>,
): Promise<Axis> {
  const { reader, caches, directory } = release;
  switch (grouping.kind) {
    case 'organization': {
      const { OrganizationUUID: id } = reader.facts.organization;
      return constantAxis(dimension.numberOf(foldText(id), id));
    }
    case 'time': {
      const { periods } = await periodColumnOf(reader, 'periods', caches);
      const numbers = Array.from({ length: periods.length / 2 }, (_, code) => {
        const text = code === 0 ? null : timeOf(grouping.name, periods[2 * code] ?? 0, periods[2 * code + 1] ?? 0);
        return text === null ? 0 : dimension.numberOf(text, text);
      });
      return { column: 'period', ...numberedClasses(numbers) };
    }
    case 'reportYear': {
      const numbers = [0, ...directory.reportYears.map((year) => dimension.numberOf(year, year))];
      return { column: 'reportYear', ...numberedClasses(numbers) };
    }
    case 'term': {
      const { field, read } = grouping.filter;
      // No text filter depends on the settings of dates.
      const isTaken = (value: string): boolean => read(value, { slashDateOrder: 'MDY' }).ok;
      if (field === 'site' || field === 'reportingUnit') return placeNameAxis(field, release, dimension);
      return termAxis(field, isTaken, release, dimension);
    }
  }
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
  return { column: 'variable', ...numberedClasses(numbers) };
}

function constantAxis(number: number): Axis {
  return { column: 'release', classOf: new Uint32Array(1), classes: 1, valuesOf: () => [number] };
}

/** Classes of codes that have one value each, by its number. */
function numberedClasses(numbers: readonly number[]): Pick<Axis, 'classOf' | 'classes' | 'valuesOf'> {
  const distinct = [...new Set(numbers)];
  const classes = new Map(distinct.map((number, index) => [number, index]));
  const values = distinct.map((number) => [number]);
  const classOf = Uint32Array.from(numbers, (number) => classes.get(number) ?? 0);
  return { classOf, classes: distinct.length, valuesOf: (of) => values[of] ?? NO_VALUE };
}

async function placeNameAxis(
  field: FilterField,
  { reader, caches }: ReleaseMeaning,
  dimension: Dimension<string>,
): Promise<Axis> {
  const names = await placeNamesOf(reader, caches);
  const { sets } = await placeCodesOf(reader, caches);
  const numberOf = (rank: number): number => {
    const name = names[rank];
    return name === undefined ? 0 : dimension.numberOf(filterTerm(field, name), name);
  };
  const classes = 1 + names.length + sets.length;
  const valuesOf = (code: number): readonly number[] => {
    if (code === 0) return NO_VALUE;
    return code <= names.length
      ? [numberOf(code - 1)]
      : distinctOf((sets[code - 1 - names.length] ?? []).map(numberOf));
  };
  const classOf = Uint32Array.from({ length: classes }, (_, code) => code);
  return { column: 'place', classOf, classes, valuesOf: remembered(valuesOf) };
}

/** The values of a field as its filter finds them (D39). */
async function termAxis(
  field: FilterField,
  isTaken: (value: string) => boolean,
  release: ReleaseMeaning,
  dimension: Dimension<string>,
): Promise<Axis> {
  // The filter by state finds by the organization as well; a group goes by the place (D52).
  const shownField = field === 'state' ? 'placeState' : field;
  const values = release.vocabulary[shownField] ?? [];
  const numberOf = (ordinal: number): number => {
    const value = values[ordinal - 1]?.[0];
    return value === undefined || !isTaken(value) ? 0 : dimension.numberOf(filterTerm(field, value), value);
  };
  const { OrganizationState: state } = release.reader.facts.organization;
  const none = field === 'state' ? dimension.numberOf(filterTerm(field, state), state) : 0;
  const { column, ordinals, lists } = await codesOfField(shownField, release);
  const classOf = new Uint32Array(ordinals.length + lists.length);
  classOf.set(ordinals);
  const classesOfLists = new ListClasses(values.length + 1);
  lists.forEach((list, index) => (classOf[ordinals.length + index] = classesOfLists.classOf(list)));
  const valuesOf = (of: number): readonly number[] => {
    const found = classesOfLists.listOf(of).map(numberOf);
    const known = distinctOf(found.filter((number) => number !== 0));
    return known.length > 0 ? known : [none];
  };
  return { column, classOf, classes: classesOfLists.count, valuesOf: remembered(valuesOf) };
}

/** Classes of codes by the ordinals that they stand for: those of one ordinal are that ordinal, 0 is none. */
class ListClasses {
  private readonly lists: (readonly number[])[] = [];
  private readonly classes = new Map<string, number>();

  /** `ordinals` is how many ordinals there are, with 0. */
  constructor(private readonly ordinals: number) {}

  get count(): number {
    return this.ordinals + this.lists.length;
  }

  classOf(list: readonly number[]): number {
    const known = distinctOf(list.filter((ordinal) => ordinal !== 0)).sort((a, b) => a - b);
    if (known.length < 2) return known[0] ?? 0;
    const key = known.join();
    const found = this.classes.get(key);
    if (found !== undefined) return found;
    this.classes.set(key, this.count);
    return this.ordinals + this.lists.push(known) - 1;
  }

  listOf(of: number): readonly number[] {
    return of < this.ordinals ? [of] : (this.lists[of - this.ordinals] ?? []);
  }
}

/** Thousands of cells ask for the values of a few classes. */
function remembered(valuesOf: Axis['valuesOf']): Axis['valuesOf'] {
  const known: (readonly number[] | undefined)[] = [];
  return (of) => (known[of] ??= valuesOf(of));
}

function distinctOf(numbers: readonly number[]): number[] {
  return [...new Set(numbers)];
}
