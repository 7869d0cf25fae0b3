// Reads one release. Documents are found by number without a query: directories say which run holds a record or a
// fragment, a hash says which bucket holds a term. A missing document is an error; an answer is never silently short.

import { zstdDecompressSync } from 'node:zlib';
import { joinedBytes, joinParts, wordAt, type SelectedRun } from '../fragments';
import type { ArtifactName } from '../artifacts';
import {
  ReleaseGoneError,
  type Admit,
  type BlobFamily,
  type FragmentFamily,
  type JoinedFragments,
  type Look,
  type MeasuredText,
  type RecordSlices,
  type ReleaseFacts,
  type ReleasePart,
  type ReleaseReader,
  type SourceFile,
} from '../port';
import { areAllThere } from './bulk-writes';
import type { CosmosCalls } from './calls';
import { CachedDocuments, DocumentReader, type DocumentCache } from './document-reader';
import {
  bucketOf,
  SOURCE_LIST,
  storedTerm,
  termHash,
  type ContentReference,
  type Family,
  type ListedFile,
  type MeasuredFamily,
  type ReleaseDocument,
  type TermBucket,
  type TermEntry,
} from './documents';
import { lookupsOf, readFragment, readRecordRun, type FragmentRun, type RecordRun } from './runs';

/** The texts of the records of a run, or where large ones lie. */
type RecordTexts = readonly (string | ContentReference)[];

/** Fragments that are no objects are texts in this encoding. */
const ENCODINGS = { lookups: 'utf8', geometries: 'base64', places: 'base64' } as const;

export interface ReaderSource {
  readonly calls: CosmosCalls;
  readonly cache: DocumentCache;
}

export class CosmosReleaseReader implements ReleaseReader {
  readonly facts: ReleaseFacts;

  private readonly documents: DocumentReader;
  private readonly cached: CachedDocuments;
  /** Whether `findFault` has looked at its last record. */
  private isSeen = false;

  constructor(
    private readonly release: ReleaseDocument,
    private readonly source: ReaderSource,
  ) {
    this.facts = release.facts;
    this.documents = new DocumentReader(source.calls, release.prefix);
    this.cached = new CachedDocuments(this.documents, source.cache, release.contents);
  }

