// The values by which a map can color points: the members of places and rights, and the classes of items that share the
// value of each member.

import { loadClasses } from '../aggregate/grouping-classes';
import { createTermFilter } from '../query/filters';
import { tileFiltersOfPlaces, tileFiltersOfRights } from '../query/tile-collections';
import { toTimeGroup } from '../query/time-groups';
import { type CodeColumn, loadCodeChunk, loadFieldCodes, loadFieldValues } from '../search/index/field-codes';
import { loadPeriodColumn, loadPlaceCodes, loadPlaceColumns } from '../search/index/release-index';
import type { SearchableRelease } from '../search/index/search-caches';
import { CHUNK_RECORDS } from '../store/artifacts';
import { getOrAdd, getOrAssignNumber } from '../values/maps';
import { numberAt } from '../values/number-arrays';

export type PointValue = string | number | null;

/** Items with the same value of each member are in the same class. */
export interface Classes {
  /** The class of each item or point. */
  readonly classes: Uint32Array;
  readonly classCount: number;
  readonly members: readonly PointMember[];
  /** The codes of all members, class by class, because a tile reads all codes of each of its classes. */
  readonly codes: Uint32Array;
}

/**
 * An item is a place, identified by its rank, or a right, identified by its record number. A right has one point at
 * each of its locations.
 */
export interface ReleasePoints extends Classes {
  /** In Morton order. */
  readonly x: Uint32Array;
  readonly y: Uint32Array;
  readonly items: Uint32Array;
  readonly byteLength: number;
}

interface PointMember {
  /** The name of the member in features. */
  readonly name: string;
  /** Keyed by code. */
  readonly values: readonly PointValue[];
}

/** A member before items are divided into classes: it has a code for each item. */
interface ItemMember extends PointMember {
  readonly codes: ArrayLike<number>;
}

/** The decade of a right's priority date (D39), as a number. */
const DECADE = 'decade';

/** The single category of use that a right counts in (D78). */
const MAIN_CATEGORY = 'mainCategory';

/** The variables that are measured at a site. */
const VARIABLE = 'variable';

/** Separates the values of an item that has several. */
const SEPARATOR = '; ';

/** Builds the classes of the places, keyed by rank. */
export async function buildPlaceClasses(release: SearchableRelease): Promise<Classes> {
  const { values: codesByField, x } = await loadPlaceColumns(release);
  const members: ItemMember[] = [];
  for (const { field, tile } of tileFiltersOfPlaces) {
    const codes = codesByField[field];
    const values = [null, ...(await loadFieldValues(field, release))];
    if (codes !== undefined) members.push({ name: tile.name, codes, values });
  }
  if (release.reader.facts.dataSet === 'SiteVariableAmounts') members.push(await loadSiteVariables(release));
  return buildClasses(x.length, members);
}

/** Loads the variables of the amounts at each site. Sites with the same variables share a code. */
async function loadSiteVariables(release: SearchableRelease): Promise<ItemMember> {
  const { column, ordinals } = await loadFieldCodes('variable', release);
  const variableCodes = await loadRecordCodes(column, release);
  const { codes: placeCodes, placeCount } = await loadPlaceCodes(release);
  const names = await loadFieldValues('variable', release);
  const codes = new Uint32Array(placeCount);
  const variableLists: (readonly number[])[] = [[]];
  const codeByList = new Map<string, number>([['', 0]]);
  placeCodes.forEach((placeCode, record) => {
    const variable = ordinals[variableCodes[record] ?? 0] ?? 0;
    const previousList = variableLists[codes[placeCode - 1] ?? 0] ?? [];
    if (placeCode === 0 || variable === 0 || previousList.includes(variable)) return;
    const list = [...previousList, variable].sort((a, b) => a - b);
    codes[placeCode - 1] = getOrAdd(codeByList, list.join(), () => variableLists.push(list) - 1);
  });
  const values = variableLists.map((list) => list.map((variable) => names[variable - 1]).join(SEPARATOR) || null);
  return { name: VARIABLE, codes, values };
}

