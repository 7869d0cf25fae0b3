// The records of releases as groups for a file of them, read a stretch at a time: what is in memory is a group and a
// stretch, whatever the records and the lookups that they refer to weigh.

import { parseItems, reordered } from '../render/read-page';
import { tableColumns } from '../render/table-columns';
import type { DataSetKind } from '../records/data-sets';
import { lookupIdentifiers, type LookupKind } from '../records/lookups';
import type { Item } from '../records/record-references';
import type { ReleaseReader, JoinedFragments, RecordSlices } from '../store/port';
import { RecordCoder, type RecordGroup } from './record-coder';

/** So many records are read at once, some 1 MB of JSON, and so many lookups. */
const RECORDS_AT_ONCE = 1000;
const LOOKUPS_AT_ONCE = 500;

/** Fewer are read at once where their texts have more bytes. */
const BYTES_AT_ONCE = 12 * 1024 * 1024;

/** Records of one release. */
export interface ExportedRecords {
  readonly reader: ReleaseReader;
  /** In any order; undefined for all records in theirs. */
  readonly numbers: Uint32Array | undefined;
}

/** A group is good until the next one is asked for. `hasKeys`: whether the digests of keys are made. */
export async function* recordGroups(
  dataSet: DataSetKind,
  parts: AsyncIterable<ExportedRecords>,
  hasKeys: boolean,
): AsyncIterable<RecordGroup> {
  const coder = new RecordCoder(dataSet, hasKeys);
  const memory = new TextMemory();
  for await (const { reader, numbers } of parts) {
    const { organization, records: count } = reader.facts;
    let lookups = new KnownLookups(reader);
    coder.startRelease(organization);
    for (let from = 0; from < (numbers?.length ?? count);) {
      const most = Math.min(RECORDS_AT_ONCE, coder.room, (numbers?.length ?? count) - from);
      const wanted = numbers?.subarray(from, from + most) ?? numbersFrom(from, most);
      const { texts, references, records } = await readRecords(reader, wanted, memory);
      await lookups.complete(references, coder);
      coder.add(texts);
      from += records;
      if (coder.room > 0) continue;
      yield coder.group();
      coder.startGroup();
      coder.startRelease(organization);
      lookups = new KnownLookups(reader);
    }
  }
  if (coder.rows > 0) yield coder.group();
}

function numbersFrom(first: number, length: number): Uint32Array {
  return Uint32Array.from({ length }, (_, index) => first + index);
}

/** Lends memory for two texts in turn: a coder compares with the one before. */
class TextMemory {
  private next = Buffer.alloc(0);
  private last = Buffer.alloc(0);

  lend(bytes: number): Buffer {
    const memory = this.next.length < bytes ? Buffer.allocUnsafeSlow(bytes) : this.next;
    this.next = this.last;
    this.last = memory;
    return memory.subarray(0, bytes);
  }
}

interface ReadRecords {
  readonly texts: Buffer;
  readonly references: Uint32Array;
  readonly records: number;
}

/** Reads the records with the numbers, in their order, or the first ones of them where all are too many bytes. */
async function readRecords(reader: ReleaseReader, wanted: Uint32Array, memory: TextMemory): Promise<ReadRecords> {
  const isAscending = wanted.every((number, index) => index === 0 || number > (wanted[index - 1] ?? 0));
  const numbers = isAscending ? wanted : wanted.toSorted();
  const read = await readBounded(numbers, (some, admit) => reader.records(some, admit));
  if (read === undefined) return readRecords(reader, wanted.subarray(0, Math.ceil(wanted.length / 2)), memory);
  const texts = isAscending
    ? read
    : reordered(read, await reader.measure('records', numbers), placesOf(wanted, numbers));
  const content = memory.lend(texts.byteLength);
  texts.copyTo(content, 0);
  return { texts: content, references: read.references, records: wanted.length };
}

/** Where each of the numbers stands among the sorted ones. */
function placesOf(numbers: Uint32Array, sorted: Uint32Array): Uint32Array {
  const placeOf = new Map(Array.from(sorted, (number, place) => [number, place]));
  return numbers.map((number) => placeOf.get(number) ?? NaN);
}

class TooManyBytesError extends Error {}

/** Undefined, with nothing read, where several have too many bytes. */
async function readBounded<Read extends JoinedFragments | RecordSlices>(
  numbers: Uint32Array,
  read: (numbers: Uint32Array, admit: (bytes: number) => void) => Promise<Read>,
): Promise<Read | undefined> {
  try {
    return await read(numbers, (bytes) => {
      if (bytes > BYTES_AT_ONCE && numbers.length > 1) throw new TooManyBytesError();
    });
  } catch (error) {
    if (error instanceof TooManyBytesError) return undefined;
    throw error;
  }
}

/** The lookups of a release that a coder has. */
class KnownLookups {
  private readonly known = new Set<number>();

  constructor(private readonly reader: ReleaseReader) {}

  /** Gives the coder those of the references that it has not yet. They are numbered kind by kind, and ascending. */
  async complete(references: Uint32Array, coder: RecordCoder): Promise<void> {
    const missing = references.filter((number) => !this.known.has(number));
    let end = 0;
    let from = 0;
    for (const { kind, count } of this.reader.facts.lookups) {
      end += count;
      const start = from;
      while (from < missing.length && (missing[from] ?? end) < end) from++;
      for (let at = start; at < from; at += LOOKUPS_AT_ONCE) {
        await this.read(kind, missing.subarray(at, Math.min(from, at + LOOKUPS_AT_ONCE)), coder);
      }
    }
    for (const number of missing) this.known.add(number);
  }

  private async read(kind: LookupKind, numbers: Uint32Array, coder: RecordCoder): Promise<void> {
    const read = await readBounded(numbers, (some, admit) => this.reader.lookups(some, admit));
    if (read !== undefined) {
      const identifier = lookupIdentifiers[kind];
      const names = joinedMembers(this.reader.facts.dataSet, kind);
      coder.addLookups(
        kind,
        parseItems(read).map((item) => [String(item[identifier]), partOf(item, names)] as const),
      );
      return;
    }
    const middle = Math.ceil(numbers.length / 2);
    await this.read(kind, numbers.subarray(0, middle), coder);
    await this.read(kind, numbers.subarray(middle), coder);
  }
}

/** The members that columns show: a site may have a polygon of megabytes beside them. */
function joinedMembers(dataSet: DataSetKind, kind: LookupKind): readonly string[] {
  const { joined } = tableColumns[dataSet];
  return joined
    .flatMap(({ reference, columns }) => (reference.lookups === kind ? columns : []))
    .map(({ member }) => member);
}

function partOf(item: Item, names: readonly string[]): Item {
  return Object.fromEntries(names.map((name) => [name, item[name]]));
}
