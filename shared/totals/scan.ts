// One pass over the columns of a release: the cell of each record that was found, and what its cell adds up to.

import type { RecordSet } from '../search/index/record-set';
import type { Ordinals } from '../search/columns/column-format';
import { chunkOfCodes } from '../search/field-codes';
import { numberChunkOf } from '../search/release-columns';
import { periodColumnOf } from '../search/release-index';
import type { SearchCaches } from '../search/search-caches';
import { currentDeadline } from '../store/deadline';
import { CHUNK_RECORDS, RECORD_COLUMNS } from '../store/artifacts';
import type { ReleaseReader } from '../store/port';
import type { Axis, AxisColumn } from './axes';
import { addCodes, CellNumbers, stridesOf, type Keys } from './cells';
import { chunksOf, valuesAt, type FoundChunk } from './found-chunks';
import { Statistics } from './statistics';

/** Stands for a record that was not found. */
export const NOT_FOUND = 0xffffffff;

export interface Scan {
  /** The keys of the cells, whose numbers are their indices. */
  readonly keys: readonly number[];
  readonly statistics: Statistics;
  /** By record the number of its cell, or NOT_FOUND. */
  readonly cellOfRecord: Uint32Array;
}

/** Undefined when the axes have more combinations than can be told apart. */
export async function scanRelease(
  reader: ReleaseReader,
  found: RecordSet,
  axes: readonly Axis[],
  caches: SearchCaches,
): Promise<Scan | undefined> {
  const { strides, space } = stridesOf(axes.map(({ classes }) => classes));
  if (!CellNumbers.canNumber(space)) return undefined;
  const { records, dataSet } = reader.facts;
  const { numbers: measures } = RECORD_COLUMNS[dataSet];
  const cells = new CellNumbers(space);
  const addends = addendsOf(axes, strides, cells);
  const statistics = new Statistics(measures.length);
  const cellOfRecord = new Uint32Array(records).fill(NOT_FOUND);
  const { periods, codes: periodCodes } = await periodColumnOf(reader, 'periods', caches);
  for (const chunk of chunksOf(found, records)) {
    currentDeadline().check();
    const { first, count, positions } = chunk;
    const keys = cells.newKeys(count);
    for (const [column, table] of addends) {
      addCodes(keys, valuesAt(await codesOf(column, chunk, reader, caches), chunk), table, count);
    }
    const numbers = new Uint32Array(count);
    cells.numberAll(keys, count, numbers);
    statistics.grow(cells.keys.length);
    const ofChunk = valuesAt(periodCodes.subarray(first, first + CHUNK_RECORDS), chunk);
    statistics.addRecords(numbers, count, ofChunk, periods);
    for (const [index, measure] of measures.entries()) {
      const values = await numberChunkOf(reader, measure, chunk.number, caches);
      statistics.addValues(index, numbers, count, valuesAt(values, chunk));
    }
    if (positions === undefined) cellOfRecord.set(numbers, first);
    else numbers.forEach((cell, index) => (cellOfRecord[first + (positions[index] ?? 0)] = cell));
  }
  return { keys: cells.keys, statistics, cellOfRecord };
}

/** For each column that an axis goes by, what each of its codes adds to a key. */
function addendsOf(
  axes: readonly Axis[],
  strides: readonly number[],
  cells: CellNumbers,
): ReadonlyMap<AxisColumn, Keys> {
  const addends = new Map<AxisColumn, Keys>();
  axes.forEach(({ column, classOf, classes }, index) => {
    if (classes < 2) return;
    const stride = strides[index] ?? 0;
    const table = addends.get(column) ?? cells.newKeys(classOf.length);
    addends.set(column, table);
    for (let code = 0; code < classOf.length; code++) {
      table[code] = (table[code] ?? 0) + (classOf[code] ?? 0) * stride;
    }
  });
  return addends;
}

/** The codes of the records of a chunk. */
export async function codesOf(
  column: AxisColumn,
  { number }: FoundChunk,
  reader: ReleaseReader,
  caches: SearchCaches,
): Promise<Ordinals> {
  return column === 'release' ? new Uint8Array(CHUNK_RECORDS) : chunkOfCodes(reader, column, number, caches);
}
