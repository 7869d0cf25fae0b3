// Makes one pass over the columns of a release: finds the cell of each matching record and adds up the values of each cell.

import type { RecordSet } from '../search/index/record-set';
import { loadNumberChunk, loadPeriodColumn, loadPlaceCodes } from '../search/index/release-index';
import type { SearchableRelease } from '../search/index/search-caches';
import { RECORD_COLUMNS } from '../store/artifacts';
import { giveWayIfSliceOver } from '../store/deadline';
import type { NarrowNumbers } from '../values/bytes/sections';
import type { Axis } from './axes';
import { CellPlaces } from './cell-places';
import { addCodes, CellNumbers, type CodesWithAddends, computeStrides } from './cells';
import type { ClassColumn } from './column-classes';
import { loadCodes, type MatchingChunk, splitIntoChunks } from './matching-chunks';
import { Statistics } from './statistics';

/** The number of records per batch. Intermediate results of a batch fit into the processor's fastest cache. */
const BATCH_RECORDS = 2048;

export interface Scan {
  readonly cells: CellNumbers;
  /** Keyed by cell. */
  readonly statistics: Statistics;
  readonly places: Pick<CellPlaces, 'countPlaces'>;
}

/** The columns of a chunk. */
interface ChunkColumns {
  readonly keys: readonly CodesWithAddends[];
  readonly periods: NarrowNumbers;
  /** Keyed by measure. */
  readonly values: readonly Float64Array[];
}

/** Keyed by column: what each code adds to the key of a cell. */
type Addends = ReadonlyMap<ClassColumn, Float64Array>;

/** Undefined if the axes have more combinations than a key can distinguish. Throws DeadlinePassedError. */
export async function scanRelease(
  release: SearchableRelease,
  matches: RecordSet,
  axes: readonly Axis[],
): Promise<Scan | undefined> {
  const { space } = computeStrides(axes.map(({ classCount }) => classCount));
  // Larger keys are not exact integers.
  if (space > Number.MAX_SAFE_INTEGER) return undefined;
  const { records, dataSet } = release.reader.facts;
  const { periods } = await loadPeriodColumn(release, 'periods');
  const places = new CellPlaces(await loadPlaceCodes(release));
  const cells = new CellNumbers(space);
  const statistics = new Statistics(RECORD_COLUMNS[dataSet].numbers.length);
  const addends = buildAddends(axes);
  const keys = new Float64Array(BATCH_RECORDS);
  const cellNumbers = new Uint32Array(BATCH_RECORDS);
  for (const chunk of splitIntoChunks(matches, records)) {
    await giveWayIfSliceOver();
    const columns = await loadColumns(chunk, addends, release);
    for (let start = 0; start < chunk.positions.length; start += BATCH_RECORDS) {
      const batch = chunk.positions.subarray(start, start + BATCH_RECORDS);
      keys.fill(0);
      for (const column of columns.keys) addCodes(keys, batch, column);
      cells.writeNumbers(keys, batch.length, cellNumbers);
      statistics.grow(cells.count);
      statistics.addRecords(cellNumbers, batch, columns.periods, periods);
      columns.values.forEach((values, measure) => {
        statistics.addValues(measure, cellNumbers, batch, values);
      });
      places.grow(cells.count);
      places.addAll(cellNumbers, chunk.first, batch);
    }
  }
  return { cells, statistics, places };
}

async function loadColumns(chunk: MatchingChunk, addends: Addends, release: SearchableRelease): Promise<ChunkColumns> {
  const keys: CodesWithAddends[] = [];
  for (const [column, columnAddends] of addends) {
    keys.push({ codes: await loadCodes(column, chunk, release), addends: columnAddends });
  }
  const values: Float64Array[] = [];
  for (const measure of RECORD_COLUMNS[release.reader.facts.dataSet].numbers) {
    values.push(await loadNumberChunk(release, measure, chunk.number));
  }
  return { keys, periods: await loadCodes('period', chunk, release), values };
}

/** Several axes may use the codes of the same column. */
function buildAddends(axes: readonly Axis[]): Addends {
  const { strides } = computeStrides(axes.map(({ classCount }) => classCount));
  const addends = new Map<ClassColumn, Float64Array>();
  axes.forEach(({ column, classByCode, classCount }, index) => {
    if (classCount < 2) return;
    const stride = strides[index] ?? 0;
    const columnAddends = addends.get(column) ?? new Float64Array(classByCode.length);
    addends.set(column, columnAddends);
    for (let code = 0; code < classByCode.length; code++) {
      columnAddends[code] = (columnAddends[code] ?? 0) + (classByCode[code] ?? 0) * stride;
    }
  });
  return addends;
}
