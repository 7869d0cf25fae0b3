// One pass over the columns of a release: the cell of each record that was found, and what its cell adds up to.
//
// Counts the distinct places of rows, by the places of each cell. Where each record has one place and those of a place
// follow one another, as amounts do, they come in order. The places of rights stand in any order, and are sorted first.

import { loadCodeChunk } from '../search/index/field-codes';
import { PlaceCodes } from '../search/index/place-codes';
import type { RecordSet } from '../search/index/record-set';
import { loadNumberChunk, loadPeriodColumn, loadPlaceCodes } from '../search/index/release-index';
import type { SearchableRelease } from '../search/index/search-caches';
import { CHUNK_RECORDS, RECORD_COLUMNS } from '../store/artifacts';
import { giveWayIfSliceOver } from '../store/deadline';
import type { NarrowNumbers } from '../values/bytes/sections';
import { findFirstNotBelow } from '../values/number-arrays';
import type { Axis, ClassColumn } from './axes';
import { addCodes, CellNumbers, type CodesWithAddends, computeStrides } from './cells';
import { Statistics } from './statistics';

/** So many records are worked on at a time that what is written of them stays in the processor's nearest memory. */
const BLOCK_RECORDS = 2048;

export interface Scan {
  readonly cells: CellNumbers;
  readonly statistics: Statistics;
  readonly places: Pick<CellPlaces, 'countPlaces'>;
}

/** The columns that are read, chunk by chunk. */
interface ChunkColumns {
  readonly keys: readonly CodesWithAddends[];
  readonly periods: NarrowNumbers;
  readonly values: readonly Float64Array[];
}

/** Undefined when the axes have more combinations than can be told apart. Gives way to other requests. */
export async function scanRelease(
  release: SearchableRelease,
  found: RecordSet,
  axes: readonly Axis[],
): Promise<Scan | undefined> {
  const { space } = computeStrides(axes.map(({ classCount: classes }) => classes));
  // Keys are exact numbers up to here.
  if (space > Number.MAX_SAFE_INTEGER) return undefined;
  const { records, dataSet } = release.reader.facts;
  const { periods } = await loadPeriodColumn(release, 'periods');
  const places = new CellPlaces(await loadPlaceCodes(release));
  const cells = new CellNumbers(space);
  const statistics = new Statistics(RECORD_COLUMNS[dataSet].numbers.length);
  const addends = buildAddends(axes);
  const keys = new Float64Array(BLOCK_RECORDS);
  const numbers = new Uint32Array(BLOCK_RECORDS);
  for (const chunk of splitIntoChunks(found, records)) {
    await giveWayIfSliceOver();
    const columns = await loadColumns(chunk, addends, release);
    for (let start = 0; start < chunk.positions.length; start += BLOCK_RECORDS) {
      const block = chunk.positions.subarray(start, start + BLOCK_RECORDS);
      keys.fill(0);
      for (const column of columns.keys) addCodes(keys, block, column);
      cells.writeNumbers(keys, block.length, numbers);
      statistics.grow(cells.count);
      statistics.addRecords(numbers, block, columns.periods, periods);
      columns.values.forEach((values, measure) => {
        statistics.addValues(measure, numbers, block, values);
      });
      places.grow(cells.count);
      places.addAll(numbers, chunk.first, block);
    }
  }
  return { cells, statistics, places };
}

async function loadColumns(chunk: MatchingChunk, addends: Addends, release: SearchableRelease): Promise<ChunkColumns> {
  const keys: CodesWithAddends[] = [];
  for (const [column, table] of addends) keys.push({ codes: await loadCodes(column, chunk, release), addends: table });
  const values: Float64Array[] = [];
  for (const measure of RECORD_COLUMNS[release.reader.facts.dataSet].numbers) {
    values.push(await loadNumberChunk(release, measure, chunk.number));
  }
  return { keys, periods: await loadCodes('period', chunk, release), values };
}

/** What each code of a column adds to a key. */
type Addends = ReadonlyMap<ClassColumn, Float64Array>;

/** For each column that an axis goes by. */
function buildAddends(axes: readonly Axis[]): Addends {
  const { strides } = computeStrides(axes.map(({ classCount: classes }) => classes));
  const addends = new Map<ClassColumn, Float64Array>();
  axes.forEach(({ column, classByCode: classOf, classCount: classes }, index) => {
    if (classes < 2) return;
    const stride = strides[index] ?? 0;
    const table = addends.get(column) ?? new Float64Array(classOf.length);
    addends.set(column, table);
    for (let code = 0; code < classOf.length; code++) {
      table[code] = (table[code] ?? 0) + (classOf[code] ?? 0) * stride;
    }
  });
  return addends;
}

// The records that a search found, chunk by chunk of the columns.

export interface MatchingChunk {
  readonly number: number;
  /** The record with which the chunk begins. */
  readonly first: number;
  /** Where the found records stand in the chunk, ascending. */
  readonly positions: Uint32Array;
}