/** Builds the classes of the rights, keyed by record number. */
export async function buildRightClasses(release: SearchableRelease): Promise<Classes> {
  const members: ItemMember[] = [];
  for (const { field, tile } of tileFiltersOfRights) {
    const { column, ordinals, lists, itemOrdinals } = await loadFieldCodes(field, release);
    const names = [null, ...(await loadFieldValues(field, release))];
    const joinNames = (list: readonly number[]): PointValue => {
      const listOrdinals = list.map((item) => itemOrdinals[item] ?? 0).filter((ordinal) => ordinal !== 0);
      return [...new Set(listOrdinals)].map((ordinal) => names[ordinal]).join(SEPARATOR) || null;
    };
    const values = [...Array.from(ordinals, (ordinal) => names[ordinal] ?? null), ...lists.map(joinNames)];
    members.push({ name: tile.name, codes: await loadRecordCodes(column, release), values });
  }
  members.push(await loadMainCategories(release));
  const { periods, codes } = await loadPeriodColumn(release, 'periods');
  const decades = Array.from({ length: periods.length / 2 }, (_, code) => {
    if (code === 0) return null;
    return Number(toTimeGroup('PriorityDecade', numberAt(periods, 2 * code), numberAt(periods, 2 * code + 1)));
  });
  members.push({ name: DECADE, codes, values: decades });
  return buildClasses(release.reader.facts.records, members);
}

/** Loads the category of the only or the primary use, or SEVERAL_VALUES. */
async function loadMainCategories(release: SearchableRelease): Promise<ItemMember> {
  const filter = createTermFilter('useCategory', 'WaterAllocations');
  const grouping = { kind: 'term', name: filter.name, filter, canOverlap: true } as const;
  const { column, classByCode, values } = await loadClasses({ grouping, countsOnce: true }, release);
  if (column === 'release') throw new Error('use categories have no column');
  const texts = values.map(([value]) => value?.text ?? null);
  const codes = (await loadRecordCodes(column, release)).map((code) => classByCode[code] ?? 0);
  return { name: MAIN_CATEGORY, codes, values: texts };
}

/** Loads the code of each record of a release in a column. */
async function loadRecordCodes(column: CodeColumn, release: SearchableRelease): Promise<Uint32Array> {
  const codes = new Uint32Array(release.reader.facts.records);
  for (let chunk = 0; chunk * CHUNK_RECORDS < codes.length; chunk++) {
    const first = chunk * CHUNK_RECORDS;
    const chunkCodes = await loadCodeChunk(release, column, chunk);
    codes.set(chunkCodes.subarray(0, codes.length - first), first);
  }
  return codes;
}

/**
 * Divides the items by one member after another: items of one class that differ in the member end up in different
 * classes.
 */
function buildClasses(itemCount: number, members: readonly ItemMember[]): Classes {
  const distinctMembers = members.map(mergeEqualValues);
  let classes = new Uint32Array(itemCount);
  for (const { codes, values, distinctCodes } of distinctMembers) {
    const classNumbers = new Map<number, number>();
    classes = classes.map((previousClass, item) => {
      const code = distinctCodes[codes[item] ?? 0] ?? 0;
      return getOrAssignNumber(classNumbers, previousClass * values.length + code);
    });
  }
  const firstItems: number[] = [];
  classes.forEach((classNumber, item) => {
    firstItems[classNumber] ??= item;
  });
  const classCodes = firstItems.flatMap((item) =>
    distinctMembers.map(({ codes, distinctCodes }) => distinctCodes[codes[item] ?? 0] ?? 0),
  );
  return {
    classes,
    classCount: firstItems.length,
    codes: Uint32Array.from(classCodes),
    members: distinctMembers.map(({ name, values }) => ({ name, values })),
  };
}

/** Merges codes of a member that have the same value. */
function mergeEqualValues({ name, codes, values: valuesOfCodes }: ItemMember): ItemMember & {
  /** Keyed by code: the index of its value in the distinct `values`. */
  readonly distinctCodes: Uint32Array;
} {
  const values = [...new Set<PointValue>([null, ...valuesOfCodes])];
  const indexByValue = new Map(values.map((value, index) => [value, index]));
  const distinctCodes = Uint32Array.from(valuesOfCodes, (value) => indexByValue.get(value) ?? 0);
  return { name, codes, values, distinctCodes };
}
