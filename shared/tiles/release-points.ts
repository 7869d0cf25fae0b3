// The points of one release, made of its columns once and then in memory while there is room (ADR 0088), what they are
// coloured by (the values of their items, and the classes of items that have the same ones), and those that a tile may
// show.

import { tileFiltersOfPlaces, tileFiltersOfRights } from '../query/tile-collections';
import { toTimeGroup } from '../query/time-groups';
import type { PlaceColumns } from '../search/index/column-format';
import { type CodeColumn, loadCodeChunk, loadFieldCodes, loadFieldValues } from '../search/index/field-codes';
import type { PlaceCodes } from '../search/index/place-codes';
import { loadPeriodColumn, loadPlaceCodes, loadPlaceColumns } from '../search/index/release-index';
import { getByteLength, type SearchableRelease } from '../search/index/search-caches';
import { CHUNK_RECORDS } from '../store/artifacts';
import type { ReleaseReader } from '../store/port';
import type { BitSet } from '../values/bytes/bit-set';
import { getOrAdd, getOrAssignNumber } from '../values/maps';
import { numberAt } from '../values/number-arrays';
import { sortInMortonOrder, toUnits } from './tile-grid';

export type PointValue = string | number | null;

/** Classes: what has the same value of each member is of one. */
interface Classes {
  /** By point, or by item, the number of its class. */
  readonly classes: Uint32Array;
  readonly classCount: number;
  readonly members: readonly PointMember[];
  /** Class after class the code of each member: a tile reads them all of each class that it has. */
  readonly codes: Uint32Array;
}

/** An item is a place, by its rank, or a right, by its record number; a right stands once at each of its points. */
export interface ReleasePoints extends Classes {
  /** In Morton order. */
  readonly x: Uint32Array;
  readonly y: Uint32Array;
  readonly items: Uint32Array;
  readonly byteLength: number;
}

interface PointMember {
  /** As features name it. */
  readonly name: string;
  /** By code. */
  readonly values: readonly PointValue[];
}

/** What points are of. */
type PointKind = 'places' | 'rights';

export async function loadReleasePoints(kind: PointKind, searched: SearchableRelease): Promise<ReleasePoints> {
  const { reader, caches } = searched;
  const make = (): Promise<ReleasePoints> => buildReleasePoints(kind, searched);
  return caches
    .getCache<ReleasePoints>('points')
    .getOrCompute(`${reader.facts.releaseId}/${kind}`, make, getByteLength);
}

async function buildReleasePoints(kind: PointKind, searched: SearchableRelease): Promise<ReleasePoints> {
  const places = await loadPlaceColumns(searched);
  const codes = await loadPlaceCodes(searched);
  const { x, y, items } = await collectPoints((kind === 'places' ? listPlaces : listRightPlaces)(codes), places);
  const ofItems = await (kind === 'places' ? buildPlaceClasses : buildRightClasses)(searched);
  const classes = items.map((item) => ofItems.classes[item] ?? 0);
  const byteLength = 4 * x.byteLength + ofItems.codes.byteLength;
  return { x, y, items, ...ofItems, classes, byteLength };
}

/** An item, and the ranks of the places where it has points. */
type ItemPlaces = readonly [item: number, ranks: readonly number[]];

/** Each place at itself: those to which no record refers are never found. */
function* listPlaces({ placeCount: places }: PlaceCodes): Iterable<ItemPlaces> {
  for (let rank = 0; rank < places; rank++) yield [rank, [rank]];
}

function* listRightPlaces({ codes, sets, placeCount: places }: PlaceCodes): Iterable<ItemPlaces> {
  for (const [record, code] of codes.entries()) {
    if (code > 0) yield [record, code <= places ? [code - 1] : (sets[code - places - 1] ?? [])];
  }
}

