// What points are coloured by: for each point the code of its value, and the values by code.

import type { FilterField } from '../query/filter-terms';
import { chunkOfCodes, codesOfField, type CodeColumn } from '../search/field-codes';
import type { PointColumn, PointValue } from '../search/points/point-columns';
import { placeColumnsOf } from '../search/release-columns';
import { periodColumnOf, vocabularyOf } from '../search/release-index';
import type { SearchCaches } from '../search/search-caches';
import { CHUNK_RECORDS } from '../store/artifacts';
import type { ReleaseReader } from '../store/port';
import { timeOf } from '../totals/times';
import { numberAt } from '../values/numbers';
import { narrowed } from '../values/sections';

/** The members of a feature, and the fields whose values they show. */
type ShownFields = readonly (readonly [member: string, field: FilterField])[];

const FIELDS_OF_PLACES: ShownFields = [
  ['type', 'siteType'],
  ['type', 'reportingUnitType'],
  ['podOrPou', 'podOrPou'],
];

const FIELDS_OF_RIGHTS: ShownFields = [
  ['type', 'allocationType'],
  ['use', 'use'],
  ['source', 'waterSourceType'],
  ['status', 'legalStatus'],
];

/** The decade of a right's priority date (D39), as a number. */
const DECADE = 'decade';

/** Between the values of an item that has several. */
const SEPARATOR = '; ';

/** `ranks` has the place of each point. */
export async function placeValues(
  reader: ReleaseReader,
  ranks: Uint32Array,
  caches: SearchCaches,
): Promise<readonly PointColumn[]> {
  const { values: codes } = await placeColumnsOf(reader, caches);
  const vocabulary = await vocabularyOf(reader, caches);
  return FIELDS_OF_PLACES.flatMap(([name, field]) => {
    const ofPlaces = codes[field];
    if (ofPlaces === undefined) return [];
    const values = [null, ...(vocabulary[field] ?? []).map(([value]) => value)];
    return [pointColumn(name, ranks, ofPlaces, values)];
  });
}

/** `records` has the right of each point. */
export async function rightValues(
  reader: ReleaseReader,
  records: Uint32Array,
  caches: SearchCaches,
): Promise<readonly PointColumn[]> {
  const vocabulary = await vocabularyOf(reader, caches);
  const columns: PointColumn[] = [];
  for (const [name, field] of FIELDS_OF_RIGHTS) {
    const { column, ordinals, lists } = await codesOfField(field, { reader, caches });
    const words = [null, ...(vocabulary[field] ?? []).map(([value]) => value)];
    const wordsOf = (list: readonly number[]): PointValue =>
      [...new Set(list.filter((ordinal) => ordinal !== 0))].map((ordinal) => words[ordinal]).join(SEPARATOR) || null;
    const values = [...Array.from(ordinals, (ordinal) => words[ordinal] ?? null), ...lists.map(wordsOf)];
    columns.push(pointColumn(name, records, await codesOfRecords(column, reader, caches), values));
  }
  const { periods, codes } = await periodColumnOf(reader, 'periods', caches);
  const decades = Array.from({ length: periods.length / 2 }, (_, code) =>
    code === 0 ? null : Number(timeOf('PriorityDecade', numberAt(periods, 2 * code), numberAt(periods, 2 * code + 1))),
  );
  return [...columns, pointColumn(DECADE, records, codes, decades)];
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

/** Codes of one value become one, in the order in which the values come. */
function pointColumn(
  name: string,
  items: Uint32Array,
  codesOfItems: ArrayLike<number>,
  valuesOfCodes: readonly PointValue[],
): PointColumn {
  const values = [...new Set<PointValue>([null, ...valuesOfCodes])];
  const numbers = new Map(values.map((value, number) => [value, number]));
  const numberOfCode = Uint32Array.from(valuesOfCodes, (value) => numbers.get(value) ?? 0);
  const codes = items.map((item) => numberOfCode[numberAt(codesOfItems, item)] ?? 0);
  return { name, codes: narrowed(codes), values };
}
