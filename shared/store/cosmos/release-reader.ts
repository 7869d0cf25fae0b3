// Reads one release. Documents are found by number without a query: directories say which run holds a record or a
// fragment, a hash says which bucket holds a term. A missing document means that the release was deleted, or is
// damaged; an answer is never shorter instead.

import { zstdDecompressSync } from 'node:zlib';
import type { LeastRecentlyUsedCache } from '../../values/least-recently-used-cache';
import { getOrAdd } from '../../values/maps';
import { numberAt } from '../../values/numbers';
import type { ArtifactName } from '../artifacts';
import { awaitUntilDeadline, withoutDeadline } from '../deadline';
import {
  type ReserveBytes,
  type BlobFamily,
  type FragmentFamily,
  type IntegrityCheck,
  countJoinedBytes,
  type JoinedTexts,
  joinJsonTexts,
  type MeasuredText,
  type ReleaseFacts,
  ReleaseGoneError,
  type ReleasePart,
  type ReleaseReader,
  type SelectedChunk,
  selectChunks,
  type SourceFile,
  type TextFamily,
} from '../port';
import type { CosmosCalls } from './calls';
import {
  batchReads,
  bucketOf,
  type ContentReference,
  type Contents,
  type CosmosDocument,
  directoryOf,
  documentBytes,
  type Family,
  lengthsOf,
  type ListedFile,
  lookupsOf,
  partitionOf,
  PIECE_BYTES,
  readFragment,
  readRecordRun,
  type ReleaseDocument,
  SOURCE_LIST,
  storedTerm,
  type TermEntry,
  termHash,
} from './documents';
import { areAllThere } from './release-registry';

/** Fragments that are no objects are texts in this encoding. */
const ENCODINGS = { lookups: 'utf8', geometries: 'base64', places: 'base64', names: 'base64' } as const;

/** Directories, runs and large contents of all releases. */
export type DocumentCache = LeastRecentlyUsedCache<object>;

export class CosmosReleaseReader implements ReleaseReader {
  readonly facts: ReleaseFacts;

