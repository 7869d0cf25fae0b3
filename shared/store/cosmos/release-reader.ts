// Reads one release. Documents are found by number without asking: directories say which run holds a record or a fragment, a
// hash which bucket holds a term. What is missing is an error, never an answer that is silently short.

import { joinParts } from '../fragments';
import type {
  ArtifactName,
  FragmentFamily,
  JoinedFragments,
  RecordSlices,
  ReleasePart,
  ReleaseFacts,
  ReleaseReader,
  SourceFile,
} from '../port';
import { selectRuns, type SelectedRun } from '../fragments';
import type { CosmosCalls } from './cosmos-calls';
import { DocumentReader } from './document-reader';
import type { ContentReference } from './documents';
import { readFragment } from './fragment-runs';
import { KeptDocuments, type DocumentCache } from './kept-documents';
import { lookupsOf, readRecordRun, type RecordRun } from './record-runs';
import { SOURCE_LIST, type ListedFile, type ReleaseDocument } from './release-documents';
import { releaseParts } from './release-parts';
import { bucketOf, storedTerm, type TermBucket, type TermEntry } from './term-buckets';

/** Of a run, some of which lie elsewhere. */
type RecordTexts = readonly (string | ContentReference)[];

/** Of a page with very scattered records; bounds the memory that their documents take before they are bytes. */
const RUNS_AT_ONCE = 400;

export class CosmosReleaseReader implements ReleaseReader {
  readonly facts: ReleaseFacts;

  private readonly documents: DocumentReader;
  private readonly kept: KeptDocuments;

  /** `onGone` hears that the release's documents are not all there. */
  constructor(
    calls: CosmosCalls,
    cache: DocumentCache,
    private readonly release: ReleaseDocument,
    onGone: () => void,
  ) {
    this.facts = release.facts;
    this.documents = new DocumentReader(calls, release.prefix, onGone);
    this.kept = new KeptDocuments(this.documents, cache, release.contents);
  }

  async artifact(name: ArtifactName): Promise<Uint8Array | undefined> {
    const reference = this.release.contents[name];
    return reference === undefined ? undefined : this.documents.content(reference);
  }

  async postings(terms: readonly string[]): Promise<readonly (Uint8Array | undefined)[]> {
    const buckets = this.release.documents.terms;
    if (buckets === 0) return terms.map(() => undefined);
    const stored = terms.map(storedTerm);
    const numbers = [...new Set(stored.map((term) => bucketOf(term, buckets)))].sort((a, b) => a - b);
    const documents = await this.documents.read<TermBucket>('terms', numbers);
    const lists = new Map<string, TermEntry['list']>();
    for (const { terms: entries } of documents) for (const { term, list } of entries) lists.set(term, list);
    return Promise.all(
      stored.map(async (term) => {
        const list = lists.get(term);
        if (list === undefined) return undefined;
        return typeof list === 'string' ? Buffer.from(list, 'base64') : await this.documents.content(list);
      }),
    );
  }

  geometries(numbers: Uint32Array): Promise<readonly Uint8Array[]> {
    return this.fragments('geometries', numbers);
  }

  async lookups(numbers: Uint32Array): Promise<JoinedFragments> {
    return joinParts(await this.fragments('lookups', numbers));
  }

  async records(numbers: Uint32Array): Promise<RecordSlices> {
    const parts: (Uint8Array | RecordTexts)[] = [];
    const references = new Set<number>();
    const read = (ordinals: readonly number[]): Promise<readonly RecordRun[]> =>
      this.documents.read('records', ordinals);
    for await (const { run, indexes } of this.runs('records', numbers, read)) {
      const texts = readRecordRun(run, this.release.shape, indexes);
      if (texts.length < indexes.length) throw new Error('a run of records is shorter than its directory says');
      parts.push(texts.every((text) => typeof text === 'string') ? Buffer.from(texts.join(',')) : texts);
      for (const index of indexes) for (const number of lookupsOf(run, index)) references.add(number);
    }
    const whole = parts.map(async (part) => (part instanceof Uint8Array ? part : await this.joined(part)));
    return { ...joinParts(await Promise.all(whole)), references: Uint32Array.from(references).sort() };
  }

  parts(): AsyncIterable<ReleasePart> {
    return releaseParts(this.release, this.documents);
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

  private async *sourcePieces(references: readonly ContentReference[]): AsyncIterable<Uint8Array> {
    for (const reference of references) yield await this.documents.content(reference);
  }

  private async fragments(family: FragmentFamily, numbers: Uint32Array): Promise<readonly Uint8Array[]> {
    const encoding = family === 'geometries' ? 'base64' : 'utf8';
    const found: (Uint8Array | ContentReference)[] = [];
    for await (const { run, indexes } of this.runs(family, numbers, (ordinals) => this.kept.runs(family, ordinals))) {
      for (const index of indexes) {
        const entry = run.items[index];
        if (entry === undefined) throw new Error(`a run of ${family} is shorter than its directory says`);
        found.push(readFragment(entry, encoding));
      }
    }
    return Promise.all(
      found.map(async (one) => (one instanceof Uint8Array ? one : await this.kept.largeFragment(one))),
    );
  }

  private async *runs<Run>(
    family: 'records' | FragmentFamily,
    numbers: Uint32Array,
    read: (ordinals: readonly number[]) => Promise<readonly Run[]>,
  ): AsyncIterable<SelectedRun & { readonly run: Run }> {
    if (numbers.length === 0) return;
    const selected = selectRuns(await this.kept.directory(family), numbers);
    for (let from = 0; from < selected.length; from += RUNS_AT_ONCE) {
      const some = selected.slice(from, from + RUNS_AT_ONCE);
      const documents = await read(some.map(({ ordinal }) => ordinal));
      for (const [index, run] of documents.entries()) {
        const selection = some[index];
        if (selection !== undefined) yield { ...selection, run };
      }
    }
  }

  private async joined(texts: RecordTexts): Promise<Uint8Array> {
    const whole = await Promise.all(
      texts.map(async (text) =>
        typeof text === 'string' ? text : Buffer.from(await this.documents.content(text)).toString(),
      ),
    );
    return Buffer.from(whole.join(','));
  }
}
