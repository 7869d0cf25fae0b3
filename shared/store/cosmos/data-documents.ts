// Documents of the container `data`: neighboring records, or neighboring lookups of one kind, as the objects that
// answers contain. People query them (docs/cosmos.md), so nothing is omitted or encoded.

import { crc32 } from 'node:zlib';
import type { DataSetKind } from '../../records/data-sets';
import type { LookupKind } from '../../records/lookups';
import { getOrAdd } from '../../values/maps';
import {
  type AddContent,
  type ContentReference,
  type CosmosDocument,
  countJsonBytes,
  DATA_DOCUMENT_BYTES,
  MAX_OBJECT_BYTES,
  SERVICE_BYTES,
} from './document-names';
import type { MemberOrders } from './member-orders';

type Members = Readonly<Record<string, unknown>>;

/**
 * A record or lookup: an object; or its JSON text, if the object would not have the same JSON after a round trip; or
 * the location of a large one.
 */
export type DataEntry = Members | string | ContentReference;

/** Members for queries: organization, data set and release. */
export interface DataOwner {
  /** OrganizationUUID. */
  readonly organization: string;
  readonly dataSet: DataSetKind;
  /** The id of the release. */
  readonly release: string;
}

interface DataContent {
  /** The number of the first record or lookup. */
  readonly first: number;
  /** CRC-32 of `first`, the texts and the references. */
  readonly digest: number;
}

export interface RecordsContent extends DataContent {
  readonly records: readonly DataEntry[];
  /** Lists of numbers of lookups that records refer to. */
  readonly references: readonly (readonly number[])[];
  /** For each record, the index of its list. Omitted if there is only one list. */
  readonly referencesOf?: readonly number[];
}

export interface LookupsContent extends DataContent {
  readonly items: readonly DataEntry[];
}

export interface RecordsDocument extends CosmosDocument, DataOwner, RecordsContent {
  readonly kind: 'records';
}

export interface LookupsDocument extends CosmosDocument, DataOwner, LookupsContent {
  readonly kind: (typeof LOOKUP_DOCUMENT_KINDS)[LookupKind] | 'lookups';
}

export type DataDocument = RecordsDocument | LookupsDocument;

export const LOOKUP_DOCUMENT_KINDS = {
  VariableSpecifics: 'variables',
  Methods: 'methods',
  BeneficialUses: 'beneficialUses',
  WaterSources: 'waterSources',
  Sites: 'sites',
  ReportingUnits: 'reportingUnits',
} as const satisfies Readonly<Record<LookupKind, string>>;

/** The bytes of names and braces around the content: id, partition, owner, kind, first, digest. */
const FRAME_BYTES = 420;

const CONTENT_BYTES = DATA_DOCUMENT_BYTES - SERVICE_BYTES - FRAME_BYTES;

/** The entry of a document in a directory. */
export interface DocumentSize {
  readonly texts: number;
  /** The bytes of the texts, without separators. */
  readonly bytes: number;
}

/** Collects neighboring texts until a document is full. */
export class DataDocumentBuilder {
  private first = 0;
  private entries: DataEntry[] = [];
  private textBytes = 0;
  private readonly listIndexes = new Map<string, number>();
  private references: (readonly number[])[] = [];
  private referencesOf: number[] = [];
  private contentBytes = 0;
  /** Whether the document contains a text that is stored in pieces. */
  private isLarge = false;

  /** `end` is called with each full document. Only the cost model sets `maxContentBytes`. */
  constructor(
    private readonly orders: MemberOrders,
    private readonly addContent: AddContent,
    private readonly end: (content: RecordsContent, size: DocumentSize) => void,
    private readonly maxContentBytes = CONTENT_BYTES,
  ) {}

