// Neighbouring records share a document. Of each record only those members are written that differ from the record before it
// (the first of a document: from the release's `base`), because neighbours differ in two to four of their 26 members: a record of
// 870 bytes takes 110, and a page costs a sixth. See docs/adr/0025-cosmos-documents.md for the sizes and the figures.

import type { ContentReference } from './documents';
import { INLINE_BYTES } from './documents';
import { plainObject, quotedBytes } from './plain-json';

type Members = Readonly<Record<string, unknown>>;

/** An object of members; the JSON text of a record that has other members than the rest; where a large one lies. */
export type RecordEntry = Members | string | ContentReference;

export interface RecordRun {
  /** The number of the first record. */
  readonly first: number;
  readonly records: readonly RecordEntry[];
  /** Lists of the numbers of lookups that records refer to. */
  readonly lookups: readonly (readonly number[])[];
  /** For each record its list; left out when all have the only one. */
  readonly lookupsOf?: readonly number[];
}

/** What all runs of a release are written against. */
export interface RecordShape {
  /** The names of the members, in the order of the answer. */
  readonly members: readonly string[];
  /** The first record of the release without its nulls. */
  readonly base: Members;
}

/** With what the service adds to a document it has 3.2 KB and costs 1.2 request units to read. */
const RUN_BYTES = 3072;

/** Of a document's own members: id, partition, first and the names of the others. */
const FRAME_BYTES = 190;

/** A larger first record would make the release's own document dear to read. */
const MOST_BASE_BYTES = 8192;

export class RecordPacker {
  private members: readonly string[] | undefined;
  private base: Members = {};
  private former: Members = {};
  private first = 0;
  private records: RecordEntry[] = [];
  private readonly lists = new Map<string, number>();
  private lookups: (readonly number[])[] = [];
  private lookupsOf: number[] = [];
  private bytes = FRAME_BYTES;

  /** `runBytes` is what the model of costs varies. */
  constructor(
    private readonly addContent: (content: Uint8Array) => ContentReference,
    private readonly runBytes = RUN_BYTES,
  ) {}

  /** Returns the run that is full before this record, if there is one. */
  add(json: string, references: readonly number[]): RecordRun | undefined {
    const plain = this.ofThisShape(json);
    const listed = this.lists.has(references.join()) ? 2 : references.join().length + 5;
    let entry = this.entryOf(plain, json);
    let bytes = entryBytes(entry) + listed;
    let full: RecordRun | undefined;
    if (this.records.length > 0 && this.bytes + bytes > this.runBytes) {
      full = this.take();
      if (plain !== undefined) {
        entry = difference(this.members ?? [], this.former, plain);
        bytes = entryBytes(entry) + listed;
      }
    }
    this.records.push(entry);
    this.lookupsOf.push(this.listOf(references));
    this.bytes += bytes;
    if (plain !== undefined) this.former = plain;
    return full;
  }

  /** The run under way, or undefined when nothing was added since the last. */
  take(): RecordRun | undefined {
    if (this.records.length === 0) return undefined;
    const { first, records, lookups, lookupsOf } = this;
    this.first += records.length;
    this.records = [];
    this.lists.clear();
    this.lookups = [];
    this.lookupsOf = [];
    this.former = this.base;
    this.bytes = FRAME_BYTES;
    return { first, records, lookups, ...(lookups.length === 1 ? {} : { lookupsOf }) };
  }

  shape(): RecordShape {
    return { members: this.members ?? [], base: this.base };
  }

  private ofThisShape(json: string): Members | undefined {
    const plain = plainObject(json);
    if (plain === undefined) return undefined;
    const names = Object.keys(plain);
    if (this.members === undefined) {
      this.members = names;
      if (json.length <= MOST_BASE_BYTES) this.base = withoutNulls(plain);
      this.former = this.base;
    }
    const { members } = this;
    return names.length === members.length && names.every((name, at) => name === members[at]) ? plain : undefined;
  }

  private entryOf(plain: Members | undefined, json: string): RecordEntry {
    if (plain !== undefined) return difference(this.members ?? [], this.former, plain);
    return quotedBytes(json) <= INLINE_BYTES ? json : this.addContent(Buffer.from(json));
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

/** The JSON texts of some records of a run, by their ascending indexes, or where they lie. */
export function readRecordRun(
  { records }: RecordRun,
  { members, base }: RecordShape,
  indexes: Uint32Array,
): readonly (string | ContentReference)[] {
  const places = new Map(members.map((name, at) => [name, at]));
  const texts = members.map((name) => memberText(name, base[name] ?? null));
  const found: (string | ContentReference)[] = [];
  let next = 0;
  for (const [index, entry] of records.entries()) {
    if (next === indexes.length) break;
    if (isMembers(entry)) {
      for (const [name, value] of Object.entries(entry)) {
        const place = places.get(name);
        if (place !== undefined) texts[place] = memberText(name, value);
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
  return lookups[lists?.[index] ?? 0] ?? [];
}

function difference(members: readonly string[], former: Members, record: Members): Members {
  const changed: Record<string, unknown> = {};
  for (const name of members) {
    const value = record[name] ?? null;
    if (!isSame(former[name] ?? null, value)) changed[name] = value;
  }
  return changed;
}

function isSame(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  return JSON.stringify(a) === JSON.stringify(b);
}

function withoutNulls(record: Members): Members {
  return Object.fromEntries(Object.entries(record).filter(([, value]) => value !== null));
}

function memberText(name: string, value: unknown): string {
  return `${JSON.stringify(name)}:${JSON.stringify(value)}`;
}

function entryBytes(entry: RecordEntry): number {
  return Buffer.byteLength(JSON.stringify(entry)) + 1;
}

function isMembers(entry: RecordEntry): entry is Members {
  return typeof entry === 'object' && !Array.isArray(entry);
}
