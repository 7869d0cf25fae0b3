// Reads one release. Documents are found by number without asking: directories say which run holds a record or a fragment, a
// hash which bucket holds a term. What is missing is an error, never an answer that is silently short.

import { zstdDecompressSync } from 'node:zlib';
import type { ByteBoundedCache } from '../byte-bounded-cache';
import { joinParts } from '../joined-fragments';
import {
  ReleaseGoneError,
  type ArtifactName,
  type FragmentFamily,
  type JoinedFragments,
  type RecordSlices,
  type ReleaseFacts,
  type ReleaseReader,
  type SourceFile,
} from '../port';
import type { CosmosCalls } from './cosmos-calls';
import {
  BATCH_READS,
  documentBytes,
  partitionOf,
  PIECE_BYTES,
  type ContentReference,
  type CosmosDocument,
  type Family,
} from './documents';
import { readFragment, type FragmentRun } from './fragment-runs';
import { lookupsOf, readRecordRun, type RecordRun } from './record-runs';
import { directoryOf, SOURCE_LIST, type ListedFile, type ReleaseDocument } from './release-documents';
import { selectRuns, type SelectedRun } from './select-runs';
import type { PieceContent } from './spool';
import { bucketOf, storedTerm, type TermBucket, type TermEntry } from './term-buckets';

/** Directories, documents of lookups and geometries, and large ones of these: a walk needs the same ones page by page. */
export type DocumentCache = ByteBoundedCache<Uint32Array | Uint8Array | FragmentRun>;

/** Of a run, some of which lie elsewhere. */
type RecordTexts = readonly (string | ContentReference)[];

/** Of a page with very scattered records; bounds the memory that their documents take before they are bytes. */
const RUNS_AT_ONCE = 400;

export class CosmosReleaseReader implements ReleaseReader {
  readonly facts: ReleaseFacts;

  constructor(
    private readonly calls: CosmosCalls,
    private readonly cache: DocumentCache,
    private readonly release: ReleaseDocument,
    /** Hears that the release's documents are not all there. */
    private readonly onGone: () => void,
  ) {
    this.facts = release.facts;
  }

  async artifact(name: ArtifactName): Promise<Uint8Array | undefined> {
    const reference = this.release.contents[name];
    return reference === undefined ? undefined : this.content(reference);
  }

  async postings(terms: readonly string[]): Promise<readonly (Uint8Array | undefined)[]> {
    const buckets = this.release.documents.terms;
    if (buckets === 0) return terms.map(() => undefined);
    const stored = terms.map(storedTerm);
    const numbers = [...new Set(stored.map((term) => bucketOf(term, buckets)))].sort((a, b) => a - b);
    const documents = await this.documents<TermBucket>('terms', numbers);
    const lists = new Map<string, TermEntry['list']>();
    for (const { terms: entries } of documents) for (const { term, list } of entries) lists.set(term, list);
    return Promise.all(
      stored.map(async (term) => {
        const list = lists.get(term);
        if (list === undefined) return undefined;
        return typeof list === 'string' ? Buffer.from(list, 'base64') : await this.content(list);
      }),
    );
  }

  geometries(numbers: Uint32Array): Promise<readonly Uint8Array[]> {
    return this.fragments('geometries', numbers);
  }

  async lookups(numbers: Uint32Array): Promise<JoinedFragments> {
    return joinParts(await this.fragments('lookups', numbers));
  }

  private async fragments(family: FragmentFamily, numbers: Uint32Array): Promise<readonly Uint8Array[]> {
    const encoding = family === 'geometries' ? 'base64' : 'utf8';
    const found: (Uint8Array | ContentReference)[] = [];
    for await (const { run, indexes } of this.runs(family, numbers, (ordinals) => this.cached(family, ordinals))) {
      for (const index of indexes) {
        const entry = run.items[index];
        if (entry === undefined) throw new Error(`a run of ${family} is shorter than its directory says`);
        found.push(readFragment(entry, encoding));
      }
    }
    return Promise.all(found.map(async (one) => (one instanceof Uint8Array ? one : await this.largeFragment(one))));
  }

  async records(numbers: Uint32Array): Promise<RecordSlices> {
    const parts: (Uint8Array | RecordTexts)[] = [];
    const references = new Set<number>();
    const read = (ordinals: readonly number[]): Promise<readonly RecordRun[]> => this.documents('records', ordinals);
    for await (const { run, indexes } of this.runs('records', numbers, read)) {
      const texts = readRecordRun(run, this.release.shape, indexes);
      if (texts.length < indexes.length) throw new Error('a run of records is shorter than its directory says');
      parts.push(texts.every((text) => typeof text === 'string') ? Buffer.from(texts.join(',')) : texts);
      for (const index of indexes) for (const number of lookupsOf(run, index)) references.add(number);
    }
    const whole = parts.map(async (part) => (part instanceof Uint8Array ? part : await this.joined(part)));
    return { ...joinParts(await Promise.all(whole)), references: Uint32Array.from(references).sort() };
  }

