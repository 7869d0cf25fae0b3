// What points are coloured by: the values of their items, and the classes of items that have the same ones.

import { timeOf } from '../query/groupings';
import { tileFiltersOfPlaces, tileFiltersOfRights } from '../query/tile-collections';
import { chunkOfCodes, type CodeColumn, codesOfField } from '../search/index/field-codes';
import { periodColumnOf, placeColumnsOf, vocabularyOf } from '../search/index/release-index';
import type { SearchCaches } from '../search/index/search-caches';
import { CHUNK_RECORDS } from '../store/artifacts';
import type { ReleaseReader } from '../store/port';
import type { NarrowNumbers } from '../values/bytes/sections';
import { numberAt } from '../values/numbers';
import type { PointList } from './morton-order';

export type PointValue = string | number | null;

/** An item is a place, by its rank, or a right, by its record number; a right stands once at each of its points. */
export interface ReleasePoints extends PointList {
  readonly items: Uint32Array;
  /** By point the number of its class: the points that have the same value of each member. */
  readonly classes: NarrowNumbers;
  readonly classCount: number;
  readonly members: readonly PointMember[];
  /** Class after class the code of each member: a tile reads them all of each class that it has. */
  readonly codes: Uint32Array;
  readonly byteLength: number;
}

export interface PointMember {
  /** As features name it. */
  readonly name: string;
  /** By code. */
  readonly values: readonly PointValue[];
}

/** The decade of a right's priority date (D39), as a number. */
const DECADE = 'decade';

/** Between the values of an item that has several. */
const SEPARATOR = '; ';

/** A member before there are classes: codes by item. */
interface ItemMember {
  readonly name: string;
  readonly codes: ArrayLike<number>;
  readonly values: readonly PointValue[];
}

export interface ItemClasses {
  /** The class of each item. */
  readonly classes: Uint32Array;
  readonly classCount: number;
  readonly members: readonly PointMember[];
  /** Class after class the code of each member. */
  readonly codes: Uint32Array;
}

/** The classes of places, by rank. */
export async function classesOfPlaces(reader: ReleaseReader, caches: SearchCaches): Promise<ItemClasses> {
  const { values: codes, x } = await placeColumnsOf(reader, caches);
  const vocabulary = await vocabularyOf(reader, caches);
  const members = tileFiltersOfPlaces.flatMap(({ field, tile: { name } }): ItemMember[] => {
    const ofPlaces = codes[field];
    const values = [null, ...(vocabulary[field] ?? []).map(([value]) => value)];
    return ofPlaces === undefined ? [] : [{ name, codes: ofPlaces, values }];
  });
  return classesOf(x.length, members);
}

/** The classes of rights, by record number. */
export async function classesOfRights(reader: ReleaseReader, caches: SearchCaches): Promise<ItemClasses> {
  const vocabulary = await vocabularyOf(reader, caches);
  const members: ItemMember[] = [];
  for (const { field, tile } of tileFiltersOfRights) {
    const { column, ordinals, lists, ordinalsOfItems } = await codesOfField(field, { reader, caches });
    const words = [null, ...(vocabulary[field] ?? []).map(([value]) => value)];
    const wordsOf = (list: readonly number[]): PointValue => {
      const ofList = list.map((item) => ordinalsOfItems[item] ?? 0).filter((ordinal) => ordinal !== 0);
      return [...new Set(ofList)].map((ordinal) => words[ordinal]).join(SEPARATOR) || null;
    };
    const values = [...Array.from(ordinals, (ordinal) => words[ordinal] ?? null), ...lists.map(wordsOf)];
    members.push({ name: tile.name, codes: await codesOfRecords(column, reader, caches), values });
  }
  const { periods, codes } = await periodColumnOf(reader, 'periods', caches);
  const decades = Array.from({ length: periods.length / 2 }, (_, code) =>
    code === 0 ? null : Number(timeOf('PriorityDecade', numberAt(periods, 2 * code), numberAt(periods, 2 * code + 1))),
  );
  return classesOf(reader.facts.records, [...members, { name: DECADE, codes, values: decades }]);
}

/** The code of each record of a release. */
async function codesOfRecords(column: CodeColumn, reader: ReleaseReader, caches: SearchCaches): Promise<Uint32Array> {
  const codes = new Uint32Array(reader.facts.records);
  for (let chunk = 0; chunk * CHUNK_RECORDS < codes.length; chunk++) {
    const first = chunk * CHUNK_RECORDS;
    const ofChunk = await chunkOfCodes(reader, column, chunk, caches);
    codes.set(ofChunk.subarray(0, codes.length - first), first);
  }
  return codes;
}

/** Divides the items by one member after the other: those of one class that differ in it become several. */
function classesOf(items: number, members: readonly ItemMember[]): ItemClasses {
  let classes = new Uint32Array(items);
  let classCount = Math.min(1, items);
  let divided: readonly ItemMember[] = [];
  for (const { name, codes, values } of members) {
    const numbers = new Map<number, number>();
    const [formers, codesOfClasses]: [number[], number[]] = [[], []];
    const numberOfCode = distinctNumbers(values);
    const next = new Uint32Array(items);
    for (let item = 0; item < items; item++) {
      const former = classes[item] ?? 0;
      const code = numberOfCode.numbers[codes[item] ?? 0] ?? 0;
      const key = former * numberOfCode.values.length + code;
      let number = numbers.get(key);
      if (number === undefined) {
        number = formers.push(former) - 1;
        codesOfClasses.push(code);
        numbers.set(key, number);
      }
      next[item] = number;
    }
    const ofFormer = divided.map((member) => ({
      ...member,
      codes: Uint32Array.from(formers, (former) => numberAt(member.codes, former)),
    }));
    divided = [...ofFormer, { name, codes: Uint32Array.from(codesOfClasses), values: numberOfCode.values }];
    [classes, classCount] = [next, formers.length];
  }
  const codes = new Uint32Array(classCount * divided.length);
  divided.forEach((member, column) => {
    for (let number = 0; number < classCount; number++) {
      codes[number * divided.length + column] = numberAt(member.codes, number);
    }
  });
  return { classes, classCount, members: divided.map(({ name, values }) => ({ name, values })), codes };
}

/** Several codes may have one value. */
function distinctNumbers(valuesOfCodes: readonly PointValue[]): {
  readonly values: readonly PointValue[];
  readonly numbers: Uint32Array;
} {
  const values = [...new Set<PointValue>([null, ...valuesOfCodes])];
  const numbers = new Map(values.map((value, number) => [value, number]));
  return { values, numbers: Uint32Array.from(valuesOfCodes, (value) => numbers.get(value) ?? 0) };
}