/** An item stands once at each of its points, however many places lie there (D53); what lies nowhere has none. */
async function collectPoints(
  items: Iterable<ItemPlaces>,
  places: PlaceColumns,
): Promise<Pick<ReleasePoints, 'x' | 'y' | 'items'>> {
  const x: number[] = [];
  const y: number[] = [];
  const owners: number[] = [];
  for (const [item, ranks] of items) {
    const first = owners.length;
    for (const rank of ranks) {
      const position = toUnits(numberAt(places.x, rank), numberAt(places.y, rank));
      if (position === undefined) continue;
      let same = first;
      while (same < owners.length && (x[same] !== position[0] || y[same] !== position[1])) same++;
      if (same < owners.length) continue;
      x.push(position[0]);
      y.push(position[1]);
      owners.push(item);
    }
  }
  const order = await sortInMortonOrder({ x, y });
  const inOrder = (column: readonly number[]): Uint32Array => order.map((point) => column[point] ?? 0);
  return { x: inOrder(x), y: inOrder(y), items: inOrder(owners) };
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

/** The classes of places, by rank. */
async function buildPlaceClasses(searched: SearchableRelease): Promise<Classes> {
  const { values: codes, x } = await loadPlaceColumns(searched);
  const members: ItemMember[] = [];
  for (const { field, tile } of tileFiltersOfPlaces) {
    const ofPlaces = codes[field];
    const values = [null, ...(await loadFieldValues(field, searched))];
    if (ofPlaces !== undefined) members.push({ name: tile.name, codes: ofPlaces, values });
  }
  if (searched.reader.facts.dataSet === 'SiteVariableAmounts') members.push(await loadSiteVariables(searched));
  return buildClasses(x.length, members);
}

/** The variables of the amounts at each site. Sites with the same ones share a code. */
async function loadSiteVariables(searched: SearchableRelease): Promise<ItemMember> {
  const { column, ordinals } = await loadFieldCodes('variable', searched);
  const variables = await loadRecordCodes(column, searched);
  const { codes: places, placeCount: count } = await loadPlaceCodes(searched);
  const words = await loadFieldValues('variable', searched);
  const codes = new Uint32Array(count);
  const lists: (readonly number[])[] = [[]];
  const numbers = new Map<string, number>([['', 0]]);
  places.forEach((place, record) => {
    const variable = ordinals[variables[record] ?? 0] ?? 0;
    const former = lists[codes[place - 1] ?? 0] ?? [];
    if (place === 0 || variable === 0 || former.includes(variable)) return;
    const list = [...former, variable].sort((a, b) => a - b);
    codes[place - 1] = getOrAdd(numbers, list.join(), () => lists.push(list) - 1);
  });
  const values = lists.map((list) => list.map((variable) => words[variable - 1]).join(SEPARATOR) || null);
  return { name: VARIABLE, codes, values };
}

/** The classes of rights, by record number. */
async function buildRightClasses(searched: SearchableRelease): Promise<Classes> {
  const members: ItemMember[] = [];
  for (const { field, tile } of tileFiltersOfRights) {
    const { column, ordinals, lists, itemOrdinals: ordinalsOfItems } = await loadFieldCodes(field, searched);
    const words = [null, ...(await loadFieldValues(field, searched))];
    const wordsOf = (list: readonly number[]): PointValue => {
      const ofList = list.map((item) => ordinalsOfItems[item] ?? 0).filter((ordinal) => ordinal !== 0);
      return [...new Set(ofList)].map((ordinal) => words[ordinal]).join(SEPARATOR) || null;
    };
    const values = [...Array.from(ordinals, (ordinal) => words[ordinal] ?? null), ...lists.map(wordsOf)];
    members.push({ name: tile.name, codes: await loadRecordCodes(column, searched), values });
  }
  const { periods, codes } = await loadPeriodColumn(searched, 'periods');
  const decades = Array.from({ length: periods.length / 2 }, (_, code) =>
    code === 0
      ? null
      : Number(toTimeGroup('PriorityDecade', numberAt(periods, 2 * code), numberAt(periods, 2 * code + 1))),
  );
  return buildClasses(searched.reader.facts.records, [...members, { name: DECADE, codes, values: decades }]);
}

/** The code of each record of a release. */
async function loadRecordCodes(column: CodeColumn, searched: SearchableRelease): Promise<Uint32Array> {
  const codes = new Uint32Array(searched.reader.facts.records);
  for (let chunk = 0; chunk * CHUNK_RECORDS < codes.length; chunk++) {
    const first = chunk * CHUNK_RECORDS;
    const ofChunk = await loadCodeChunk(searched, column, chunk);
    codes.set(ofChunk.subarray(0, codes.length - first), first);
  }
  return codes;
}

/** Divides the items by one member after the other: those of one class that differ in it become several. */
function buildClasses(items: number, members: readonly ItemMember[]): Classes {
  const distinct = members.map(({ name, codes, values: valuesOfCodes }) => {
    // Several codes may have one value.
    const values = [...new Set<PointValue>([null, ...valuesOfCodes])];
    const known = new Map(values.map((value, number) => [value, number]));
    return { name, codes, values, numbers: Uint32Array.from(valuesOfCodes, (value) => known.get(value) ?? 0) };
  });
  let classes = new Uint32Array(items);
  for (const { codes, values, numbers } of distinct) {
    const known = new Map<number, number>();
    classes = classes.map((former, item) => {
      return getOrAssignNumber(known, former * values.length + (numbers[codes[item] ?? 0] ?? 0));
    });
  }
  const firstItems: number[] = [];
  classes.forEach((number, item) => (firstItems[number] ??= item));
  const codes = firstItems.flatMap((item) => distinct.map(({ codes, numbers }) => numbers[codes[item] ?? 0] ?? 0));
  return {
    classes,
    classCount: firstItems.length,
    codes: Uint32Array.from(codes),
    members: distinct.map(({ name, values }) => ({ name, values })),
  };
}

export interface Label {
  readonly id: string;
  readonly name: string | null;
  /** What rights have besides: a flow in cubic feet per second, a volume in acre-feet and the day of priority. */
  readonly right?: Readonly<Record<'flow' | 'volume' | 'priority', PointValue>>;
}

/** The points of a release, and which of their items were found. */
export interface MatchingPoints {
  readonly reader: ReleaseReader;
  readonly points: ReleasePoints;
  /** Undefined when all were. */
  readonly matches: BitSet | undefined;
  /** What items are called, in their order; each stands once. */
  readonly loadLabels: (items: Uint32Array) => Promise<readonly Label[]>;
}

/** Classes are numbered over all releases of a tile. */
export interface PointSource extends MatchingPoints {
  readonly firstClass: number;
}

export function assignClasses<Found extends MatchingPoints>(
  releases: readonly Found[],
): readonly (Found & PointSource)[] {
  let count = 0;
  return releases.map((release) => {
    const firstClass = count;
    count += release.points.classCount;
    return { ...release, firstClass };
  });
}
