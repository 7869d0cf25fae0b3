// Reads one release. Documents are found by number without a query: directories say which run holds a record or a
// fragment, a hash says which bucket holds a term. A missing document means that the release was deleted, or is
// damaged; an answer is never shorter instead.

import { zstdDecompressSync } from 'node:zlib';
import type { LeastRecentlyUsedCache } from '../../values/least-recently-used-cache';
import { getOrAdd } from '../../values/maps';
import { numberAt } from '../../values/number-arrays';
import type { ArtifactName } from '../artifacts';
import { awaitUntilDeadline, withoutDeadline } from '../deadline';
import { countJoinedBytes, joinJsonTexts } from '../joined-fragments';
import {
  type BlobFamily,
  type FragmentFamily,
  type IntegrityCheck,
  type JoinedTexts,
  type MeasuredText,
  type ReleaseFacts,
  ReleaseGoneError,
  type ReleasePart,
  type ReleaseReader,
  type ReserveBytes,
  type SourceFile,
  type TextFamily,
} from '../port';
import { selectChunks, type SelectedChunk } from '../select-chunks';
import type { CosmosCalls } from './calls';
import {
  type ContentReference,
  type Contents,
  type CosmosDocument,
  documentBytes,
  type Family,
  findBucket,
  getDirectoryName,
  getLengthsName,
  getPartition,
  getReadBatchSize,
  hashTerm,
  type ListedFile,
  PIECE_BYTES,
  readFragment,
  readLookupNumbers,
  readRecordChunk,
  type ReleaseDocument,
  SOURCE_LIST,
  type TermEntry,
  toStoredTerm,
} from './documents';
import { hasAllDocuments } from './release-registry';

/** Fragments that are no objects are texts in this encoding. */
const ENCODINGS = { lookups: 'utf8', geometries: 'base64', places: 'base64', names: 'base64' } as const;

/** Directories, runs and large contents of all releases. */
export type DocumentCache = LeastRecentlyUsedCache<object>;

export class CosmosReleaseReader implements ReleaseReader {
  readonly facts: ReleaseFacts;

  private readonly documents: ReleaseDocuments;
  /** Whether `findFault` has looked at its last record. */
  private isLastRecordChecked = false;

  constructor(
    private readonly release: ReleaseDocument,
    private readonly calls: CosmosCalls,
    cache: DocumentCache,
  ) {
    this.facts = release.facts;
    this.documents = new ReleaseDocuments(release, calls, cache);
  }

  /** Documents do not get lost by themselves, so a glance is one read of its last record, once. */
  async findFault(check: IntegrityCheck = 'quick'): Promise<string | undefined> {
    const { documents, release } = this;
    if (check === 'full') {
      documents.lacksDocuments = !(await hasAllDocuments(this.calls, release.prefix, release.documents));
    } else if (!this.isLastRecordChecked && !documents.lacksDocuments) {
      await this.readLastRecord();
      this.isLastRecordChecked = true;
    }
    return documents.lacksDocuments ? 'documents of it are missing' : undefined;
  }

  async artifact(name: ArtifactName): Promise<Uint8Array | undefined> {
    const reference = this.release.contents[name];
    return reference === undefined ? undefined : this.documents.content(reference);
  }

  async postings(terms: readonly string[]): Promise<readonly (Uint8Array | undefined)[]> {
    const buckets = this.release.documents.terms;
    if (buckets === 0) return terms.map(() => undefined);
    const stored = terms.map(toStoredTerm);
    const numbers = [...new Set(stored.map((term) => findBucket(hashTerm(term), buckets)))].sort((a, b) => a - b);
    const documents = await this.documents.read('terms', numbers);
    const lists = new Map<string, TermEntry['list']>();
    for (const { terms: entries } of documents) for (const { term, list } of entries) lists.set(term, list);
    return Promise.all(
      stored.map(async (term) => {
        const list = lists.get(term);
        return list === undefined ? undefined : this.readPosting(list);
      }),
    );
  }

  async blobs(family: BlobFamily, numbers: Uint32Array): Promise<readonly Uint8Array[]> {
    return (await this.fragments(family, numbers)).map((content) => decodeBlob(family, content));
  }

