// Reads the documents of one release, by their numbers. What a walk needs on each of its pages is read once and cached,
// bounded by bytes over all releases. Requests that need the same document at once read it once. A document is checked
// against its digest when it is first read (ADR 0050).

import { zstdDecompressSync } from 'node:zlib';
import { ownBytes } from '../../values/bytes/own-bytes';
import type { LeastRecentlyUsedCache } from '../../values/least-recently-used-cache';
import { getOrAdd } from '../../values/maps';
import { numberAt } from '../../values/number-arrays';
import { DamagedReleaseError } from '../damaged-release';
import { awaitUntilDeadline, withoutDeadline } from '../deadline';
import { ReleaseGoneError, type TextFamily } from '../port';
import type { CosmosCalls } from './calls';
import {
  type DataDocument,
  type DataOwner,
  isDataIntact,
  type LookupsDocument,
  type RecordsDocument,
} from './data-documents';
import {
  type ContentReference,
  type CosmosDocument,
  countJsonBytes,
  type Family,
  getPartition,
  type IndexFamily,
  type Partition,
  PIECE_BYTES,
} from './document-names';
import { type IndexDocument, isIndexIntact } from './index-documents';
import { MemberOrders } from './member-orders';
import type { ReleaseDocument } from './registry-documents';
import { STATEMENTS } from './statements';

/** Directories, documents and large contents of all releases. */
export type DocumentCache = LeastRecentlyUsedCache<object>;

export interface DocumentCaches {
  /** What most requests need again: directories, lookups, geometries. */
  readonly lasting: DocumentCache;
  /** Records, which a request may need twice: for its texts and for their lengths. */
  readonly records: DocumentCache;
}

/** What a family's documents are. */
export type DocumentOf<Name extends Family> = Name extends 'records'
  ? RecordsDocument
  : Name extends 'lookups'
    ? LookupsDocument
    : Name extends IndexFamily
      ? IndexDocument<Name>
      : never;

/** Fewer neighbors are point reads: a query has a charge of its own. */
const MIN_QUERIED_DOCUMENTS = 4;

/** So many documents of records are 1.6 MB; an answer has at most 4 MB, and larger ones come in several pages. */
const QUERIED_DOCUMENTS = 100;

/** For reading from end to end: half a megabyte to 3 MB in memory. */
const DOCUMENTS_AT_ONCE = 160;

/** Parsed JSON takes about this many times its text in memory. */
const PARSED_FACTOR = 3;

/** Neighboring documents, by their numbers. */
interface Range {
  readonly from: number;
  /** Exclusive. */
  readonly to: number;
}

export class ReleaseDocuments {
  /** Whether documents of the release were found missing: it was deleted, or is damaged. */
  lacksDocuments = false;
  /** Whether a document was found that is not as it was written. */
  isDamaged = false;
  readonly orders: MemberOrders;
  private readonly owner: DataOwner;
  private readonly pendingReads = new Map<string, Promise<object>>();
  /** By family, for each document 1 when it was found intact. */
  private readonly intact = new Map<Family, Uint8Array>();

  constructor(
    readonly release: ReleaseDocument,
    private readonly calls: CosmosCalls,
    private readonly caches: DocumentCaches,
  ) {
    const { organization, dataSet, releaseId } = release.facts;
    this.orders = new MemberOrders(release.orders);
    this.owner = { organization: organization.OrganizationUUID, dataSet, release: releaseId };
  }

  /** Documents of records or lookups, by their ascending numbers. `firsts` has the first text of each document. */
  async readData<Name extends TextFamily>(
    family: Name,
    numbers: readonly number[],
    firsts: Uint32Array,
  ): Promise<readonly DocumentOf<Name>[]> {
    const missing = numbers.filter((number) => this.findKnown(family, String(number)) === undefined);
    const reads = new Map<number, Promise<DocumentOf<Name>>>();
    for (const range of splitIntoRanges(missing, this.release.prefix, family)) {
      const reading = withoutDeadline(() => this.readRange(family, range, firsts));
      for (let number = range.from; number < range.to; number++) {
        reads.set(
          number,
          reading.then((documents) => getDocument(documents, number - range.from)),
        );
      }
      // Each document's reader hears of a failure.
      reading.catch(() => undefined);
    }
    const read = (number: number): Promise<DocumentOf<Name>> => reads.get(number) ?? this.readOne(family, number);
    return Promise.all(numbers.map((number) => this.getCached(family, String(number), () => read(number))));
  }

  /** A document that is cached. */
  readCached<Name extends IndexFamily>(family: Name, number: number): Promise<DocumentOf<Name>> {
    return this.getCached(family, String(number), () => this.readOne(family, number));
  }

  /** In the order of the numbers; none is cached. */
  async readEach<Name extends Family>(family: Name, numbers: readonly number[]): Promise<readonly DocumentOf<Name>[]> {
    return Promise.all(numbers.map((number) => this.readOne(family, number)));
  }

  /** All documents of a family, some at a time; none is cached. */
  async *readAll<Name extends IndexFamily>(family: Name): AsyncIterable<DocumentOf<Name>> {
    const count = this.release.documents[family];
    for (let from = 0; from < count; from += DOCUMENTS_AT_ONCE) {
      const numbers = Array.from({ length: Math.min(DOCUMENTS_AT_ONCE, count - from) }, (_, index) => from + index);
      yield* await this.readEach(family, numbers);
    }
  }

