// Runs of a release are neighbouring records that only their dates and amounts tell apart: mostly a series of a site,
// since amounts stand in that order (D17). What a run adds up to is kept in memory, so that totals which do not go by
// dates take a run that was found whole at once.

import { chunkOfCodes } from '../search/index/field-codes';
import { AllRecords, type RecordSet } from '../search/index/record-set';
import { numberChunkOf, periodColumnOf } from '../search/index/release-index';
import type { SearchCaches } from '../search/index/search-caches';
import { CHUNK_RECORDS, RECORD_COLUMNS } from '../store/artifacts';
import { currentDeadline } from '../store/deadline';
import type { ReleaseReader } from '../store/port';
import { firstNotBelow } from '../values/numbers';
import type { ClassColumn } from './axes';
import type { Codes } from './cells';
import { Statistics } from './statistics';

/** The columns that the records of a run share, of those by which anything is grouped. */
const SHARED: readonly ClassColumn[] = ['place', 'variable', 'source', 'useSet'];

/** Shorter runs save nothing. */
const LEAST_MEAN_LENGTH = 4;

export interface RecordRuns {
  /** By run its first record, ascending, with the number of all records at the end; none goes beyond its chunk. */
  readonly starts: Uint32Array;
  /** By run; without places. */
  readonly statistics: Statistics;
}

const NO_RUNS: RecordRuns = { starts: new Uint32Array(), statistics: new Statistics(0) };

/** Whether the records of a run have the same code there. */
export function isShared(column: ClassColumn): boolean {
  return column === 'release' || SHARED.includes(column);
}

/** Undefined where runs are short, as those of rights are. Made once for a release. */
export async function recordRunsOf(release: ReadableRelease): Promise<RecordRuns | undefined> {
  const { reader, caches } = release;
  if (reader.facts.dataSet === 'WaterAllocations') return undefined;
  const { starts, statistics } = await caches.partOf<RecordRuns>('runs').remember(
    reader.facts.releaseId,
    () => findRuns(release),
    (runs) => runs.starts.byteLength + runs.statistics.byteLength,
  );
  return starts.length === 0 ? undefined : { starts, statistics };
}

async function findRuns(release: ReadableRelease): Promise<RecordRuns> {
  const { reader, caches } = release;
  const { records, dataSet } = reader.facts;
  const { numbers: measures } = RECORD_COLUMNS[dataSet];
  const dates = await periodColumnOf(reader, 'periods', caches);
  const statistics = new Statistics(measures.length);
  const starts: number[] = [];
  const deadline = currentDeadline();
  for (const chunk of chunksOf(new AllRecords(records), records)) {
    if (deadline.isSliceOver()) await deadline.giveWay();
    const columns: Codes[] = [];
    for (const column of SHARED) columns.push(await codesOf(column, chunk, release));
    const runs = numberRuns(columns, chunk, starts);
    statistics.grow(starts.length);
    statistics.addRecords(runs, chunk.positions, dates.codes.subarray(chunk.first), dates.periods);
    for (const [index, measure] of measures.entries()) {
      statistics.addValues(index, runs, chunk.positions, await numberChunkOf(reader, measure, chunk.number, caches));
    }
  }
  const areShort = starts.length * LEAST_MEAN_LENGTH > records;
  return areShort ? NO_RUNS : { starts: Uint32Array.from([...starts, records]), statistics };
}

/** Adds the first record of each run of a chunk, and returns by position the number of the run. */
function numberRuns(columns: readonly Codes[], { first, positions }: FoundChunk, starts: number[]): Uint32Array {
  const isFirst = new Uint8Array(positions.length).fill(1, 0, 1);
  for (const codes of columns) markChanges(codes, isFirst);
  return Uint32Array.from(isFirst, (mark, position) => {
    if (mark === 1) starts.push(first + position);
    return starts.length - 1;
  });
}

function markChanges(codes: Codes, marks: Uint8Array): void {
  for (let position = 1; position < marks.length; position++) {
    if (codes[position] !== codes[position - 1]) marks[position] = 1;
  }
}

/** Goes through the runs of a chunk, from one position to a later one. */
export class RunCursor {
  run: number;
  /** The positions with which the run begins and before which it ends. */
  start = 0;
  end = 0;

  constructor(
    private readonly starts: Uint32Array,
    private readonly first: number,
  ) {
    this.run = firstNotBelow(starts, first, 0) - 1;
  }

  /** Goes on to the run of a position at or behind its end. */
  moveTo(position: number): void {
    const { starts, first } = this;
    while (this.end <= position) {
      this.run++;
      this.end = (starts[this.run + 1] ?? Infinity) - first;
    }
    this.start = (starts[this.run] ?? 0) - first;
  }
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

// The codes that the records of a chunk have in a column of their release.

export interface ReadableRelease {
  readonly reader: ReleaseReader;
  readonly caches: SearchCaches;
}

export async function codesOf(
  column: ClassColumn,
  { number }: FoundChunk,
  { reader, caches }: ReadableRelease,
): Promise<Codes> {
  return column === 'release' ? new Uint8Array(CHUNK_RECORDS) : chunkOfCodes(reader, column, number, caches);
}