  async measure(family: TextFamily, numbers: Uint32Array): Promise<readonly MeasuredText[]> {
    const lengths = await this.documents.lengths(family, numbers);
    if (family === 'lookups') return Array.from(lengths, (bytes) => ({ bytes, references: [] }));
    const measured: MeasuredText[] = [];
    for await (const { chunk, indexes } of this.documents.select('records', numbers)) {
      for (const index of indexes) {
        measured.push({ bytes: numberAt(lengths, measured.length), references: readLookupNumbers(chunk, index) });
      }
    }
    return measured;
  }

  async texts(family: TextFamily, numbers: Uint32Array, admit?: ReserveBytes): Promise<JoinedTexts> {
    if (admit !== undefined) admit(countJoinedBytes(await this.documents.lengths(family, numbers)));
    if (family === 'lookups') {
      return { ...joinJsonTexts(await this.fragments(family, numbers)), references: new Uint32Array() };
    }
    const records: (readonly (string | ContentReference)[])[] = [];
    const references = new Set<number>();
    for await (const { chunk, indexes } of this.documents.select('records', numbers)) {
      const texts = readRecordChunk(chunk, this.release.shape, indexes);
      if (texts.length < indexes.length) throw new Error('a run of records is shorter than its directory says');
      records.push(texts);
      for (const index of indexes) for (const number of readLookupNumbers(chunk, index)) references.add(number);
    }
    const wholeTexts = await Promise.all(records.flat().map((text) => this.readWholeText(text)));
    return { ...joinJsonTexts([Buffer.from(wholeTexts.join(','))]), references: Uint32Array.from(references).sort() };
  }

  async *parts(): AsyncIterable<ReleasePart> {
    for await (const content of this.allFragments('lookups')) {
      yield { kind: 'lookups', content: Buffer.from(content).toString() };
    }
    for await (const chunk of this.documents.all('records')) {
      const texts = readRecordChunk(chunk, this.release.shape, Uint32Array.from(chunk.records.keys()));
      for (const [index, text] of texts.entries()) {
        yield { kind: 'record', json: await this.readWholeText(text), references: readLookupNumbers(chunk, index) };
      }
    }
    for (const kind of ['geometries', 'places', 'names'] as const) {
      for await (const content of this.allFragments(kind)) yield { kind, content: decodeBlob(kind, content) };
    }
    for await (const { terms } of this.documents.all('terms')) {
      for (const { term, list, text } of terms) {
        const content = await this.readPosting(list);
        yield { kind: 'posting', term: await this.readWholeText(text ?? term), content };
      }
    }
  }

  async *sourceFiles(): AsyncIterable<SourceFile> {
    const reference = this.release.contents[SOURCE_LIST];
    if (reference === undefined) throw new Error('a release without source rows');
    const list = Buffer.from(await this.documents.content(reference)).toString();
    // Written by CosmosReleaseWriter.
    for (const { name, pieces } of JSON.parse(list) as readonly ListedFile[]) {
      yield { name, pieces: () => this.sourcePieces(pieces) };
    }
  }

  /** Whether documents of it were found missing. The store then looks whether it was deleted or made anew. */
  get lacksDocuments(): boolean {
    return this.documents.lacksDocuments;
  }

  /** Whether it reads what is registered as the release now. */
  reads({ prefix }: ReleaseDocument): boolean {
    return prefix === this.release.prefix;
  }

  private async readLastRecord(): Promise<void> {
    try {
      if (this.facts.records > 0) await this.texts('records', Uint32Array.of(this.facts.records - 1));
    } catch (error) {
      if (!(error instanceof ReleaseGoneError)) throw error;
    }
  }

  private async *sourcePieces(references: readonly ContentReference[]): AsyncIterable<Uint8Array> {
    for (const reference of references) yield await this.documents.content(reference);
  }

