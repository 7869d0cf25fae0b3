// The documents of the container: their names, how they are spread over partitions, how large they may be, and how
// records and fragments are written in them. docs/cosmos.md describes them for a person in the portal.
//
// Neighbouring records, and neighbouring lookups or geometries, share a document. A record is written as the members
// that differ from the record before it; the first of a document, as those that differ from the release's `base`.
// Neighbours differ in two to four of 26 members, so that a record of 870 bytes takes 110, and a page costs a sixth
// (docs/adr/0025-cosmos-documents.md).

import { hash } from 'node:crypto';
import { getOrAdd } from '../../values/maps';
import { FRAGMENT_FAMILIES, type ReleaseFacts, type TextFamily } from '../port';

/** Every document has these; `partition` is the container's partition key (container.json). */
export interface CosmosDocument {
  readonly id: string;
  readonly partition: string;
}

/** The kinds of documents that a release consists of; those of each kind are numbered from zero. */
export const FAMILIES = [...FRAGMENT_FAMILIES, 'terms', 'pieces'] as const;

export type Family = (typeof FAMILIES)[number];

/** What a document of each family holds beside its id and partition. */
export interface Contents {
  readonly records: RecordChunk;
  readonly lookups: FragmentChunk;
  readonly geometries: FragmentChunk;
  readonly places: FragmentChunk;
  readonly names: FragmentChunk;
  /**
   * Small posting lists share documents. A term's hash says which bucket it is in, so that a million terms are ten
   * thousand documents and a term is found by one read, without a directory.
   */
  readonly terms: { readonly terms: readonly TermEntry[] };
  /** In base64. */
  readonly pieces: { readonly content: string };
}

/**
 * How many documents one partition gets. A partition then holds about 1 GB (a logical partition may have 20 GB):
 * documents of records have 3 KB, those of lookups, geometries and terms 8 KB, of places and names some 40 KB, pieces
 * 128 KB.
 * Were every document as large as it may be (INLINE_BYTES), a partition would hold 17 GB.
 */
const PARTITION_DOCUMENTS: Readonly<Record<Family, number>> = {
  records: 250_000,
  lookups: 100_000,
  geometries: 100_000,
  places: 20_000,
  names: 20_000,
  terms: 100_000,
  pieces: 8_000,
};

/** Larger content stands in pieces; see `batchReads`. */
const INLINE_BYTES = 65_536;

/** Before base64, which makes 128 KB of them. Reading a piece costs 12.5 request units. */
export const PIECE_BYTES = 98_304;

/** Documents read by one request: the answer stays under 4 MB even when all are as large as they may be. */
export function getReadBatchSize(family: Family): number {
  return family === 'pieces' ? 24 : 40;
}

/** The service bounds a request to 100 operations and 2 MB; the names around the documents need some of it. */
export const BATCH_WRITES = 100;
export const BATCH_WRITE_BYTES = 1_500_000;

/** Where content in pieces lies: the number of its first piece, its bytes there, and whether these are zstd. */
export type ContentReference = readonly [piece: number, bytes: number, isCompressed: 0 | 1];

/** The names of a release's partitions begin with `prefix`. */
export function getPartition(prefix: string, family: Family, number: number): string {
  return `${prefix}/${family}/${Math.floor(number / PARTITION_DOCUMENTS[family])}`;
}

/** The partitions of a release, each with the numbers of its documents: `from` up to before `to`. */
export function* listPartitions(
  prefix: string,
  documents: DocumentCounts,
): Iterable<{ readonly partition: string; readonly from: number; readonly to: number }> {
  for (const family of FAMILIES) {
    const count = documents[family];
    const size = PARTITION_DOCUMENTS[family];
    for (let from = 0; from < count; from += size) {
      yield { partition: getPartition(prefix, family, from), from, to: Math.min(count, from + size) };
    }
  }
}

