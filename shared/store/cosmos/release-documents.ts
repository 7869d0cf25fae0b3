// Reads the documents of one release by their numbers. Documents that every page of a full traversal needs are read
// once and cached, within a limit in bytes for all releases. Simultaneous requests for the same document share one
// read. A document is checked against its digest (ADR 0050); documents of the index only when they are first read.

import { zstdDecompressSync } from 'node:zlib';
import { ownBytes } from '../../values/bytes/own-bytes';
import type { LeastRecentlyUsedCache } from '../../values/least-recently-used-cache';
import { getOrAdd } from '../../values/maps';
import { numberAt } from '../../values/number-arrays';
import { DamagedReleaseError } from '../damaged-release';
import { awaitUntilDeadline, withoutDeadline } from '../deadline';
import { ReleaseGoneError, type TextFamily } from '../port';
import type { CosmosCalls } from './calls';
import { type DataDocument, type DataOwner, type DataTexts, readDataDocument } from './data-documents';
import {
  type ContentReference,
  type CosmosDocument,
  countJsonBytes,
  type Family,
  getPartition,
  type IndexFamily,
  isDataFamily,
  PIECE_BYTES,
} from './document-names';
import { type IndexDocument, isIndexIntact } from './index-documents';
import { MemberOrders } from './member-orders';
import { LISTED_IDS, listIds, QUERIES } from './queries';
import type { ReleaseDocument } from './registry-documents';

/** Directories, documents and large contents of all releases. */
export type DocumentCache = LeastRecentlyUsedCache<object>;

export interface DocumentCaches {
  /** Data that most requests reuse: directories, lookups, geometries. */
  readonly lasting: DocumentCache;
  /** Records, which a request may need twice: for their lengths and for their texts. */
  readonly records: DocumentCache;
}

/** The type of a family's documents after they were read. */
export type DocumentOf<Name extends Family> = Name extends TextFamily
  ? DataTexts
  : Name extends IndexFamily
    ? IndexDocument<Name>
    : never;

/** Fewer neighbors than this are read one by one, because a query has its own charge. */
const MIN_QUERIED_DOCUMENTS = 4;

/** For reading a whole family: takes 0.5 to 3 MB of memory. */
const DOCUMENTS_AT_ONCE = 160;

/** Memory of a text besides its characters, including the numbers of its lookups. */
const TEXT_BYTES = 64;

/** Memory of parsed JSON, relative to its text. */
const PARSED_FACTOR = 3;

/** Documents of one partition that are read together, by their ascending numbers. */
interface DocumentGroup {
  readonly numbers: readonly number[];
  readonly areNeighbors: boolean;
}

export class ReleaseDocuments {
  /** Whether documents of the release were missing, because it was deleted or is damaged. */
  lacksDocuments = false;
  /** Whether a damaged document was read. */
  isDamaged = false;
  readonly orders: MemberOrders;
  private readonly owner: DataOwner;
  private readonly pendingReads = new Map<string, Promise<object>>();
  /** For each family, a byte per document: 1 once the document was read and was intact. */
  private readonly intact = new Map<IndexFamily, Uint8Array>();

  constructor(
    readonly release: ReleaseDocument,
    private readonly calls: CosmosCalls,
    private readonly caches: DocumentCaches,
  ) {
    const { organization, dataSet, releaseId } = release.facts;
    this.orders = new MemberOrders(release.orders);
    this.owner = { organization: organization.OrganizationUUID, dataSet, release: releaseId };
  }

  /**
   * Reads documents of records or lookups by their ascending numbers. `firsts` has the number of the first text of each
   * document.
   */
  async readData<Name extends TextFamily>(
    family: Name,
    numbers: readonly number[],
    firsts: Uint32Array,
  ): Promise<readonly DocumentOf<Name>[]> {
    const missing = numbers.filter((number) => this.findKnown(family, String(number)) === undefined);
    const reads = new Map<number, Promise<DocumentOf<Name>>>();
    for (const group of splitIntoGroups(missing, this.release.prefix, family)) {
      const reading = withoutDeadline(() => this.readGroup(family, group, firsts));
      for (const [index, number] of group.numbers.entries()) {
        reads.set(
          number,
          reading.then((documents) => getDocument(documents, index)),
        );
      }
      // A failure is reported to the reader of each document.
      reading.catch(() => undefined);
    }
    const read = (number: number): Promise<DocumentOf<Name>> => reads.get(number) ?? this.readOne(family, number);
    return Promise.all(numbers.map((number) => this.getCached(family, String(number), () => read(number))));
  }