  /** Documents do not get lost by themselves, so a glance is one read of its last record, once. */
  async findFault(look: Look = 'glance'): Promise<string | undefined> {
    const { documents, release } = this;
    if (look === 'count') {
      documents.lacksDocuments = !(await areAllThere(this.source.calls, release.prefix, release.documents));
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
    const documents = await this.documents.read<TermBucket>('terms', numbers);
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

  async lookups(numbers: Uint32Array, admit?: Admit): Promise<JoinedFragments> {
    if (admit !== undefined) admit(joinedBytes(await this.cached.lengths('lookups', numbers)));
    return joinParts(await this.fragments('lookups', numbers));
  }

  async measure(family: MeasuredFamily, numbers: Uint32Array): Promise<readonly MeasuredText[]> {
    const lengths = await this.cached.lengths(family, numbers);
    if (family === 'lookups') return Array.from(lengths, (bytes) => ({ bytes, references: [] }));
    const measured: MeasuredText[] = [];
    for await (const { run, indexes } of this.recordRuns(numbers)) {
      for (const index of indexes) {
        measured.push({ bytes: wordAt(lengths, measured.length), references: lookupsOf(run, index) });
      }
    }
    return measured;
  }

  async records(numbers: Uint32Array, admit?: Admit): Promise<RecordSlices> {
    if (admit !== undefined) admit(joinedBytes(await this.cached.lengths('records', numbers)));
    const parts: (Uint8Array | RecordTexts)[] = [];
    const references = new Set<number>();
    for await (const { run, indexes } of this.recordRuns(numbers)) {
      const texts = readRecordRun(run, this.release.shape, indexes);
      if (texts.length < indexes.length) throw new Error('a run of records is shorter than its directory says');
      parts.push(texts.every((text) => typeof text === 'string') ? Buffer.from(texts.join(',')) : texts);
      for (const index of indexes) for (const number of lookupsOf(run, index)) references.add(number);
    }
    const whole = parts.map(async (part) => (part instanceof Uint8Array ? part : await this.joined(part)));
    return { ...joinParts(await Promise.all(whole)), references: Uint32Array.from(references).sort() };
  }

  async *parts(): AsyncIterable<ReleasePart> {
    for await (const content of this.allFragments('lookups')) {
      yield { kind: 'lookups', content: Buffer.from(content).toString() };
    }
    for await (const run of this.all<RecordRun>('records')) {
      const texts = readRecordRun(run, this.release.shape, Uint32Array.from(run.records.keys()));
      for (const [index, text] of texts.entries()) {
        yield { kind: 'record', json: await this.wholeText(text), references: lookupsOf(run, index) };
      }
    }
    for (const kind of ['geometries', 'places'] as const) {
      for await (const content of this.allFragments(kind)) yield { kind, content: blobOf(kind, content) };
    }
    for await (const { terms } of this.all<TermBucket>('terms')) {
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
      if (this.facts.records > 0) await this.records(Uint32Array.of(this.facts.records - 1));
    } catch (error) {
      if (!(error instanceof ReleaseGoneError)) throw error;
    }
  }

  private async *sourcePieces(references: readonly ContentReference[]): AsyncIterable<Uint8Array> {
    for (const reference of references) yield await this.documents.content(reference);
  }

  private async fragments(family: FragmentFamily, numbers: Uint32Array): Promise<readonly Uint8Array[]> {
    const found: (Uint8Array | ContentReference)[] = [];
    // Searches keep places in the form that they need.
    const read = (ordinals: readonly number[]): Promise<readonly FragmentRun[]> =>
      family === 'places' ? this.documents.read(family, ordinals) : this.cached.runs(family, ordinals);
    for await (const { run, indexes } of this.cached.select(family, numbers, read)) {
      for (const index of indexes) {
        const entry = run.items[index];
        if (entry === undefined) throw new Error(`a run of ${family} is shorter than its directory says`);
        found.push(readFragment(entry, ENCODINGS[family]));
      }
    }
    return Promise.all(
      found.map(async (one) => (one instanceof Uint8Array ? one : await this.cached.largeFragment(one))),
    );
  }

  private recordRuns(numbers: Uint32Array): AsyncIterable<SelectedRun & { readonly run: RecordRun }> {
    return this.cached.select('records', numbers, (ordinals) => this.documents.read('records', ordinals));
  }

  /** All fragments of a family, in the order of their numbers; what is read is not cached. */
  private async *allFragments(family: FragmentFamily): AsyncIterable<Uint8Array> {
    for await (const { items } of this.all<FragmentRun>(family)) {
      for (const item of items) {
        const found = readFragment(item, ENCODINGS[family]);
        yield found instanceof Uint8Array ? found : await this.documents.content(found);
      }
    }
  }

  private all<Content>(family: Family): AsyncIterable<Content> {
    return this.documents.readAll(family, this.release.documents[family]);
  }

  private async postingOf(list: TermEntry['list']): Promise<Uint8Array> {
    return typeof list === 'string' ? Buffer.from(list, 'base64') : this.documents.content(list);
  }

  private async wholeText(text: string | ContentReference): Promise<string> {
    return typeof text === 'string' ? text : Buffer.from(await this.documents.content(text)).toString();
  }

  private async joined(texts: RecordTexts): Promise<Uint8Array> {
    const whole = await Promise.all(texts.map((text) => this.wholeText(text)));
    return Buffer.from(whole.join(','));
  }
}

/** Chunks of places are compressed: they take two thirds of the room then. */
function blobOf(family: BlobFamily, content: Uint8Array): Uint8Array {
  return family === 'places' ? new Uint8Array(zstdDecompressSync(content)) : content;
}
