// One pass over the columns of a release: the cell of each record that was found, and what its cell adds up to.

import type { ClassColumn, Axis } from './axes';
import type { PlaceCodes } from '../search/index/place-index';
import type { RecordSet } from '../search/index/record-set';
import { numberChunkOf, placeCodesOf, periodColumnOf } from '../search/index/release-index';
import { currentDeadline } from '../store/deadline';
import { RECORD_COLUMNS } from '../store/artifacts';
import { CellNumbers, stridesOf, type Codes, type Keys } from './cells';
import {
  codesOf,
  type ReadableRelease,
  chunksOf,
  type FoundChunk,
  isShared,
  recordRunsOf,
  RunCursor,
  type RecordRuns,
} from './record-runs';
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

interface ScannedRelease extends ReadableRelease {
  readonly found: RecordSet;
}

/** The columns that are read, chunk by chunk. */
interface ChunkColumns {
  /** Those that the records of a run share, and those that each record has for itself. */
  readonly shared: readonly CodesWithAddends[];
  readonly single: readonly CodesWithAddends[];
  readonly periods: Codes;
  readonly values: readonly Float64Array[];
}

/** Undefined when the axes have more combinations than can be told apart. Gives way to other requests. */
export async function scanRelease(release: ScannedRelease, axes: readonly Axis[]): Promise<Scan | undefined> {
  const { reader, found, caches } = release;
  const { space } = stridesOf(axes.map(({ classes }) => classes));
  if (!CellNumbers.canNumber(space)) return undefined;
  const { records, dataSet } = reader.facts;
  const { periods } = await periodColumnOf(reader, 'periods', caches);
  const totals = new CellTotals(space, await placeCodesOf(reader, caches), {
    isRow: axes.every(({ isSingle }) => isSingle),
    measures: RECORD_COLUMNS[dataSet].numbers.length,
    periods,
    runs: await recordRunsOf(release),
  });
  const addends = addendsOf(axes, totals.cells);
  const deadline = currentDeadline();
  for (const chunk of chunksOf(found, records)) {
    if (deadline.isSliceOver()) await deadline.giveWay();
    totals.addChunk(chunk, await columnsOf(chunk, addends, release));
  }
  return totals;
}

class CellTotals implements Scan {
  readonly cells: CellNumbers;
  readonly statistics: Statistics;
  readonly places: CellPlaces | undefined;
  private readonly counted: CellPlaces;
  private readonly keys: Keys;
  private readonly numbers = new Uint32Array(BLOCK_RECORDS);

  constructor(
    space: number,
    placeCodes: PlaceCodes,
    private readonly release: {
      /** Each cell is one row of the totals, and no other cell is. */
      readonly isRow: boolean;
      readonly measures: number;
      readonly periods: Int32Array;
      readonly runs: RecordRuns | undefined;
    },
  ) {
    this.cells = new CellNumbers(space);
    this.statistics = new Statistics(release.measures);
    const isCounted = release.isRow && placeCodes.isInOrder;
    this.counted = new CellPlaces(placeCodes, isCounted ? this.statistics : undefined);
    this.places = isCounted ? undefined : this.counted;
    this.keys = this.cells.newKeys(BLOCK_RECORDS);
  }

  addChunk(chunk: FoundChunk, columns: ChunkColumns): void {
    const { runs } = this.release;
    if (runs === undefined) {
      this.addRecords(chunk, columns, undefined);
      return;
    }
    if (columns.single.length === 0) this.addRuns(chunk, columns, runs);
    else this.addRecords(chunk, columns, new RunCursor(runs.starts, chunk.first));
  }