  /** Reads a document through the cache. */
  readCached<Name extends IndexFamily>(family: Name, number: number): Promise<DocumentOf<Name>> {
    return this.getCached(family, String(number), () => this.readOne(family, number));
  }

  /** Reads documents in the order of the numbers, without caching them. */
  async readEach<Name extends Family>(family: Name, numbers: readonly number[]): Promise<readonly DocumentOf<Name>[]> {
    return Promise.all(numbers.map((number) => this.readOne(family, number)));
  }

  /** Reads all documents of a family in batches, without caching them. */
  async *readAll<Name extends IndexFamily>(family: Name): AsyncIterable<DocumentOf<Name>> {
    const count = this.release.documents[family];
    for (let from = 0; from < count; from += DOCUMENTS_AT_ONCE) {
      const numbers = Array.from({ length: Math.min(DOCUMENTS_AT_ONCE, count - from) }, (_, index) => from + index);
      yield* await this.readEach(family, numbers);
    }
  }

  /** Reads all documents of records or lookups with queries, without caching them. */
  async *readAllData<Name extends TextFamily>(family: Name, firsts: Uint32Array): AsyncIterable<DocumentOf<Name>> {
    const numbers = Array.from(firsts.keys());
    for (const run of splitIntoRuns(numbers, this.release.prefix, family)) {
      yield* await this.readGroup(family, { numbers: run, areNeighbors: true }, firsts);
    }
  }

  /** Reads content that is stored in pieces. */
  async content([piece, bytes, isCompressed]: ContentReference): Promise<Uint8Array> {
    const numbers = Array.from({ length: Math.ceil(bytes / PIECE_BYTES) }, (_, index) => piece + index);
    const pieces = await this.readEach('pieces', numbers);
    const stored = Buffer.concat(pieces.map(({ content }) => Buffer.from(content, 'base64')));
    if (stored.length !== bytes) throw this.reportDamage();
    // Copied, because callers keep the bytes. Returned as a Uint8Array, because slices of a Buffer would share its
    // memory.
    return new Uint8Array(ownBytes(isCompressed === 1 ? zstdDecompressSync(stored) : stored).buffer);
  }

  /** Reads a geometry or a lookup that is stored in pieces. */
  largeFragment(reference: ContentReference): Promise<Uint8Array> {
    return this.getCached('pieces', `fragment ${reference[0]}`, () => this.content(reference));
  }

  /** Reads numbers about the documents of a family, such as a directory. Does not cache them. */
  async readNumbers(name: string): Promise<Uint32Array> {
    const reference = this.release.contents[name];
    if (reference === undefined) throw new Error(`a release without ${name}`);
    // A copy is aligned, as a Uint32Array requires.
    return new Uint32Array(new Uint8Array(await this.content(reference)).buffer);
  }

  /** Computes a value and caches it under a name, like the documents. */
  derive<Value extends object>(name: string, build: () => Promise<Value>): Promise<Value> {
    return this.getCached('pieces', name, build);
  }

  private async readOne<Name extends Family>(family: Name, number: number): Promise<DocumentOf<Name>> {
    const place = getPartition(this.release.prefix, family, number);
    const stored = await this.calls.read<CosmosDocument>(place, String(number));
    return this.check(family, number, stored?.document);
  }

  private async readGroup<Name extends TextFamily>(
    family: Name,
    { numbers, areNeighbors }: DocumentGroup,
    firsts: Uint32Array,
  ): Promise<readonly DocumentOf<Name>[]> {
    const [from = 0] = numbers;
    if (numbers.length < MIN_QUERIED_DOCUMENTS) return this.readEach(family, numbers);
    const end = firsts[from + numbers.length] ?? Number.MAX_SAFE_INTEGER;
    const query = areNeighbors
      ? { text: QUERIES.neighbors, parameters: { from: numberAt(firsts, from), to: end } }
      : { text: QUERIES.listed, parameters: listIds(numbers.map(String)) };
    const found = await this.calls.query<CosmosDocument>(getPartition(this.release.prefix, family, from), query);
    const byId = new Map(found.map((document) => [document.id, document]));
    return numbers.map((number) => this.check(family, number, byId.get(String(number))));
  }

  /** Throws if the document is missing or damaged. */
  private check<Name extends Family>(
    family: Name,
    number: number,
    document: CosmosDocument | undefined,
  ): DocumentOf<Name> {
    if (document === undefined) {
      this.lacksDocuments = true;
      throw new ReleaseGoneError();
    }
    const read = this.readContent(family, number, document);
    if (read === undefined) throw this.reportDamage();
    return read as DocumentOf<Name>; // The digest shows that it is what this adapter wrote.
  }

