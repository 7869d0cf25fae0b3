// Neighbouring records, and neighbouring lookups or geometries, share a document. A record is written as the members
// that differ from the record before it; the first of a document, as those that differ from the release's `base`.
// Neighbours differ in two to four of 26 members, so that a record of 870 bytes takes 110, and a page costs a sixth
// (docs/adr/0025-cosmos-documents.md).

import { INLINE_BYTES, type ContentReference, type RecordShape } from './documents';

type Members = Readonly<Record<string, unknown>>;

/** Members, or those that differ; a text that cannot stand so, or base64 of bytes; or where a large one lies. */
type RunEntry = Members | string | ContentReference;

export interface RecordRun {
  /** The number of the first record. */
  readonly first: number;
  readonly records: readonly RunEntry[];
  /** Lists of numbers of lookups that records refer to. */
  readonly lookups: readonly (readonly number[])[];
  /** For each record the index of its list; left out when there is only one list. */
  readonly lookupsOf?: readonly number[];
}

/** With what the service adds to a document, it has 3.2 KB and costs 1.2 request units to read. */
const RECORD_RUN_BYTES = 3072;

/** The bytes of a document around its records. */
const FRAME_BYTES = 190;

/** A larger first record would make the release's own document dear to read. */
const MAX_BASE_BYTES = 8192;

export class RecordRunBuilder {
  private members: readonly string[] | undefined;
  private base: Members = {};
  /** The record that the next one is compared with. */
  private previous: Members = {};
  private first = 0;
  private records: RunEntry[] = [];
  private readonly lists = new Map<string, number>();
  private lookups: (readonly number[])[] = [];
  private lookupsOf: number[] = [];
  private bytes = FRAME_BYTES;

  /** `addContent` stores a large record in pieces. The cost model of the benchmark varies `runBytes`. */
  constructor(
    private readonly addContent: (content: Uint8Array) => ContentReference,
    private readonly runBytes = RECORD_RUN_BYTES,
  ) {}

  /** Returns the run that is full before this record, if there is one. */
  add(json: string, references: readonly number[]): RecordRun | undefined {
    const plain = this.membersOfShape(json);
    const listBytes = this.lists.has(references.join()) ? 2 : references.join().length + 5;
    let entry = this.entryOf(plain, json);
    let bytes = quotedBytes(entry) + 1 + listBytes;
    let full: RecordRun | undefined;
    if (this.records.length > 0 && this.bytes + bytes > this.runBytes) {
      full = this.take();
      if (plain !== undefined) {
        entry = this.entryOf(plain, json);
        bytes = quotedBytes(entry) + 1 + listBytes;
      }
    }
    this.records.push(entry);
    this.lookupsOf.push(this.listOf(references));
    this.bytes += bytes;
    if (plain !== undefined) this.previous = plain;
    return full;
  }