/** The bytes that the service counts of a document, or of a value inside one: those of the JSON text in UTF-8. */
export function documentBytes(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value));
}

/** All runs of records of a release are written against it. */
export interface RecordShape {
  /** The names of the members, in the order of the answer. */
  readonly members: readonly string[];
  /** The first record of the release without its nulls. */
  readonly base: Readonly<Record<string, unknown>>;
}

/** The partition of the registry: which releases exist and where their documents lie. */
export const REGISTRY = 'releases';

export type DocumentCounts = Readonly<Record<Family, number>>;

/** A process that needs a release for a state to come. */
export interface Lease {
  /** Identifies the process. */
  readonly holder: string;
  /** ISO 8601, UTC. A lease that is not renewed until then is over. */
  readonly until: string;
}

/** A readable release. Its id is the release's. */
export interface ReleaseDocument extends CosmosDocument {
  readonly kind: 'release';
  /** The names of the partitions of its documents begin with it. */
  readonly prefix: string;
  readonly facts: ReleaseFacts;
  readonly documents: DocumentCounts;
  readonly shape: RecordShape;
  /** Where its artifacts and directories lie. */
  readonly contents: Readonly<Record<string, ContentReference>>;
  readonly holders: readonly Lease[];
}

/** Documents under a prefix that no release names: they are being written or deleted, or were left behind. */
export interface UnfinishedDocument extends CosmosDocument, Lease {
  readonly kind: 'unfinished';
  readonly prefix: string;
  readonly documents: DocumentCounts;
}

/** The name, among the contents of a release, of the list of its source files. */
export const SOURCE_LIST = 'sources';

export interface ListedFile {
  readonly name: string;
  readonly pieces: readonly ContentReference[];
}

/**
 * The names, among the contents of a release, of the first numbers of a family's runs, and of its texts' lengths: those
 * go into answers, which are bounded by bytes (ADR 0054).
 */
export function getDirectoryName(family: Family): string {
  return `${family}.firsts`;
}

export function getLengthsName(family: TextFamily): string {
  return `${family}.lengths`;
}

export interface TermEntry {
  readonly term: string;
  /** Base64 of a serialized record set, or where a large one lies. */
  readonly list: string | ContentReference;
  /** Where the text of a term lies that is stored by its digest. */
  readonly text?: ContentReference;
}

/** A longer term, such as a site whose identifier is a page of text, is stored by its digest. */
const MAX_TERM_LENGTH = 256;

/** A term as it stands in the documents. */
export function toStoredTerm(term: string): string {
  return term.length <= MAX_TERM_LENGTH ? term : `sha256 ${hash('sha256', term)}`;
}

/** An unsigned number of 32 bits that spreads stored terms evenly over buckets. */
export function hashTerm(stored: string): number {
  return hash('sha256', stored, 'buffer').readUInt32BE(0);
}

/** The number of the bucket of a term with this hash, of as many as the release has. */
export function findBucket(hash: number, buckets: number): number {
  return Math.floor((hash * buckets) / 0x100000000);
}

type Members = Readonly<Record<string, unknown>>;

/** Members, or those that differ; a text that cannot stand so, or base64 of bytes; or where a large one lies. */
type ChunkEntry = Members | string | ContentReference;

export interface RecordChunk {
  /** The number of the first record. */
  readonly first: number;
  readonly records: readonly ChunkEntry[];
  /** Lists of numbers of lookups that records refer to. */
  readonly lookups: readonly (readonly number[])[];
  /** For each record the index of its list; left out when there is only one list. */
  readonly lookupsOf?: readonly number[];
}

/** With what the service adds to a document, it has 3.2 KB and costs 1.2 request units to read. */
const RECORD_CHUNK_BYTES = 3072;

/** The bytes of a document around its records. */
const FRAME_BYTES = 190;

/** A larger first record would make the release's own document dear to read. */
const MAX_BASE_BYTES = 8192;