  private async fragments(
    family: Exclude<FragmentFamily, 'records'>,
    numbers: Uint32Array,
  ): Promise<readonly Uint8Array[]> {
    const fragments: (Uint8Array | ContentReference)[] = [];
    for await (const { chunk, indexes } of this.documents.select(family, numbers)) {
      for (const index of indexes) {
        const entry = chunk.items[index];
        if (entry === undefined) throw new Error(`a run of ${family} is shorter than its directory says`);
        fragments.push(readFragment(entry, ENCODINGS[family]));
      }
    }
    return Promise.all(
      fragments.map(async (fragment) =>
        fragment instanceof Uint8Array ? fragment : await this.documents.largeFragment(fragment),
      ),
    );
  }

  /** All fragments of a family, in the order of their numbers; what is read is not cached. */
  private async *allFragments(family: Exclude<FragmentFamily, 'records'>): AsyncIterable<Uint8Array> {
    for await (const { items } of this.documents.all(family)) {
      for (const item of items) {
        const fragment = readFragment(item, ENCODINGS[family]);
        yield fragment instanceof Uint8Array ? fragment : await this.documents.content(fragment);
      }
    }
  }

  private async readPosting(list: TermEntry['list']): Promise<Uint8Array> {
    return typeof list === 'string' ? Buffer.from(list, 'base64') : this.documents.content(list);
  }

  private async readWholeText(text: string | ContentReference): Promise<string> {
    return typeof text === 'string' ? text : Buffer.from(await this.documents.content(text)).toString();
  }
}

/** Chunks of places and names are compressed: they take two thirds of the room then. */
function decodeBlob(family: BlobFamily, content: Uint8Array): Uint8Array {
  return family !== 'geometries' ? new Uint8Array(zstdDecompressSync(content)) : content;
}

/** For reading from end to end: half a megabyte to 3 MB in memory. */
const DOCUMENTS_AT_ONCE = 160;

/** For a page with very scattered records; bounds the memory that their documents take before they are bytes. */
const CHUNKS_AT_ONCE = 400;

/** Parsed JSON takes about this many times its text in memory. */
const PARSED_FACTOR = 3;

/**
 * The documents of one release. What a walk needs on each of its pages is read once and cached, bounded by bytes over
 * all releases: directories, runs of lookups and geometries, and large ones of these. Requests that need the same
 * document at once read it once.
 */
class ReleaseDocuments {
  /** Whether documents of the release were found missing: it was deleted, or is damaged. */
  lacksDocuments = false;
  private readonly pendingReads = new Map<string, Promise<object>>();

  constructor(
    private readonly release: ReleaseDocument,
    private readonly calls: CosmosCalls,
    private readonly cache: DocumentCache,
  ) {}

  /** In the order of the numbers, which are ascending. */
  async read<Name extends Family>(family: Name, numbers: readonly number[]): Promise<readonly Contents[Name][]> {
    const byPartition = new Map<string, string[]>();
    for (const number of numbers) {
      const partition = getPartition(this.release.prefix, family, number);
      getOrAdd(byPartition, partition, () => []).push(String(number));
    }
    const partitions = await Promise.all(
      [...byPartition].map(([partition, ids]) =>
        this.calls.readAll<CosmosDocument & Contents[Name]>(partition, ids, getReadBatchSize(family)),
      ),
    );
    return partitions.flatMap((documents) => {
      if (documents !== undefined) return documents;
      this.lacksDocuments = true;
      throw new ReleaseGoneError();
    });
  }

  /** All documents of a family, a few requests of neighbouring ones at a time; none is cached. */
  async *all<Name extends Family>(family: Name): AsyncIterable<Contents[Name]> {
    const count = this.release.documents[family];
    for (let from = 0; from < count; from += DOCUMENTS_AT_ONCE) {
      const numbers = Array.from({ length: Math.min(DOCUMENTS_AT_ONCE, count - from) }, (_, index) => from + index);
      yield* await this.read(family, numbers);
    }
  }