  /**
   * Adds at once what a run adds up to where it was found whole, and the records of the others between them: in their
   * order, by which places are counted.
   */
  private addRuns(chunk: FoundChunk, columns: ChunkColumns, runs: RecordRuns): void {
    const { cells, statistics, counted } = this;
    const { first, positions } = chunk;
    const cursor = new RunCursor(runs.starts, first);
    const cursorOfRest = new RunCursor(runs.starts, first);
    let rest = 0;
    const addRest = (end: number): void => {
      if (end > rest) this.addRecords({ ...chunk, positions: positions.subarray(rest, end) }, columns, cursorOfRest);
    };
    for (let index = 0; index < positions.length;) {
      const position = positions[index] ?? 0;
      cursor.moveTo(position);
      const last = index + cursor.end - cursor.start - 1;
      if (position === cursor.start && positions[last] === cursor.end - 1) {
        addRest(index);
        const cell = cells.numberOf(keyAt(position, columns.shared));
        statistics.grow(cells.count);
        statistics.merge(cell, runs.statistics, cursor.run);
        counted.grow(cells.count);
        counted.add(cell, first + position);
        index = rest = last + 1;
      } else {
        while (index < positions.length && (positions[index] ?? 0) < cursor.end) index++;
      }
    }
    addRest(positions.length);
  }

  private addRecords({ first, positions }: FoundChunk, columns: ChunkColumns, cursor: RunCursor | undefined): void {
    const { cells, keys, numbers, statistics, counted } = this;
    const { shared, single, values } = columns;
    for (let start = 0; start < positions.length; start += BLOCK_RECORDS) {
      const block = positions.subarray(start, start + BLOCK_RECORDS);
      if (cursor !== undefined) writeRunKeys(keys, block, shared, cursor);
      else {
        keys.fill(0);
        for (const column of shared) addCodes(keys, block, column);
      }
      for (const column of single) addCodes(keys, block, column);
      cells.numberAll(keys, block.length, numbers);
      statistics.grow(cells.count);
      statistics.addRecords(numbers, block, columns.periods, this.release.periods);
      for (const [measure, ofMeasure] of values.entries()) statistics.addValues(measure, numbers, block, ofMeasure);
      counted.grow(cells.count);
      counted.addAll(numbers, first, block);
    }
  }
}

async function columnsOf(chunk: FoundChunk, addends: Addends, release: ReadableRelease): Promise<ChunkColumns> {
  const { reader, caches } = release;
  const columns: (CodesWithAddends & { readonly column: ClassColumn })[] = [];
  for (const [column, table] of addends) {
    columns.push({ column, codes: await codesOf(column, chunk, release), addends: table });
  }
  const values: Float64Array[] = [];
  for (const measure of RECORD_COLUMNS[reader.facts.dataSet].numbers) {
    values.push(await numberChunkOf(reader, measure, chunk.number, caches));
  }
  return {
    shared: columns.filter(({ column }) => isShared(column)),
    single: columns.filter(({ column }) => !isShared(column)),
    periods: await codesOf('period', chunk, release),
    values,
  };
}

// The keys of cells: what the codes of a record in the columns of all axes add up to.

/** What each code of a column adds to a key. */
export type Addends = ReadonlyMap<ClassColumn, Keys>;

export interface CodesWithAddends {
  readonly codes: Codes;
  readonly addends: Keys;
}

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

/** What the codes of one record add up to. */
function keyAt(position: number, columns: readonly CodesWithAddends[]): number {
  let key = 0;
  for (const { codes, addends } of columns) key += addends[codes[position] ?? 0] ?? 0;
  return key;
}

/** Adds to each of the keys what the code at its position stands for. */
export function addCodes(keys: Keys, positions: Uint32Array, { codes, addends }: CodesWithAddends): void {
  for (let index = 0; index < positions.length; index++) {
    keys[index] = (keys[index] ?? 0) + (addends[codes[positions[index] ?? 0] ?? 0] ?? 0);
  }
}

/** Writes what the columns that runs share add up to: once for each run. */
function writeRunKeys(
  keys: Keys,
  positions: Uint32Array,
  columns: readonly CodesWithAddends[],
  cursor: RunCursor,
): void {
  let key = 0;
  for (let index = 0, end = 0; index < positions.length; index++) {
    const position = positions[index] ?? 0;
    if (position >= end) {
      if (position >= cursor.end) cursor.moveTo(position);
      key = keyAt(position, columns);
      end = cursor.end;
    }
    keys[index] = key;
  }
}
