// Reads the records of several releases, sorted together (D69), chunk by chunk. Only one chunk is in memory at a time,
// along with the lookups of the releases.

import type { Item } from '../records/record-references';
import type { OrderedRun } from '../search/order-releases';
import { parseItems } from '../store/joined-fragments';
import type { ReleaseReader } from '../store/port';
import { getOrAdd } from '../values/maps';
import { findFirstNotBelow, numberAt } from '../values/number-arrays';
import {
  LookupReader,
  MAX_BYTES_PER_READ,
  MAX_LOOKUPS,
  readBounded,
  type RecordChunk,
  RECORDS_PER_CHUNK,
} from './read-records';

/** A record to read: the index of its release, and its number there. */
interface OrderedRecord {
  readonly release: number;
  readonly number: number;
}

/** Each group has consecutive chunks; a chunk has consecutive records of one release. */
export async function* readOrderedRecords(
  readers: readonly ReleaseReader[],
  runs: Iterable<OrderedRun>,
): AsyncIterable<readonly RecordChunk[]> {
  const reader = new OrderedRecordReader(readers);
  let records: OrderedRecord[] = [];
  for (const { release, numbers } of runs) {
    for (const number of numbers) {
      records.push({ release, number });
      if (records.length < RECORDS_PER_CHUNK) continue;
      yield* reader.read(records);
      records = [];
    }
  }
  if (records.length > 0) yield* reader.read(records);
}

class OrderedRecordReader {
  private readonly lookups = new Map<number, LookupReader>();

  constructor(private readonly readers: readonly ReleaseReader[]) {}

  /** Reads the records, or reads them in two halves if they are too large together. */
  async *read(records: readonly OrderedRecord[]): AsyncIterable<readonly RecordChunk[]> {
    const lookupCount = [...this.lookups.values()].reduce((sum, { size }) => sum + size, 0);
    if (lookupCount > MAX_LOOKUPS) this.lookups.clear();
    const items = await this.readItems(records);
    if (items !== undefined) {
      yield this.toChunks(records, items);
      return;
    }
    const middle = Math.ceil(records.length / 2);
    yield* this.read(records.slice(0, middle));
    yield* this.read(records.slice(middle));
  }

  /**
   * Reads the records with their lookups. Returns undefined if there are several records and their texts are too large
   * together.
   */
  private async readItems(records: readonly OrderedRecord[]): Promise<readonly Item[] | undefined> {
    const items: Item[] = [];
    let remainingBytes = MAX_BYTES_PER_READ;
    const positionsByRelease = Map.groupBy(records.keys(), (position) => records[position]?.release ?? NaN);
    for (const [release, positions] of positionsByRelease) {
      const reader = this.readers[release];
      if (reader === undefined) throw new RangeError(`no release at index ${release}`);
      const numbers = Uint32Array.from(positions, (position) => records[position]?.number ?? NaN);
      const ascending = numbers.toSorted();
      const texts = await readBounded(reader, 'records', ascending, remainingBytes);
      if (texts === undefined) return undefined;
      remainingBytes -= texts.byteLength;
      const releaseItems = parseItems(texts);
      for (const [index, position] of positions.entries()) {
        const item = releaseItems[findFirstNotBelow(ascending, numberAt(numbers, index), 0)];
        if (item === undefined) throw new Error('a record of the order has no text');
        items[position] = item;
      }
      await getOrAdd(this.lookups, release, () => new LookupReader(reader)).readMissing(texts.references);
    }
    return items;
  }

  private toChunks(records: readonly OrderedRecord[], items: readonly Item[]): readonly RecordChunk[] {
    const chunks: RecordChunk[] = [];
    let start = 0;
    for (const [position, { release }] of records.entries()) {
      if (records[position + 1]?.release === release) continue;
      const reader = this.readers[release];
      const lookups = this.lookups.get(release);
      if (reader === undefined || lookups === undefined) throw new Error('a release of the order was not read');
      const { organization } = reader.facts;
      chunks.push({ organization, records: items.slice(start, position + 1), lookups: lookups.items });
      start = position + 1;
    }
    return chunks;
  }
}