export class RecordChunkBuilder {
  private members: readonly string[] | undefined;
  private base: Members = {};
  /** The record that the next one is compared with. */
  private previous: Members = {};
  private first = 0;
  private records: ChunkEntry[] = [];
  private readonly lists = new Map<string, number>();
  private lookups: (readonly number[])[] = [];
  private lookupsOf: number[] = [];
  private bytes = FRAME_BYTES;

  /** `addContent` stores a large record in pieces. The cost model of the benchmark varies `runBytes`. */
  constructor(
    private readonly addContent: (content: Uint8Array) => ContentReference,
    private readonly chunkBytes = RECORD_CHUNK_BYTES,
  ) {}

  /** Returns the run that is full before this record, if there is one. */
  add(json: string, references: readonly number[]): RecordChunk | undefined {
    const members = this.readShapedMembers(json);
    const list = references.join();
    const otherBytes = 1 + (this.lists.has(list) ? 2 : list.length + 5);
    let entry = members === undefined ? toTextEntry(json, this.addContent) : findDifference(this.previous, members);
    const isFull = this.records.length > 0 && this.bytes + documentBytes(entry) + otherBytes > this.chunkBytes;
    const full = isFull ? this.endChunk() : undefined;
    if (members !== undefined) {
      // The first record of a run is compared with the base.
      if (isFull) entry = findDifference(this.previous, members);
      this.previous = members;
    }
    this.records.push(entry);
    this.lookupsOf.push(getOrAdd(this.lists, list, () => this.lookups.push([...references]) - 1));
    this.bytes += documentBytes(entry) + otherBytes;
    return full;
  }

  /** Ends and returns the run under way; undefined when nothing was added since the last one. */
  endChunk(): RecordChunk | undefined {
    if (this.records.length === 0) return undefined;
    const { first, records, lookups, lookupsOf } = this;
    this.first += records.length;
    this.records = [];
    this.lists.clear();
    this.lookups = [];
    this.lookupsOf = [];
    this.previous = this.base;
    this.bytes = FRAME_BYTES;
    return { first, records, lookups, ...(lookups.length === 1 ? {} : { lookupsOf }) };
  }

  shape(): RecordShape {
    return { members: this.members ?? [], base: this.base };
  }

  /** The members of a record that has the names of the release's first record, in their order. */
  private readShapedMembers(json: string): Members | undefined {
    const record = parsePlainObject(json);
    if (record === undefined) return undefined;
    const names = Object.keys(record);
    if (this.members === undefined) {
      this.members = names;
      const present = Object.entries(record).filter(([, value]) => value !== null);
      if (json.length <= MAX_BASE_BYTES) this.base = Object.fromEntries(present);
      this.previous = this.base;
    }
    const { members } = this;
    return names.length === members.length && names.every((name, position) => name === members[position])
      ? record
      : undefined;
  }
}

/** The JSON texts of some records of a run, by their ascending indexes; or where a large one lies. */
export function readRecordChunk(
  { records: entries }: RecordChunk,
  { members, base }: RecordShape,
  indexes: Uint32Array,
): readonly (string | ContentReference)[] {
  const indexOf = new Map(members.map((name, index) => [name, index]));
  const memberTexts = members.map((name) => formatMember(name, base[name] ?? null));
  const records: (string | ContentReference)[] = [];
  let next = 0;
  for (const [index, entry] of entries.entries()) {
    if (next === indexes.length) break;
    if (isMembers(entry)) {
      for (const [name, value] of Object.entries(entry)) {
        const member = indexOf.get(name);
        if (member !== undefined) memberTexts[member] = formatMember(name, value);
      }
    }
    if (index !== indexes[next]) continue;
    next++;
    records.push(isMembers(entry) ? `{${memberTexts.join(',')}}` : entry);
  }
  return records;
}