/** Chunks without a found record are left out, so that nothing is read for them. */
export function splitIntoChunks(found: RecordSet, records: number): readonly MatchingChunk[] {
  if (found.size === records) return listWholeChunks(records);
  const numbers = found.slice();
  const chunks: MatchingChunk[] = [];
  for (let start = 0; start < numbers.length;) {
    const number = Math.floor((numbers[start] ?? 0) / CHUNK_RECORDS);
    const first = number * CHUNK_RECORDS;
    const end = findFirstNotBelow(numbers, first + CHUNK_RECORDS, start);
    const positions = new Uint32Array(end - start);
    for (let index = start; index < end; index++) positions[index - start] = (numbers[index] ?? 0) - first;
    chunks.push({ number, first, positions });
    start = end;
  }
  return chunks;
}

function listWholeChunks(records: number): readonly MatchingChunk[] {
  const all = new Uint32Array(Math.min(CHUNK_RECORDS, records));
  for (let position = 0; position < all.length; position++) all[position] = position;
  return Array.from({ length: Math.ceil(records / CHUNK_RECORDS) }, (_, number) => {
    const first = number * CHUNK_RECORDS;
    return { number, first, positions: all.subarray(0, records - first) };
  });
}

/** The codes that the records of a chunk have in a column of their release. */
export async function loadCodes(
  column: ClassColumn,
  { number }: MatchingChunk,
  release: SearchableRelease,
): Promise<NarrowNumbers> {
  return column === 'release' ? new Uint8Array(CHUNK_RECORDS) : loadCodeChunk(release, column, number);
}

const INITIAL_CAPACITY = 1024;

/** At which places the records of each cell are. */
class CellPlaces {
  /** By cell the code that it had last. */
  private last = new Uint32Array(INITIAL_CAPACITY);
  private cells = new Uint32Array(INITIAL_CAPACITY);
  private ranks = new Uint32Array(INITIAL_CAPACITY);
  private pairs = 0;

  constructor(private readonly placeCodes: PlaceCodes) {}

  /** Makes room for cells below `count`. */
  grow(count: number): void {
    if (count > this.last.length) this.last = growTo(2 * count, this.last);
  }

  /** Adds the record at each position behind `first`, which is in the cell of the same index. */
  addAll(cells: Uint32Array, first: number, positions: Uint32Array): void {
    for (let index = 0; index < positions.length; index++) this.add(cells[index] ?? 0, first + (positions[index] ?? 0));
  }

  private add(cell: number, record: number): void {
    const code = this.placeCodes.codes[record] ?? 0;
    if (this.last[cell] === code) return;
    this.last[cell] = code;
    // Code 0 is that of records without a place.
    if (code === 0) return;
    const { placeCount: places, sets } = this.placeCodes;
    if (code <= places) this.addPair(cell, code - 1);
    else for (const rank of sets[code - places - 1] ?? []) this.addPair(cell, rank);
  }

  /** Counts the places in the rows of each cell. */
  countPlaces(rowsOfCells: readonly (readonly number[])[], rows: number, statistics: Statistics): void {
    if (!this.placeCodes.isInOrder) this.sortByPlace();
    const { cells, ranks } = this;
    // The last place that was counted, plus one.
    const lastOfRow = new Uint32Array(rows);
    for (let pair = 0; pair < this.pairs; pair++) {
      const rank = ranks[pair] ?? 0;
      for (const row of rowsOfCells[cells[pair] ?? 0] ?? []) {
        if (lastOfRow[row] === rank + 1) continue;
        lastOfRow[row] = rank + 1;
        statistics.addPlace(row);
      }
    }
  }

  private addPair(cell: number, rank: number): void {
    if (this.pairs === this.cells.length) {
      this.cells = growTo(2 * this.pairs, this.cells);
      this.ranks = growTo(2 * this.pairs, this.ranks);
    }
    this.cells[this.pairs] = cell;
    this.ranks[this.pairs++] = rank;
  }

  /** Sorts the pairs by place, by counting. */
  private sortByPlace(): void {
    const counts = new Uint32Array(this.placeCodes.placeCount);
    for (const rank of this.ranks.subarray(0, this.pairs)) counts[rank] = (counts[rank] ?? 0) + 1;
    let sum = 0;
    const next = counts.map((count) => (sum += count) - count);
    const cells = new Uint32Array(this.pairs);
    const ranks = new Uint32Array(this.pairs);
    for (let pair = 0; pair < this.pairs; pair++) {
      const rank = this.ranks[pair] ?? 0;
      const at = next[rank] ?? 0;
      cells[at] = this.cells[pair] ?? 0;
      ranks[at] = rank;
      next[rank] = at + 1;
    }
    this.cells = cells;
    this.ranks = ranks;
  }
}

function growTo(length: number, numbers: Uint32Array): Uint32Array<ArrayBuffer> {
  const grown = new Uint32Array(length);
  grown.set(numbers);
  return grown;
}