  async *sourceFiles(): AsyncIterable<SourceFile> {
    const reference = this.release.contents[SOURCE_LIST];
    if (reference === undefined) throw new Error('a release without source rows');
    const list = Buffer.from(await this.content(reference)).toString();
    // Written by CosmosReleaseWriter.
    for (const { name, pieces } of JSON.parse(list) as readonly ListedFile[]) {
      yield { name, pieces: () => this.sourcePieces(pieces) };
    }
  }

  private async *sourcePieces(references: readonly ContentReference[]): AsyncIterable<Uint8Array> {
    for (const reference of references) yield await this.content(reference);
  }

  private async *runs<Run>(
    family: 'records' | FragmentFamily,
    numbers: Uint32Array,
    read: (ordinals: readonly number[]) => Promise<readonly Run[]>,
  ): AsyncIterable<SelectedRun & { readonly run: Run }> {
    if (numbers.length === 0) return;
    const selected = selectRuns(await this.directory(family), numbers);
    for (let from = 0; from < selected.length; from += RUNS_AT_ONCE) {
      const some = selected.slice(from, from + RUNS_AT_ONCE);
      const documents = await read(some.map(({ ordinal }) => ordinal));
      for (const [index, run] of documents.entries()) {
        const selection = some[index];
        if (selection !== undefined) yield { ...selection, run };
      }
    }
  }

  /** The first number of each run. */
  private async directory(family: Family): Promise<Uint32Array> {
    const key = `${this.release.prefix}/${directoryOf(family)}`;
    const known = this.cache.get(key);
    if (known instanceof Uint32Array) return known;
    const reference = this.release.contents[directoryOf(family)];
    if (reference === undefined) throw new Error(`a release without a directory of ${family}`);
    const firsts = new Uint32Array(new Uint8Array(await this.content(reference)).buffer);
    this.cache.set(key, firsts, firsts.byteLength);
    return firsts;
  }

  private async cached(family: FragmentFamily, ordinals: readonly number[]): Promise<readonly FragmentRun[]> {
    const keyOf = (ordinal: number): string => `${this.release.prefix}/${family}/${ordinal}`;
    const known = ordinals.map((ordinal) => this.cache.get(keyOf(ordinal)));
    const missing = ordinals.filter((_, index) => known[index] === undefined);
    const read = await this.documents<FragmentRun>(family, missing);
    let next = 0;
    return ordinals.flatMap((ordinal, index) => {
      const run = known[index] ?? read[next++];
      if (run === undefined || !('items' in run)) return [];
      // What parsed JSON takes in memory, about.
      if (known[index] === undefined) this.cache.set(keyOf(ordinal), run, 3 * documentBytes(run));
      return [run];
    });
  }

  private async largeFragment(reference: ContentReference): Promise<Uint8Array> {
    const key = `${this.release.prefix}/pieces/${reference[0]}`;
    const known = this.cache.get(key);
    if (known instanceof Uint8Array) return known;
    const content = await this.content(reference);
    this.cache.set(key, content, content.length);
    return content;
  }

  private async content([piece, bytes, isCompressed]: ContentReference): Promise<Uint8Array> {
    const numbers = Array.from({ length: Math.ceil(bytes / PIECE_BYTES) }, (_, index) => piece + index);
    const pieces = await this.documents<PieceContent>('pieces', numbers);
    const stored = Buffer.concat(pieces.map(({ content }) => Buffer.from(content, 'base64')));
    if (stored.length !== bytes) throw new Error('pieces of a release have another length than they were written with');
    const { buffer, byteOffset, length } = isCompressed === 1 ? zstdDecompressSync(stored) : stored;
    // Not a Buffer, whose slice is no copy.
    return new Uint8Array(buffer, byteOffset, length);
  }

  private async joined(texts: RecordTexts): Promise<Uint8Array> {
    const whole = await Promise.all(
      texts.map(async (text) => (typeof text === 'string' ? text : Buffer.from(await this.content(text)).toString())),
    );
    return Buffer.from(whole.join(','));
  }

  /** In the order of the numbers, which are ascending. */
  private async documents<Content>(family: Family, numbers: readonly number[]): Promise<readonly Content[]> {
    const byPartition = new Map<string, string[]>();
    for (const number of numbers) {
      const partition = partitionOf(this.release.prefix, family, number);
      const ids = byPartition.get(partition) ?? [];
      byPartition.set(partition, ids);
      ids.push(String(number));
    }
    const found = await Promise.all(
      [...byPartition].map(([partition, ids]) =>
        this.calls.readAll<CosmosDocument & Content>(partition, ids, BATCH_READS[family]),
      ),
    );
    return found.flatMap((documents) => {
      if (documents !== undefined) return documents;
      this.onGone();
      throw new ReleaseGoneError();
    });
  }
}