/** The numbers of the lookups that a record of a run refers to. */
export function readLookupNumbers({ lookups, lookupsOf: lists }: RecordChunk, index: number): readonly number[] {
  // Without `lookupsOf` all records have the only list.
  const ordinal = lists === undefined ? 0 : lists[index];
  const list = ordinal === undefined ? undefined : lookups[ordinal];
  if (list === undefined) throw new Error('a run of records lacks a list of lookups');
  return list;
}

function findDifference(previous: Members, record: Members): Members {
  return Object.fromEntries(Object.entries(record).filter(([name, value]) => !isSame(previous[name] ?? null, value)));
}

function isSame(a: unknown, b: unknown): boolean {
  return a === b || (typeof a === 'object' && typeof b === 'object' && JSON.stringify(a) === JSON.stringify(b));
}

function formatMember(name: string, value: unknown): string {
  return `${JSON.stringify(name)}:${JSON.stringify(value)}`;
}

function isMembers(entry: ChunkEntry): entry is Members {
  return typeof entry === 'object' && !Array.isArray(entry);
}

interface FragmentChunk {
  readonly first: number;
  readonly items: readonly ChunkEntry[];
}

/** About eight sites. Larger runs make scattered sites dearer to read, smaller ones those of a year. */
const FRAGMENT_CHUNK_BYTES = 8192;

export class FragmentChunkBuilder {
  private first = 0;
  private items: ChunkEntry[] = [];
  private bytes = 0;

  constructor(private readonly addContent: (content: Uint8Array) => ContentReference) {}

  add(content: string | Uint8Array): FragmentChunk | undefined {
    const entry = this.toEntry(content);
    const bytes = documentBytes(entry) + 1;
    const full = this.items.length > 0 && this.bytes + bytes > FRAGMENT_CHUNK_BYTES ? this.endChunk() : undefined;
    this.items.push(entry);
    this.bytes += bytes;
    return full;
  }

  endChunk(): FragmentChunk | undefined {
    if (this.items.length === 0) return undefined;
    const { first, items } = this;
    this.first += items.length;
    this.items = [];
    this.bytes = 0;
    return { first, items };
  }

  private toEntry(content: string | Uint8Array): ChunkEntry {
    if (typeof content === 'string') return parsePlainObject(content) ?? toTextEntry(content, this.addContent);
    const text = Buffer.from(content).toString('base64');
    return text.length <= INLINE_BYTES ? text : this.addContent(content);
  }
}

function toTextEntry(text: string, addContent: (content: Uint8Array) => ContentReference): ChunkEntry {
  return documentBytes(text) <= INLINE_BYTES ? text : addContent(Buffer.from(text));
}

/** The fragment's bytes, or where they lie. `encoding` is that of texts which are no objects. */
export function readFragment(entry: ChunkEntry, encoding: 'utf8' | 'base64'): Uint8Array | ContentReference {
  // Copied, because small Buffers lie in shared memory and are not aligned.
  if (typeof entry === 'string') return new Uint8Array(Buffer.from(entry, encoding));
  return isMembers(entry) ? Buffer.from(JSON.stringify(entry)) : entry;
}

/** JSON.stringify writes lone surrogates as escapes; the service keeps texts as UTF-8, which has none. */
const LONE_SURROGATE = /\\ud[89a-f]/i;

/** No data member has this name, and an object made from it would get a prototype. */
const PROTOTYPE = '"__proto__"';

/** Undefined for a text that is no object or would come back with other bytes: -0, 1.0, spaces, one name twice. */
function parsePlainObject(json: string): Members | undefined {
  if (!json.startsWith('{') || Buffer.byteLength(json) > INLINE_BYTES) return undefined;
  if (LONE_SURROGATE.test(json) || json.includes(PROTOTYPE)) return undefined;
  try {
    const value: unknown = JSON.parse(json);
    // A text that starts with a brace is an object.
    return JSON.stringify(value) === json ? (value as Members) : undefined;
  } catch {
    return undefined;
  }
}
