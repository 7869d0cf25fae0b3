// One pass over the columns of a release: the cell of each record that was found, and what its cell adds up to.

import type { ClassColumn, Axis } from './axes';
import { chunkOfCodes } from '../search/index/field-codes';
import type { RecordSet } from '../search/index/record-set';
import { numberChunkOf, placeCodesOf, periodColumnOf } from '../search/index/release-index';
import type { Searched } from '../search/index/search-caches';
import { giveWayInTurn } from '../store/deadline';
import { CHUNK_RECORDS, RECORD_COLUMNS } from '../store/artifacts';
import type { NarrowNumbers } from '../values/bytes/sections';
import { firstNotBelow } from '../values/numbers';
import { addCodes, CellNumbers, stridesOf, type CodesWithAddends, type Keys } from './cells';
import { CellPlaces } from './place-counts';
import { Statistics } from './statistics';

/** So many records are worked on at a time that what is written of them stays in the processor's nearest memory. */
const BLOCK_RECORDS = 2048;

export interface Scan {
  readonly cells: CellNumbers;
  readonly statistics: Statistics;
  /** Undefined where the statistics count places already, since each cell is one row. */
  readonly places: CellPlaces | undefined;
}

/** The columns that are read, chunk by chunk. */
interface ChunkColumns {
  readonly keys: readonly CodesWithAddends[];
  readonly periods: NarrowNumbers;
  readonly values: readonly Float64Array[];
}

/** Undefined when the axes have more combinations than can be told apart. Gives way to other requests. */
export async function scanRelease(
  release: Searched,
  found: RecordSet,
  axes: readonly Axis[],
): Promise<Scan | undefined> {
  const { space } = stridesOf(axes.map(({ classes }) => classes));
  // Keys are exact numbers up to here.
  if (space > Number.MAX_SAFE_INTEGER) return undefined;
  const { records, dataSet } = release.reader.facts;
  const { periods } = await periodColumnOf(release, 'periods');
  const placeCodes = await placeCodesOf(release);
  const cells = new CellNumbers(space);
  const statistics = new Statistics(RECORD_COLUMNS[dataSet].numbers.length);
  // Each cell is one row of the totals then, and no other cell is.
  const areCellsRows = axes.every(({ isSingle }) => isSingle);
  const isCounted = areCellsRows && placeCodes.isInOrder;
  const places = new CellPlaces(placeCodes, isCounted ? statistics : undefined);
  const addends = addendsOf(axes, cells);
  const keys = cells.newKeys(BLOCK_RECORDS);
  const numbers = new Uint32Array(BLOCK_RECORDS);
  for (const chunk of chunksOf(found, records)) {
    await giveWayInTurn();
    const columns = await columnsOf(chunk, addends, release);
    for (let start = 0; start < chunk.positions.length; start += BLOCK_RECORDS) {
      const block = chunk.positions.subarray(start, start + BLOCK_RECORDS);
      keys.fill(0);
      for (const column of columns.keys) addCodes(keys, block, column);
      cells.numberAll(keys, block.length, numbers);
      statistics.grow(cells.count);
      statistics.addRecords(numbers, block, columns.periods, periods);
      columns.values.forEach((values, measure) => {
        statistics.addValues(measure, numbers, block, values);
      });
      places.grow(cells.count);
      places.addAll(numbers, chunk.first, block);
    }
  }
  return { cells, statistics, places: isCounted ? undefined : places };
}

async function columnsOf(chunk: FoundChunk, addends: Addends, release: Searched): Promise<ChunkColumns> {
  const keys: CodesWithAddends[] = [];
  for (const [column, table] of addends) keys.push({ codes: await codesOf(column, chunk, release), addends: table });
  const values: Float64Array[] = [];
  for (const measure of RECORD_COLUMNS[release.reader.facts.dataSet].numbers) {
    values.push(await numberChunkOf(release, measure, chunk.number));
  }
  return { keys, periods: await codesOf('period', chunk, release), values };
}

/** What each code of a column adds to a key. */
type Addends = ReadonlyMap<ClassColumn, Keys>;

/** For each column that an axis goes by. */
function addendsOf(axes: readonly Axis[], cells: CellNumbers): Addends {
  const { strides } = stridesOf(axes.map(({ classes }) => classes));
  const addends = new Map<ClassColumn, Keys>();
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

// The records that a search found, chunk by chunk of the columns.

export interface FoundChunk {
  readonly number: number;
  /** The record with which the chunk begins. */
  readonly first: number;
  /** Where the found records stand in the chunk, ascending. */
  readonly positions: Uint32Array;
}

/** Chunks without a found record are left out, so that nothing is read for them. */
export function chunksOf(found: RecordSet, records: number): readonly FoundChunk[] {
  if (found.size === records) return wholeChunks(records);
  const numbers = found.numbers();
  const chunks: FoundChunk[] = [];
  for (let start = 0; start < numbers.length;) {
    const number = Math.floor((numbers[start] ?? 0) / CHUNK_RECORDS);
    const first = number * CHUNK_RECORDS;
    const end = firstNotBelow(numbers, first + CHUNK_RECORDS, start);
    const positions = new Uint32Array(end - start);
    for (let index = start; index < end; index++) positions[index - start] = (numbers[index] ?? 0) - first;
    chunks.push({ number, first, positions });
    start = end;
  }
  return chunks;
}

function wholeChunks(records: number): readonly FoundChunk[] {
  const all = new Uint32Array(Math.min(CHUNK_RECORDS, records));
  for (let position = 0; position < all.length; position++) all[position] = position;
  return Array.from({ length: Math.ceil(records / CHUNK_RECORDS) }, (_, number) => {
    const first = number * CHUNK_RECORDS;
    return { number, first, positions: all.subarray(0, records - first) };
  });
}

/** The codes that the records of a chunk have in a column of their release. */
export async function codesOf(column: ClassColumn, { number }: FoundChunk, release: Searched): Promise<NarrowNumbers> {
  return column === 'release' ? new Uint8Array(CHUNK_RECORDS) : chunkOfCodes(release, column, number);
}
