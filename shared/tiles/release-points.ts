// The points of one release, made of its columns once and then in memory while there is room (ADR 0088), what they are
// coloured by (the values of their items, and the classes of items that have the same ones), and those that a tile may
// show.

import type { PlaceCodes } from '../search/index/place-index';
import type { PlaceColumns } from '../search/index/column-format';
import { mortonOrder, type PointList } from './morton-order';
import {
  chunkOfCodes,
  type CodeColumn,
  codesOfField,
  periodColumnOf,
  placeCodesOf,
  placeColumnsOf,
  vocabularyOf,
} from '../search/index/release-index';
import { byteLengthOf, type Searched } from '../search/index/search-caches';
import type { ReleaseReader } from '../store/port';
import { BitSet } from '../values/bytes/bit-set';
import { numberAt } from '../values/numbers';
import { narrowed, type NarrowNumbers } from '../values/bytes/sections';
import { tileFiltersOfPlaces, tileFiltersOfRights } from '../query/tile-collections';
import { unitsOf } from './tile-grid';
import { CHUNK_RECORDS } from '../store/artifacts';
import { timeOf } from '../query/groupings';

export type PointValue = string | number | null;

/** Classes: what has the same value of each member is of one. */
interface Classes<Numbers> {
  /** By point, or by item, the number of its class. */
  readonly classes: Numbers;
  readonly classCount: number;
  readonly members: readonly PointMember[];
  /** Class after class the code of each member: a tile reads them all of each class that it has. */
  readonly codes: Uint32Array;
}

/** An item is a place, by its rank, or a right, by its record number; a right stands once at each of its points. */
export interface ReleasePoints extends PointList, Classes<NarrowNumbers> {
  readonly items: Uint32Array;
  readonly byteLength: number;
}

interface PointMember {
  /** As features name it. */
  readonly name: string;
  /** By code. */
  readonly values: readonly PointValue[];
}

/** What points are of: places to which a record refers, or rights. */
type PointKind = 'places' | 'rights';

export async function releasePointsOf(kind: PointKind, searched: Searched): Promise<ReleasePoints> {
  const { reader, caches } = searched;
  const make = (): Promise<ReleasePoints> => makePoints(kind, searched);
  return caches.partOf<ReleasePoints>('points').remember(`${reader.facts.releaseId}/${kind}`, make, byteLengthOf);
}

async function makePoints(kind: PointKind, searched: Searched): Promise<ReleasePoints> {
  const places = await placeColumnsOf(searched);
  const codes = await placeCodesOf(searched);
  const { x, y, items } = await inMortonOrder(
    kind === 'places' ? pointsOfPlaces(places, codes) : pointsOfRights(places, codes),
  );
  const ofItems = await (kind === 'places' ? classesOfPlaces : classesOfRights)(searched);
  const classes = narrowed(items.map((item) => ofItems.classes[item] ?? 0));
  const byteLength = 3 * x.byteLength + classes.byteLength + ofItems.codes.byteLength;
  return { x, y, items, ...ofItems, classes, byteLength };
}

/** The ranks of the places to which a record refers. */
function referredPlaces({ codes, sets, places }: PlaceCodes): BitSet {
  const ranks = new BitSet(places);
  for (const code of codes) if (code > 0 && code <= places) ranks.add(code - 1);
  for (const set of sets) for (const rank of set) ranks.add(rank);
  return ranks;
}

type Positions = Pick<ReleasePoints, 'x' | 'y' | 'items'>;

function pointsOfPlaces({ x, y }: PlaceColumns, codes: PlaceCodes): Positions {
  const ranks = referredPlaces(codes).numbers();
  const points = new PointCollector(ranks.length);
  for (const rank of ranks) points.add(numberAt(x, rank), numberAt(y, rank), rank);
  return points.finish();
}

/** A right stands once at each of its points, however many of its places lie there (D53). */
function pointsOfRights({ x, y }: PlaceColumns, { codes, sets, places }: PlaceCodes): Positions {
  const points = new PointCollector(codes.length + sets.reduce((sum, { length }) => sum + length, 0));
  codes.forEach((code, record) => {
    if (code === 0) return;
    if (code <= places) points.add(numberAt(x, code - 1), numberAt(y, code - 1), record);
    else for (const rank of sets[code - places - 1] ?? []) points.add(numberAt(x, rank), numberAt(y, rank), record);
  });
  return points.finish();
}

class PointCollector {
  private readonly x: Uint32Array;
  private readonly y: Uint32Array;
  private readonly items: Uint32Array;
  private count = 0;
  /** Where the points of the latest item begin. */
  private first = 0;

  constructor(most: number) {
    [this.x, this.y, this.items] = [new Uint32Array(most), new Uint32Array(most), new Uint32Array(most)];
  }

  /** Points of one item follow one another. What lies nowhere has no point, and a point of an item stands once. */
  add(x: number, y: number, item: number): void {
    const position = unitsOf(x, y);
    if (position === undefined) return;
    if (this.count > 0 && this.items[this.count - 1] !== item) this.first = this.count;
    for (let point = this.first; point < this.count; point++) {
      if (this.x[point] === position[0] && this.y[point] === position[1]) return;
    }
    this.x[this.count] = position[0];
    this.y[this.count] = position[1];
    this.items[this.count++] = item;
  }

  finish(): Positions {
    const { x, y, items, count } = this;
    return { x: x.subarray(0, count), y: y.subarray(0, count), items: items.subarray(0, count) };
  }
}