  /** All documents of records or lookups, by queries; none is cached. */
  async *readAllData<Name extends TextFamily>(family: Name, firsts: Uint32Array): AsyncIterable<DocumentOf<Name>> {
    const numbers = Array.from(firsts.keys());
    for (const range of splitIntoRanges(numbers, this.release.prefix, family)) {
      yield* await this.readRange(family, range, firsts);
    }
  }

  /** Content that is in pieces. */
  async content([piece, bytes, isCompressed]: ContentReference): Promise<Uint8Array> {
    const numbers = Array.from({ length: Math.ceil(bytes / PIECE_BYTES) }, (_, index) => piece + index);
    const pieces = await this.readEach('pieces', numbers);
    const stored = Buffer.concat(pieces.map(({ content }) => Buffer.from(content, 'base64')));
    if (stored.length !== bytes) throw this.reportDamage();
    // Callers keep it. Not a Buffer, whose slice is no copy.
    return new Uint8Array(ownBytes(isCompressed === 1 ? zstdDecompressSync(stored) : stored).buffer);
  }

  /** A geometry or lookup that is in pieces. */
  largeFragment(reference: ContentReference): Promise<Uint8Array> {
    return this.getCached('pieces', `fragment ${reference[0]}`, () => this.content(reference));
  }

  /** Numbers that the release has about the documents of a family; not cached. */
  async readNumbers(name: string): Promise<Uint32Array> {
    const reference = this.release.contents[name];
    if (reference === undefined) throw new Error(`a release without ${name}`);
    // A copy is aligned, as an array of numbers must be.
    return new Uint32Array(new Uint8Array(await this.content(reference)).buffer);
  }

  /** Cached under a name like what is read. */
  derive<Value extends object>(name: string, build: () => Promise<Value>): Promise<Value> {
    return this.getCached('pieces', name, build);
  }

  private async readOne<Name extends Family>(family: Name, number: number): Promise<DocumentOf<Name>> {
    const place = getPartition(this.release.prefix, family, number);
    const stored = await this.calls.read<CosmosDocument>(place, String(number));
    return this.check(family, number, stored?.document);
  }

  private async readRange<Name extends TextFamily>(
    family: Name,
    { from, to }: Range,
    firsts: Uint32Array,
  ): Promise<readonly DocumentOf<Name>[]> {
    const numbers = Array.from({ length: to - from }, (_, index) => from + index);
    if (numbers.length < MIN_QUERIED_DOCUMENTS) return this.readEach(family, numbers);
    const place: Partition = getPartition(this.release.prefix, family, from);
    const parameters = { from: numberAt(firsts, from), to: firsts[to] ?? Number.MAX_SAFE_INTEGER };
    const found = await this.calls.query<CosmosDocument>(place, { text: STATEMENTS.neighbors, parameters });
    const byId = new Map(found.map((document) => [document.id, document]));
    return numbers.map((number) => this.check(family, number, byId.get(String(number))));
  }

  /** Throws when there is no document, or when it is not as it was written. */
  private check<Name extends Family>(
    family: Name,
    number: number,
    document: CosmosDocument | undefined,
  ): DocumentOf<Name> {
    if (document === undefined) {
      this.lacksDocuments = true;
      throw new ReleaseGoneError();
    }
    const intact = getOrAdd(this.intact, family, () => new Uint8Array(this.release.documents[family]));
    if (intact[number] !== 1) {
      if (!this.isIntact(family, number, document)) throw this.reportDamage();
      intact[number] = 1;
    }
    return document as DocumentOf<Name>; // As this adapter wrote it, by its digest.
  }

  private isIntact(family: Family, number: number, document: CosmosDocument): boolean {
    // Of its family, by where it was read; the digest says whether it is as it was written.
    if (family === 'records' || family === 'lookups') {
      return isDataIntact(document as DataDocument, this.owner, this.orders);
    }
    return isIndexIntact(family, number, document as IndexDocument<IndexFamily>);
  }

  private reportDamage(): DamagedReleaseError {
    this.isDamaged = true;
    return new DamagedReleaseError('a document of it is not as it was written', { releaseId: this.owner.release });
  }

  private async getCached<Value extends object>(
    family: Family,
    name: string,
    read: () => Promise<Value>,
  ): Promise<Value> {
    const known = this.findKnown(family, name);
    // Below, values of this type are cached under this name.
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

/** About the memory of a directory, a large fragment or a parsed document. */
function countBytes(value: object): number {
  if (ArrayBuffer.isView(value)) return value.byteLength;
  const views = Object.values(value).filter((member) => ArrayBuffer.isView(member));
  if (views.length > 0) return views.reduce((sum, { byteLength }) => sum + byteLength, 0);
  return PARSED_FACTOR * countJsonBytes(value);
}

/** Runs of neighbors in ascending numbers, each within a partition and small enough for one query. */
function splitIntoRanges(numbers: readonly number[], prefix: string, family: Family): readonly Range[] {
  const ranges: Range[] = [];
  let from: number | undefined;
  for (const [index, number] of numbers.entries()) {
    from ??= number;
    const next = numbers[index + 1];
    const continues =
      next === number + 1 &&
      next - from < QUERIED_DOCUMENTS &&
      getPartition(prefix, family, next).partition === getPartition(prefix, family, from).partition;
    if (continues) continue;
    ranges.push({ from, to: number + 1 });
    from = undefined;
  }
  return ranges;
}

function getDocument<Document>(documents: readonly Document[], index: number): Document {
  const document = documents[index];
  if (document === undefined) throw new Error('a document of a release was not read');
  return document;
}
