// Reads the records of a release, with the lookups that they refer to, chunk by chunk. Only one chunk is in memory,
// however large the release is.

import type { DataSetKind } from '../records/data-sets';
import { lookupIdentifiers, type LookupKind } from '../records/lookups';
import type { Item } from '../records/record-references';
import type { Organization } from '../records/records';
import { groupReferencesByKind } from '../render/read-page';
import { type LookupItems, tableColumns } from '../render/table-columns';
import { parseItems } from '../store/joined-fragments';
import type { JoinedTexts, ReleaseReader, TextFamily } from '../store/port';
import { getOrAdd } from '../values/maps';

/** About 1 MB of JSON. */
export const RECORDS_PER_CHUNK = 1000;
const LOOKUPS_PER_READ = 500;

/** A chunk has fewer records if their texts exceed this size. */
export const MAX_BYTES_PER_READ = 12 * 1024 * 1024;

/** Lookups stay in memory for later records. Each has about twenty short strings. */
export const MAX_LOOKUPS = 10_000;

/** A group of consecutive records of a release. */
export interface RecordChunk {
  readonly organization: Organization;
  readonly records: readonly Item[];
  /**
   * The lookups that the records refer to, and possibly others, with only the members that columns show. It is the same
   * object until something is evicted from it.
   */
  readonly lookups: LookupItems;
}

/** Reads the records with these numbers (ascending), or all records if there are no numbers. */
export async function* readRecordChunks(reader: ReleaseReader, numbers?: Uint32Array): AsyncIterable<RecordChunk> {
  const { organization, records: recordCount } = reader.facts;
  const count = numbers?.length ?? recordCount;
  let lookups = new LookupReader(reader);
  for (let from = 0; from < count;) {
    const length = Math.min(RECORDS_PER_CHUNK, count - from);
    const chunkNumbers =
      numbers?.subarray(from, from + length) ?? Uint32Array.from({ length }, (_, index) => from + index);
    const { records, references } = await readRecords(reader, chunkNumbers);
    if (lookups.size > MAX_LOOKUPS) lookups = new LookupReader(reader);
    await lookups.readMissing(references);
    yield { organization, records, lookups: lookups.items };
    from += records.length;
  }
}

interface ReadRecords {
  readonly records: readonly Item[];
  readonly references: Uint32Array;
}

/** `numbers` are ascending. Reads only the first half of the records if all together are too large. */
async function readRecords(reader: ReleaseReader, numbers: Uint32Array): Promise<ReadRecords> {
  const texts = await readBounded(reader, 'records', numbers);
  if (texts === undefined) return readRecords(reader, numbers.subarray(0, Math.ceil(numbers.length / 2)));
  return { records: parseItems(texts), references: texts.references };
}

class TooManyBytesError extends Error {}

/** Returns undefined, without reading anything, if there are several texts and they are too large together. */
export async function readBounded(
  reader: ReleaseReader,
  family: TextFamily,
  numbers: Uint32Array,
  maxBytes = MAX_BYTES_PER_READ,
): Promise<JoinedTexts | undefined> {
  try {
    return await reader.texts(family, numbers, (bytes) => {
      if (bytes > maxBytes && numbers.length > 1) throw new TooManyBytesError();
    });
  } catch (error) {
    if (error instanceof TooManyBytesError) return undefined;
    throw error;
  }
}

/** Reads each lookup of a release once. */
export class LookupReader {
  readonly items = new Map<LookupKind, Map<string, Item>>();
  private readonly readLookups = new Set<number>();

  constructor(private readonly reader: ReleaseReader) {}

  get size(): number {
    return this.readLookups.size;
  }

  /** Reads the lookups that were not read yet. `references` are ascending. */
  async readMissing(references: Uint32Array): Promise<void> {
    const missing = references.filter((number) => !this.readLookups.has(number));
    for (const [kind, numbers] of groupReferencesByKind(this.reader, missing)) {
      for (let from = 0; from < numbers.length; from += LOOKUPS_PER_READ) {
        await this.readNumbers(kind, numbers.subarray(from, from + LOOKUPS_PER_READ));
      }
    }
    for (const number of missing) this.readLookups.add(number);
  }

  private async readNumbers(kind: LookupKind, numbers: Uint32Array): Promise<void> {
    const texts = await readBounded(this.reader, 'lookups', numbers);
    if (texts === undefined) {
      const middle = Math.ceil(numbers.length / 2);
      await this.readNumbers(kind, numbers.subarray(0, middle));
      await this.readNumbers(kind, numbers.subarray(middle));
      return;
    }
    const items = getOrAdd(this.items, kind, () => new Map<string, Item>());
    const identifier = lookupIdentifiers[kind];
    const names = listJoinedMembers(this.reader.facts.dataSet, kind);
    for (const item of parseItems(texts)) {
      items.set(String(item[identifier]), Object.fromEntries(names.map((name) => [name, item[name]])));
    }
  }
}

/** Lists the members that columns show. Others are dropped: a polygon of a site may take megabytes. */
function listJoinedMembers(dataSet: DataSetKind, kind: LookupKind): readonly string[] {
  return tableColumns[dataSet].joined
    .flatMap(({ reference, columns }) => (reference.lookups === kind ? columns : []))
    .map(({ member }) => member);
}
