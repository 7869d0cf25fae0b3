// The records of a release with the lookups that they refer to, read a stretch at a time: one stretch is in memory,
// however many bytes the records and the lookups have together.

import type { DataSetKind, Item } from '../records/data-sets';
import { lookupIdentifiers, type LookupKind } from '../records/lookups';
import type { Organization } from '../records/records';
import { referencesByKind, reordered } from '../render/read-page';
import { type KnownLookups, tableColumns } from '../render/table-columns';
import { type JoinedTexts, parseItems, type ReleaseReader, type TextFamily } from '../store/port';
import { getOrAdd } from '../values/maps';
import { firstNotBelow } from '../values/numbers';

/** So many records are read at once, some 1 MB of JSON, and so many lookups. */
const RECORDS_AT_ONCE = 1000;
const LOOKUPS_AT_ONCE = 500;

/** Fewer are read at once where their texts have more bytes. */
const BYTES_AT_ONCE = 12 * 1024 * 1024;

/** So many lookups stay in memory for the records to come; each has some twenty short texts. */
const MOST_LOOKUPS = 10_000;

/** Some records of a release, in order. */
export interface RecordStretch {
  readonly organization: Organization;
  readonly records: readonly Item[];
  /**
   * Those that the records refer to, and perhaps others, each with the members that columns show. It is the same object
   * for as long as nothing is dropped from it.
   */
  readonly lookups: KnownLookups;
}

/** The records with the numbers, which may be in any order, or all records in theirs. */
export async function* recordStretches(reader: ReleaseReader, numbers?: Uint32Array): AsyncIterable<RecordStretch> {
  const { organization, records: all } = reader.facts;
  const count = numbers?.length ?? all;
  let lookups = new LookupReader(reader);
  for (let from = 0; from < count;) {
    const length = Math.min(RECORDS_AT_ONCE, count - from);
    const wanted = numbers?.subarray(from, from + length) ?? Uint32Array.from({ length }, (_, index) => from + index);
    const { records, references } = await readRecords(reader, wanted);
    if (lookups.size > MOST_LOOKUPS) lookups = new LookupReader(reader);
    await lookups.complete(references);
    yield { organization, records, lookups: lookups.known };
    from += records.length;
  }
}

interface ReadRecords {
  readonly records: readonly Item[];
  readonly references: Uint32Array;
}

/** Reads the records with the numbers, in their order, or the first ones of them where all are too many bytes. */
async function readRecords(reader: ReleaseReader, wanted: Uint32Array): Promise<ReadRecords> {
  const isAscending = wanted.every((number, index) => index === 0 || number > (wanted[index - 1] ?? 0));
  const numbers = isAscending ? wanted : wanted.toSorted();
  const read = await readBounded(reader, 'records', numbers);
  if (read === undefined) return readRecords(reader, wanted.subarray(0, Math.ceil(wanted.length / 2)));
  const order = wanted.map((number) => firstNotBelow(numbers, number, 0));
  const texts = isAscending ? read : reordered(read, await reader.measure('records', numbers), order);
  return { records: parseItems(texts), references: read.references };
}

class TooManyBytesError extends Error {}

/** Undefined, with nothing read, where several have too many bytes. */
async function readBounded(
  reader: ReleaseReader,
  family: TextFamily,
  numbers: Uint32Array,
): Promise<JoinedTexts | undefined> {
  try {
    return await reader.texts(family, numbers, (bytes) => {
      if (bytes > BYTES_AT_ONCE && numbers.length > 1) throw new TooManyBytesError();
    });
  } catch (error) {
    if (error instanceof TooManyBytesError) return undefined;
    throw error;
  }
}

/** Reads each lookup of a release once. */
class LookupReader {
  readonly known = new Map<LookupKind, Map<string, Item>>();
  private readonly numbers = new Set<number>();

  constructor(private readonly reader: ReleaseReader) {}

  get size(): number {
    return this.numbers.size;
  }

  /** Reads those of the references that are not known yet. They are ascending. */
  async complete(references: Uint32Array): Promise<void> {
    const missing = references.filter((number) => !this.numbers.has(number));
    for (const [kind, numbers] of referencesByKind(this.reader, missing)) {
      for (let at = 0; at < numbers.length; at += LOOKUPS_AT_ONCE) {
        await this.read(kind, numbers.subarray(at, at + LOOKUPS_AT_ONCE));
      }
    }
    for (const number of missing) this.numbers.add(number);
  }

  private async read(kind: LookupKind, numbers: Uint32Array): Promise<void> {
    const read = await readBounded(this.reader, 'lookups', numbers);
    if (read === undefined) {
      const middle = Math.ceil(numbers.length / 2);
      await this.read(kind, numbers.subarray(0, middle));
      await this.read(kind, numbers.subarray(middle));
      return;
    }
    const items = getOrAdd(this.known, kind, () => new Map<string, Item>());
    const identifier = lookupIdentifiers[kind];
    const names = joinedMembers(this.reader.facts.dataSet, kind);
    for (const item of parseItems(read)) {
      items.set(String(item[identifier]), Object.fromEntries(names.map((name) => [name, item[name]])));
    }
  }
}

/** The members that columns show: a site may have a polygon of megabytes beside them. */
function joinedMembers(dataSet: DataSetKind, kind: LookupKind): readonly string[] {
  return tableColumns[dataSet].joined
    .flatMap(({ reference, columns }) => (reference.lookups === kind ? columns : []))
    .map(({ member }) => member);
}