async function inMortonOrder({ x, y, items }: Positions): Promise<Positions> {
  const order = await mortonOrder({ x, y });
  const sorted = (column: Uint32Array): Uint32Array => order.map((point) => column[point] ?? 0);
  return { x: sorted(x), y: sorted(y), items: sorted(items) };
}

/** The decade of a right's priority date (D39), as a number. */
const DECADE = 'decade';

/** The member of sites that says what is measured there. */
const VARIABLE = 'variable';

/** Between the values of an item that has several. */
const SEPARATOR = '; ';

/** A member before there are classes: codes by item. */
interface ItemMember extends PointMember {
  readonly codes: ArrayLike<number>;
}

type ItemClasses = Classes<Uint32Array>;

/** The classes of places, by rank. */
async function classesOfPlaces(searched: Searched): Promise<ItemClasses> {
  const { values: codes, x } = await placeColumnsOf(searched);
  const vocabulary = await vocabularyOf(searched);
  const members = tileFiltersOfPlaces.flatMap(({ field, tile: { name } }): ItemMember[] => {
    const ofPlaces = codes[field];
    const values = [null, ...(vocabulary[field] ?? []).map(([value]) => value)];
    return ofPlaces === undefined ? [] : [{ name, codes: ofPlaces, values }];
  });
  if (searched.reader.facts.dataSet === 'SiteVariableAmounts') members.push(await variablesOfSites(searched));
  return classesOf(x.length, members);
}

/** The variables of the amounts at each site. Sites with the same ones share a code. */
async function variablesOfSites(searched: Searched): Promise<ItemMember> {
  const { column, ordinals } = await codesOfField('variable', searched);
  const variables = await codesOfRecords(column, searched);
  const { codes: places, places: count } = await placeCodesOf(searched);
  const words = ((await vocabularyOf(searched)).variable ?? []).map(([value]) => value);
  const codes = new Uint32Array(count);
  const lists: (readonly number[])[] = [[]];
  const numbers = new Map<string, number>([['', 0]]);
  places.forEach((place, record) => {
    const variable = ordinals[variables[record] ?? 0] ?? 0;
    const former = lists[codes[place - 1] ?? 0] ?? [];
    if (place === 0 || variable === 0 || former.includes(variable)) return;
    const list = [...former, variable].sort((a, b) => a - b);
    const number = numbers.get(list.join()) ?? lists.push(list) - 1;
    numbers.set(list.join(), number);
    codes[place - 1] = number;
  });
  const values = lists.map((list) => list.map((variable) => words[variable - 1]).join(SEPARATOR) || null);
  return { name: VARIABLE, codes, values };
}

/** The classes of rights, by record number. */
async function classesOfRights(searched: Searched): Promise<ItemClasses> {
  const vocabulary = await vocabularyOf(searched);
  const members: ItemMember[] = [];
  for (const { field, tile } of tileFiltersOfRights) {
    const { column, ordinals, lists, ordinalsOfItems } = await codesOfField(field, searched);
    const words = [null, ...(vocabulary[field] ?? []).map(([value]) => value)];
    const wordsOf = (list: readonly number[]): PointValue => {
      const ofList = list.map((item) => ordinalsOfItems[item] ?? 0).filter((ordinal) => ordinal !== 0);
      return [...new Set(ofList)].map((ordinal) => words[ordinal]).join(SEPARATOR) || null;
    };
    const values = [...Array.from(ordinals, (ordinal) => words[ordinal] ?? null), ...lists.map(wordsOf)];
    members.push({ name: tile.name, codes: await codesOfRecords(column, searched), values });
  }
  const { periods, codes } = await periodColumnOf(searched, 'periods');
  const decades = Array.from({ length: periods.length / 2 }, (_, code) =>
    code === 0 ? null : Number(timeOf('PriorityDecade', numberAt(periods, 2 * code), numberAt(periods, 2 * code + 1))),
  );
  return classesOf(searched.reader.facts.records, [...members, { name: DECADE, codes, values: decades }]);
}

/** The code of each record of a release. */
async function codesOfRecords(column: CodeColumn, searched: Searched): Promise<Uint32Array> {
  const codes = new Uint32Array(searched.reader.facts.records);
  for (let chunk = 0; chunk * CHUNK_RECORDS < codes.length; chunk++) {
    const first = chunk * CHUNK_RECORDS;
    const ofChunk = await chunkOfCodes(searched, column, chunk);
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

export interface Label {
  readonly id: string;
  readonly name: string | null;
  /** Cubic feet per second and acre-feet; rights alone have them. */
  readonly amounts?: Readonly<Record<'flow' | 'volume', number | null>>;
  /** The day of priority; rights alone have it. */
  readonly priority?: string | null;
}

/** The points of a release, and which of their items were found. */
export interface FoundPoints {
  readonly reader: ReleaseReader;
  readonly points: ReleasePoints;
  /** Undefined when all were. */
  readonly found: BitSet | undefined;
  /** What items are called, in their order; each stands once. */
  readonly labelsOf: (items: Uint32Array) => Promise<readonly Label[]>;
}

/** Classes are numbered over all releases of a tile. */
export interface PointSource extends FoundPoints {
  readonly firstClass: number;
}

export function numberClasses<Found extends FoundPoints>(releases: readonly Found[]): readonly (Found & PointSource)[] {
  let count = 0;
  return releases.map((release) => {
    const firstClass = count;
    count += release.points.classCount;
    return { ...release, firstClass };
  });
}