  private readonly documents: ReleaseDocuments;
  /** Whether `findFault` has looked at its last record. */
  private isSeen = false;

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
      documents.lacksDocuments = !(await areAllThere(this.calls, release.prefix, release.documents));
    } else if (!this.isSeen && !documents.lacksDocuments) {
      await this.readLastRecord();
      this.isSeen = true;
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
    const stored = terms.map(storedTerm);
    const numbers = [...new Set(stored.map((term) => bucketOf(termHash(term), buckets)))].sort((a, b) => a - b);
    const documents = await this.documents.read('terms', numbers);
    const lists = new Map<string, TermEntry['list']>();
    for (const { terms: entries } of documents) for (const { term, list } of entries) lists.set(term, list);
    return Promise.all(
      stored.map(async (term) => {
        const list = lists.get(term);
        return list === undefined ? undefined : this.postingOf(list);
      }),
    );
  }

  async blobs(family: BlobFamily, numbers: Uint32Array): Promise<readonly Uint8Array[]> {
    return (await this.fragments(family, numbers)).map((content) => blobOf(family, content));
  }

  async measure(family: TextFamily, numbers: Uint32Array): Promise<readonly MeasuredText[]> {
    const lengths = await this.documents.lengths(family, numbers);
    if (family === 'lookups') return Array.from(lengths, (bytes) => ({ bytes, references: [] }));
    const measured: MeasuredText[] = [];
    for await (const { run, indexes } of this.documents.select('records', numbers)) {
      for (const index of indexes) {
        measured.push({ bytes: numberAt(lengths, measured.length), references: lookupsOf(run, index) });
      }
    }
    return measured;
  }

  async texts(family: TextFamily, numbers: Uint32Array, admit?: ReserveBytes): Promise<JoinedTexts> {
    if (admit !== undefined) admit(countJoinedBytes(await this.documents.lengths(family, numbers)));
    if (family === 'lookups') {
      return { ...joinJsonTexts(await this.fragments(family, numbers)), references: new Uint32Array() };
    }
    const texts: (readonly (string | ContentReference)[])[] = [];
    const references = new Set<number>();
    for await (const { run, indexes } of this.documents.select('records', numbers)) {
      const found = readRecordRun(run, this.release.shape, indexes);
      if (found.length < indexes.length) throw new Error('a run of records is shorter than its directory says');
      texts.push(found);
      for (const index of indexes) for (const number of lookupsOf(run, index)) references.add(number);
    }
    const whole = await Promise.all(texts.flat().map((text) => this.wholeText(text)));
    return { ...joinJsonTexts([Buffer.from(whole.join(','))]), references: Uint32Array.from(references).sort() };
  }

  async *parts(): AsyncIterable<ReleasePart> {
    for await (const content of this.allFragments('lookups')) {
      yield { kind: 'lookups', content: Buffer.from(content).toString() };
    }
    for await (const run of this.documents.all('records')) {
      const texts = readRecordRun(run, this.release.shape, Uint32Array.from(run.records.keys()));
      for (const [index, text] of texts.entries()) {
        yield { kind: 'record', json: await this.wholeText(text), references: lookupsOf(run, index) };
      }
    }
    for (const kind of ['geometries', 'places', 'names'] as const) {
      for await (const content of this.allFragments(kind)) yield { kind, content: blobOf(kind, content) };
    }
    for await (const { terms } of this.documents.all('terms')) {
      for (const { term, list, text } of terms) {
        const content = await this.postingOf(list);
        yield { kind: 'posting', term: await this.wholeText(text ?? term), content };
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
  isOf({ prefix }: ReleaseDocument): boolean {
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
    const found: (Uint8Array | ContentReference)[] = [];
    for await (const { run, indexes } of this.documents.select(family, numbers)) {
      for (const index of indexes) {
        const entry = run.items[index];
        if (entry === undefined) throw new Error(`a run of ${family} is shorter than its directory says`);
        found.push(readFragment(entry, ENCODINGS[family]));
      }
    }
    return Promise.all(
      found.map(async (one) => (one instanceof Uint8Array ? one : await this.documents.largeFragment(one))),
    );
  }

  /** All fragments of a family, in the order of their numbers; what is read is not cached. */
  private async *allFragments(family: Exclude<FragmentFamily, 'records'>): AsyncIterable<Uint8Array> {
    for await (const { items } of this.documents.all(family)) {
      for (const item of items) {
        const found = readFragment(item, ENCODINGS[family]);
        yield found instanceof Uint8Array ? found : await this.documents.content(found);
      }
    }
  }

  private async postingOf(list: TermEntry['list']): Promise<Uint8Array> {
    return typeof list === 'string' ? Buffer.from(list, 'base64') : this.documents.content(list);
  }

  private async wholeText(text: string | ContentReference): Promise<string> {
    return typeof text === 'string' ? text : Buffer.from(await this.documents.content(text)).toString();
  }
}

/** Chunks of places and names are compressed: they take two thirds of the room then. */
function blobOf(family: BlobFamily, content: Uint8Array): Uint8Array {
  return family !== 'geometries' ? new Uint8Array(zstdDecompressSync(content)) : content;
}

/** For reading from end to end: half a megabyte to 3 MB in memory. */
const DOCUMENTS_AT_ONCE = 160;

/** For a page with very scattered records; bounds the memory that their documents take before they are bytes. */
const RUNS_AT_ONCE = 400;

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
  private readonly underWay = new Map<string, Promise<object>>();

  constructor(
    private readonly release: ReleaseDocument,
    private readonly calls: CosmosCalls,
    private readonly cache: DocumentCache,
  ) {}

  /** In the order of the numbers, which are ascending. */
  async read<Name extends Family>(family: Name, numbers: readonly number[]): Promise<readonly Contents[Name][]> {
    const byPartition = new Map<string, string[]>();
    for (const number of numbers) {
      const partition = partitionOf(this.release.prefix, family, number);
      getOrAdd(byPartition, partition, () => []).push(String(number));
    }
    const found = await Promise.all(
      [...byPartition].map(([partition, ids]) =>
        this.calls.readAll<CosmosDocument & Contents[Name]>(partition, ids, batchReads(family)),
      ),
    );
    return found.flatMap((documents) => {
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
    return this.cached(`pieces/${reference[0]}`, () => this.content(reference));
  }

  /** The bytes of texts by their numbers. */
  async lengths(family: TextFamily, numbers: Uint32Array): Promise<Uint32Array> {
    const lengths = await this.numbers(lengthsOf(family));
    return numbers.map((number) => numberAt(lengths, number));
  }

  /** The runs with some of the ascending `numbers`. */
  async *select<Name extends FragmentFamily>(
    family: Name,
    numbers: Uint32Array,
  ): AsyncIterable<SelectedChunk & { readonly run: Contents[Name] }> {
    if (numbers.length === 0) return;
    const selected = selectChunks(await this.numbers(directoryOf(family)), numbers);
    for (let from = 0; from < selected.length; from += RUNS_AT_ONCE) {
      const some = selected.slice(from, from + RUNS_AT_ONCE);
      const ordinals = some.map(({ ordinal }) => ordinal);
      // Searches keep places and names in the form that they need, and pages seldom share records.
      const isCached = family === 'lookups' || family === 'geometries';
      const runs = await (isCached ? this.cachedRuns(family, ordinals) : this.read(family, ordinals));
      for (const [index, selection] of some.entries()) yield { ...selection, run: runAt(runs, index) };
    }
  }

  /** Runs that are neither cached nor being read are read together. */
  private cachedRuns<Name extends Family>(
    family: Name,
    ordinals: readonly number[],
  ): Promise<readonly Contents[Name][]> {
    const missing = ordinals.filter((ordinal) => this.known(`${family}/${ordinal}`) === undefined);
    const indexOf = new Map(missing.map((ordinal, index) => [ordinal, index]));
    const reading = withoutDeadline(() => this.read(family, missing));
    const runOf = async (ordinal: number): Promise<Contents[Name]> => runAt(await reading, indexOf.get(ordinal) ?? -1);
    return Promise.all(ordinals.map((ordinal) => this.cached(`${family}/${ordinal}`, () => runOf(ordinal))));
  }

  private numbers(name: string): Promise<Uint32Array> {
    return this.cached(name, async () => {
      const reference = this.release.contents[name];
      if (reference === undefined) throw new Error(`a release without ${name}`);
      // A copy is aligned, as an array of numbers must be.
      return new Uint32Array(new Uint8Array(await this.content(reference)).buffer);
    });
  }

  private async cached<Value extends object>(name: string, read: () => Promise<Value>): Promise<Value> {
    const known = this.known(name);
    // Below, values of this type are cached under this name.
    if (known !== undefined) return (known instanceof Promise ? await awaitUntilDeadline(known) : known) as Value;
    const reading = withoutDeadline(async () => {
      try {
        const value = await read();
        const bytes = ArrayBuffer.isView(value) ? value.byteLength : PARSED_FACTOR * documentBytes(value);
        this.cache.set(this.keyOf(name), value, bytes);
        return value;
      } finally {
        this.underWay.delete(name);
      }
    });
    this.underWay.set(name, reading);
    return awaitUntilDeadline(reading);
  }

  private known(name: string): object | undefined {
    return this.cache.get(this.keyOf(name)) ?? this.underWay.get(name);
  }

  private keyOf(name: string): string {
    return `${this.release.prefix}/${name}`;
  }
}

function runAt<Run>(runs: readonly Run[], index: number): Run {
  const run = runs[index];
  if (run === undefined) throw new Error('a run of a release was not read');
  return run;
}