  /** Ends and returns the run under way; undefined when nothing was added since the last one. */
  take(): RecordRun | undefined {
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
  private membersOfShape(json: string): Members | undefined {
    const plain = plainObject(json);
    if (plain === undefined) return undefined;
    const names = Object.keys(plain);
    if (this.members === undefined) {
      this.members = names;
      const present = Object.entries(plain).filter(([, value]) => value !== null);
      if (json.length <= MAX_BASE_BYTES) this.base = Object.fromEntries(present);
      this.previous = this.base;
    }
    const { members } = this;
    return names.length === members.length && names.every((name, at) => name === members[at]) ? plain : undefined;
  }

  private entryOf(plain: Members | undefined, json: string): RunEntry {
    return plain === undefined ? textEntry(json, this.addContent) : difference(this.previous, plain);
  }

  private listOf(references: readonly number[]): number {
    const key = references.join();
    const known = this.lists.get(key);
    if (known !== undefined) return known;
    this.lists.set(key, this.lookups.length);
    this.lookups.push([...references]);
    return this.lookups.length - 1;
  }
}

/** The JSON texts of some records of a run, by their ascending indexes; or where a large one lies. */
export function readRecordRun(
  { records }: RecordRun,
  { members, base }: RecordShape,
  indexes: Uint32Array,
): readonly (string | ContentReference)[] {
  const indexOf = new Map(members.map((name, index) => [name, index]));
  const texts = members.map((name) => memberText(name, base[name] ?? null));
  const found: (string | ContentReference)[] = [];
  let next = 0;
  for (const [index, entry] of records.entries()) {
    if (next === indexes.length) break;
    if (isMembers(entry)) {
      for (const [name, value] of Object.entries(entry)) {
        const member = indexOf.get(name);
        if (member !== undefined) texts[member] = memberText(name, value);
      }
    }
    if (index !== indexes[next]) continue;
    next++;
    found.push(isMembers(entry) ? `{${texts.join(',')}}` : entry);
  }
  return found;
}

/** The numbers of the lookups that a record of a run refers to. */
export function lookupsOf({ lookups, lookupsOf: lists }: RecordRun, index: number): readonly number[] {
  // Without `lookupsOf` all records have the only list.
  const ordinal = lists === undefined ? 0 : lists[index];
  const list = ordinal === undefined ? undefined : lookups[ordinal];
  if (list === undefined) throw new Error('a run of records lacks a list of lookups');
  return list;
}

function difference(previous: Members, record: Members): Members {
  return Object.fromEntries(Object.entries(record).filter(([name, value]) => !isSame(previous[name] ?? null, value)));
}

function isSame(a: unknown, b: unknown): boolean {
  return a === b || (typeof a === 'object' && typeof b === 'object' && JSON.stringify(a) === JSON.stringify(b));
}

function memberText(name: string, value: unknown): string {
  return `${JSON.stringify(name)}:${JSON.stringify(value)}`;
}

function isMembers(entry: RunEntry): entry is Members {
  return typeof entry === 'object' && !Array.isArray(entry);
}

export interface FragmentRun {
  readonly first: number;
  readonly items: readonly RunEntry[];
}

/** About eight sites. Larger runs make scattered sites dearer to read, smaller ones those of a year. */
const FRAGMENT_RUN_BYTES = 8192;

export class FragmentRunBuilder {
  private first = 0;
  private items: RunEntry[] = [];
  private bytes = 0;

  constructor(private readonly addContent: (content: Uint8Array) => ContentReference) {}

  add(content: string | Uint8Array): FragmentRun | undefined {
    const entry = this.entryOf(content);
    const bytes = quotedBytes(entry) + 1;
    const full = this.items.length > 0 && this.bytes + bytes > FRAGMENT_RUN_BYTES ? this.take() : undefined;
    this.items.push(entry);
    this.bytes += bytes;
    return full;
  }

  take(): FragmentRun | undefined {
    if (this.items.length === 0) return undefined;
    const { first, items } = this;
    this.first += items.length;
    this.items = [];
    this.bytes = 0;
    return { first, items };
  }

  private entryOf(content: string | Uint8Array): RunEntry {
    if (typeof content === 'string') return plainObject(content) ?? textEntry(content, this.addContent);
    const text = Buffer.from(content).toString('base64');
    return text.length <= INLINE_BYTES ? text : this.addContent(content);
  }
}

function textEntry(text: string, addContent: (content: Uint8Array) => ContentReference): RunEntry {
  return quotedBytes(text) <= INLINE_BYTES ? text : addContent(Buffer.from(text));
}

/** The fragment's bytes, or where they lie. `encoding` is that of texts which are no objects. */
export function readFragment(entry: RunEntry, encoding: 'utf8' | 'base64'): Uint8Array | ContentReference {
  // Copied, because small Buffers lie in shared memory and are not aligned.
  if (typeof entry === 'string') return new Uint8Array(Buffer.from(entry, encoding));
  return isMembers(entry) ? Buffer.from(JSON.stringify(entry)) : entry;
}

/** JSON.stringify writes lone surrogates as escapes; the service keeps texts as UTF-8, which has none. */
const LONE_SURROGATE = /\\ud[89a-f]/i;

/** No data member has this name, and an object made from it would get a prototype. */
const PROTOTYPE = '"__proto__"';

/** Undefined for a text that is no object or would come back with other bytes: -0, 1.0, spaces, one name twice. */
function plainObject(json: string): Members | undefined {
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

/** How many bytes a value takes inside a document. */
function quotedBytes(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value));
}