  /**
   * Returns the content of a document for callers; undefined if the document is damaged (its digest does not match).
   */
  private readContent(family: Family, number: number, document: CosmosDocument): object | undefined {
    // `document` belongs to the family. The digest shows whether it is damaged.
    if (isDataFamily(family)) return readDataDocument(document as DataDocument, this.owner, this.orders);
    const intact = getOrAdd(this.intact, family, () => new Uint8Array(this.release.documents[family]));
    if (intact[number] === 1) return document;
    if (!isIndexIntact(family, number, document as IndexDocument<IndexFamily>)) return undefined;
    intact[number] = 1;
    return document;
  }

  private reportDamage(): DamagedReleaseError {
    this.isDamaged = true;
    return new DamagedReleaseError('a release document does not match its checksum', {
      releaseId: this.owner.release,
    });
  }

  private async getCached<Value extends object>(
    family: Family,
    name: string,
    read: () => Promise<Value>,
  ): Promise<Value> {
    const known = this.findKnown(family, name);
    // The code below caches values of this type under this name.
    if (known !== undefined) return (known instanceof Promise ? await awaitUntilDeadline(known) : known) as Value;
    const key = this.buildCacheKey(family, name);
    const reading = withoutDeadline(async () => {
      try {
        const value = await read();
        const bytes = countBytes(value);
        this.getCache(family).set(key, value, bytes);
        return value;
      } finally {
        this.pendingReads.delete(key);
      }
    });
    this.pendingReads.set(key, reading);
    return awaitUntilDeadline(reading);
  }

  private findKnown(family: Family, name: string): object | undefined {
    const key = this.buildCacheKey(family, name);
    return this.getCache(family).get(key) ?? this.pendingReads.get(key);
  }

  private getCache(family: Family): DocumentCache {
    return family === 'records' ? this.caches.records : this.caches.lasting;
  }

  private buildCacheKey(family: Family, name: string): string {
    return `${this.release.prefix}/${family}/${name}`;
  }
}

/** Approximate memory of a directory, a large fragment or a document. */
function countBytes(value: object): number {
  if (ArrayBuffer.isView(value)) return value.byteLength;
  if (isDataTexts(value)) return value.texts.reduce((sum, text) => sum + TEXT_BYTES + text.length, 0);
  const views = Object.values(value).filter((member) => ArrayBuffer.isView(member));
  if (views.length > 0) return views.reduce((sum, { byteLength }) => sum + byteLength, 0);
  return PARSED_FACTOR * countJsonBytes(value);
}

/**
 * Splits documents into groups that one query can read: runs of neighbors, and lists of scattered documents. `numbers`
 * are ascending.
 */
function splitIntoGroups(numbers: readonly number[], prefix: string, family: Family): readonly DocumentGroup[] {
  const runs = splitIntoRuns(numbers, prefix, family);
  const long = runs.filter(({ length }) => length >= MIN_QUERIED_DOCUMENTS);
  const scattered = runs.filter(({ length }) => length < MIN_QUERIED_DOCUMENTS).flat();
  const byPartition = Map.groupBy(scattered, (number) => getPartition(prefix, family, number).partition);
  return [
    ...long.map((run) => ({ numbers: run, areNeighbors: true })),
    ...[...byPartition.values()].flatMap(splitIntoLists).map((list) => ({ numbers: list, areNeighbors: false })),
  ];
}

function splitIntoLists(numbers: readonly number[]): readonly (readonly number[])[] {
  const count = Math.ceil(numbers.length / LISTED_IDS);
  return Array.from({ length: count }, (_, index) => numbers.slice(index * LISTED_IDS, (index + 1) * LISTED_IDS));
}

/** Splits documents into runs of neighbors in one partition that one query can read. */
function splitIntoRuns(numbers: readonly number[], prefix: string, family: Family): readonly (readonly number[])[] {
  const runs: number[][] = [];
  let previous: number | undefined;
  let partition = '';
  for (const number of numbers) {
    const last = runs.at(-1);
    const place = getPartition(prefix, family, number).partition;
    const continues = number - 1 === previous && place === partition && (last?.length ?? 0) < LISTED_IDS;
    if (continues) last?.push(number);
    else runs.push([number]);
    previous = number;
    partition = place;
  }
  return runs;
}

function isDataTexts(value: object): value is DataTexts {
  return 'texts' in value;
}

function getDocument<Document>(documents: readonly Document[], index: number): Document {
  const document = documents[index];
  if (document === undefined) throw new Error('a document of a release was not read');
  return document;
}