  add(text: string, references: readonly number[] = []): void {
    const entry = this.toEntry(text);
    const list = references.join();
    const bytes = countJsonBytes(entry) + 4 + (this.listIndexes.has(list) ? 0 : list.length + 3);
    // A text in pieces gets its own document, so that its length is known before it is read.
    const isFull = this.isLarge || Array.isArray(entry) || this.contentBytes + bytes > this.maxContentBytes;
    if (this.entries.length > 0 && isFull) this.endDocument();
    this.isLarge = Array.isArray(entry);
    this.entries.push(entry);
    this.referencesOf.push(getOrAdd(this.listIndexes, list, () => this.references.push([...references]) - 1));
    this.contentBytes += bytes;
    this.textBytes += Buffer.byteLength(text);
  }

  /** Ends the current document, if there is one. */
  endDocument(): void {
    const { first, entries, references, referencesOf, textBytes } = this;
    if (entries.length === 0) return;
    const lists = references.length === 1 ? { references } : { references, referencesOf };
    const texts = entries.map((entry) => (isMembers(entry) ? this.orders.write(entry) : entry));
    const digest = digestTexts(first, entries, texts, lists);
    this.end({ first, digest, records: entries, ...lists }, { texts: entries.length, bytes: textBytes });
    this.first += entries.length;
    this.entries = [];
    this.textBytes = 0;
    this.listIndexes.clear();
    this.references = [];
    this.referencesOf = [];
    this.contentBytes = 0;
  }

  private toEntry(text: string): DataEntry {
    const isSmall = Buffer.byteLength(text) <= MAX_OBJECT_BYTES;
    const object = isSmall ? this.orders.parse(text) : undefined;
    if (object !== undefined) return object;
    return isSmall && countJsonBytes(text) <= MAX_OBJECT_BYTES ? text : this.addContent(Buffer.from(text));
  }
}

/** The lookups that the records of a document refer to. */
type References = Pick<RecordsContent, 'references' | 'referencesOf'>;

/** The references in a document of lookups, which refer to nothing. */
const NO_REFERENCES: References = { references: [[]] };

/** The usable content of a document. */
export interface DataTexts extends References {
  /** The JSON texts of its records or lookups, or the locations of large ones. */
  readonly texts: readonly (string | ContentReference)[];
}

/** Returns the texts of a document; undefined if the document is damaged (its digest does not match). */
export function readDataDocument(
  document: DataDocument,
  { release }: DataOwner,
  orders: MemberOrders,
): DataTexts | undefined {
  const { references, referencesOf }: References = 'records' in document ? document : NO_REFERENCES;
  const entries = 'records' in document ? document.records : document.items;
  const lists: readonly unknown[] = [entries, references];
  if (document.release !== release || !lists.every(Array.isArray)) return undefined;
  const known = referencesOf === undefined ? { references } : { references, referencesOf };
  const texts = entries.map((entry) => (isMembers(entry) ? orders.write(entry) : entry));
  return digestTexts(document.first, entries, texts, known) === document.digest ? { texts, ...known } : undefined;
}

/** Digests the texts in our own serialization, which does not depend on how the service serializes them. */
function digestTexts(
  first: number,
  entries: readonly DataEntry[],
  texts: DataTexts['texts'],
  { references, referencesOf = [] }: References,
): number {
  let digest = crc32(JSON.stringify([first, references, referencesOf]));
  for (const [index, text] of texts.entries()) {
    const entry = entries[index];
    const isObject = typeof text === 'string' && entry !== text;
    digest = crc32(isObject ? text : JSON.stringify(entry), digest);
  }
  return digest;
}

/** Reads the numbers of the lookups that a record of a document refers to. */
export function readReferences({ references, referencesOf }: References, index: number): readonly number[] {
  const ordinal = referencesOf === undefined ? 0 : referencesOf[index];
  const list = ordinal === undefined ? undefined : references[ordinal];
  if (list === undefined) throw new Error('a document of records lacks a list of lookups');
  return list;
}

function isMembers(entry: DataEntry): entry is Members {
  return typeof entry === 'object' && !Array.isArray(entry);
}