  /** Content that stands in pieces. */
  async content([piece, bytes, isCompressed]: ContentReference): Promise<Uint8Array> {
    const numbers = Array.from({ length: Math.ceil(bytes / PIECE_BYTES) }, (_, index) => piece + index);
    const pieces = await this.read('pieces', numbers);
    const stored = Buffer.concat(pieces.map(({ content }) => Buffer.from(content, 'base64')));
    if (stored.length !== bytes) throw new Error('pieces of a release have another length than they were written with');
    const { buffer, byteOffset, length } = isCompressed === 1 ? zstdDecompressSync(stored) : stored;
    // Not a Buffer, whose slice is no copy.
    return new Uint8Array(buffer, byteOffset, length);
  }

  /** A geometry or lookup that stands in pieces. */
  largeFragment(reference: ContentReference): Promise<Uint8Array> {
    return this.getCached(`pieces/${reference[0]}`, () => this.content(reference));
  }

  /** The bytes of texts by their numbers. */
  async lengths(family: TextFamily, numbers: Uint32Array): Promise<Uint32Array> {
    const lengths = await this.numbers(getLengthsName(family));
    return numbers.map((number) => numberAt(lengths, number));
  }

  /** The runs with some of the ascending `numbers`. */
  async *select<Name extends FragmentFamily>(
    family: Name,
    numbers: Uint32Array,
  ): AsyncIterable<SelectedChunk & { readonly chunk: Contents[Name] }> {
    if (numbers.length === 0) return;
    const selected = selectChunks(await this.numbers(getDirectoryName(family)), numbers);
    for (let from = 0; from < selected.length; from += CHUNKS_AT_ONCE) {
      const batch = selected.slice(from, from + CHUNKS_AT_ONCE);
      const ordinals = batch.map(({ ordinal }) => ordinal);
      // Searches keep places and names in the form that they need, and pages seldom share records.
      const isCached = family === 'lookups' || family === 'geometries';
      const chunks = await (isCached ? this.getCachedChunks(family, ordinals) : this.read(family, ordinals));
      for (const [index, selection] of batch.entries()) yield { ...selection, chunk: getChunk(chunks, index) };
    }
  }

  /** Runs that are neither cached nor being read are read together. */
  private getCachedChunks<Name extends Family>(
    family: Name,
    ordinals: readonly number[],
  ): Promise<readonly Contents[Name][]> {
    const missing = ordinals.filter((ordinal) => this.findKnown(`${family}/${ordinal}`) === undefined);
    const indexOf = new Map(missing.map((ordinal, index) => [ordinal, index]));
    const reading = withoutDeadline(() => this.read(family, missing));
    const readChunk = async (ordinal: number): Promise<Contents[Name]> =>
      getChunk(await reading, indexOf.get(ordinal) ?? -1);
    return Promise.all(ordinals.map((ordinal) => this.getCached(`${family}/${ordinal}`, () => readChunk(ordinal))));
  }

  private numbers(name: string): Promise<Uint32Array> {
    return this.getCached(name, async () => {
      const reference = this.release.contents[name];
      if (reference === undefined) throw new Error(`a release without ${name}`);
      // A copy is aligned, as an array of numbers must be.
      return new Uint32Array(new Uint8Array(await this.content(reference)).buffer);
    });
  }

  private async getCached<Value extends object>(name: string, read: () => Promise<Value>): Promise<Value> {
    const known = this.findKnown(name);
    // Below, values of this type are cached under this name.
    if (known !== undefined) return (known instanceof Promise ? await awaitUntilDeadline(known) : known) as Value;
    const reading = withoutDeadline(async () => {
      try {
        const value = await read();
        const bytes = ArrayBuffer.isView(value) ? value.byteLength : PARSED_FACTOR * documentBytes(value);
        this.cache.set(this.buildCacheKey(name), value, bytes);
        return value;
      } finally {
        this.pendingReads.delete(name);
      }
    });
    this.pendingReads.set(name, reading);
    return awaitUntilDeadline(reading);
  }

  private findKnown(name: string): object | undefined {
    return this.cache.get(this.buildCacheKey(name)) ?? this.pendingReads.get(name);
  }

  private buildCacheKey(name: string): string {
    return `${this.release.prefix}/${name}`;
  }
}

function getChunk<Run>(chunks: readonly Run[], index: number): Run {
  const chunk = chunks[index];
  if (chunk === undefined) throw new Error('a run of a release was not read');
  return chunk;
}
