// Reads one release. Documents are located by number without a query: directories say which document contains a record
// or a fragment, and a hash says which bucket contains a term. A missing document means that the release was deleted or
// is damaged. The answer is then an error, never an incomplete result.

import { zstdDecompressSync } from 'node:zlib';
import { numberAt } from '../../values/number-arrays';
import type { ArtifactName } from '../artifacts';
import { DamagedReleaseError } from '../damaged-release';
import { giveWayIfSliceOver } from '../deadline';
import { joinJsonTexts } from '../joined-fragments';
import {
  BLOB_FAMILIES,
  type BlobFamily,
  type IntegrityCheck,
  type JoinedTexts,
  type MeasuredText,
  type ReleaseFacts,
  ReleaseGoneError,
  type ReleasePart,
  type ReleaseReader,
  type ReserveBytes,
  type SourceFile,
  TEXT_FAMILIES,
  type TextFamily,
} from '../port';
import { selectChunks, type SelectedChunk } from '../select-chunks';
import type { CosmosCalls } from './calls';
import { type DataTexts, readReferences } from './data-documents';
import { type ContentReference, getBlobDirectoryName, getTextDirectoryName, SOURCE_LIST } from './document-names';
import { findBucket, type FragmentEntry, hashTerm, readFragment, toStoredTerm } from './index-documents';
import type { ListedFile, ReleaseDocument } from './registry-documents';
import { hasAllDocuments } from './release-deletion';
import { type DocumentCaches, ReleaseDocuments } from './release-documents';

/** Documents of records or lookups that are in memory at once: 2 MB of JSON, and a multiple of that when parsed. */
const DOCUMENTS_AT_ONCE = 128;

/** A page of up to this size is read without measuring it first, which takes fewer steps. */
const SMALL_PAGE_BYTES = 2 * 1024 * 1024;

const INDEX_FAMILIES = [...BLOB_FAMILIES, 'terms', 'pieces'] as const;

const MISSING = 'some of its documents are missing';
const DAMAGED = 'some of its documents do not match their checksums';

/** The entries of a directory, one per document of the family. */
interface Directory {
  /** The number of the first text of each document. */
  readonly firsts: Uint32Array;
  /** The bytes of the texts of each document. */
  readonly bytes: Uint32Array;
  /** The number of texts of each document. */
  readonly counts: Uint32Array;
}

/** The selected texts of a document. */
interface DocumentTexts {
  readonly document: DataTexts;
  readonly ordinal: number;
  /** The indexes of the selected texts in the document. */
  readonly indexes: Uint32Array;
  readonly texts: readonly Uint8Array[];
}

export class CosmosReleaseReader implements ReleaseReader {
  readonly facts: ReleaseFacts;

  private readonly documents: ReleaseDocuments;
  /** Whether `findFault` has checked the last record. */
  private isLastRecordChecked = false;

  constructor(
    private readonly release: ReleaseDocument,
    private readonly calls: CosmosCalls,
    caches: DocumentCaches,
  ) {
    this.facts = release.facts;
    this.documents = new ReleaseDocuments(release, calls, caches);
  }

  /** Single documents do not get lost, so a quick check reads only the last record, and only once. */
  async findFault(check: IntegrityCheck = 'quick'): Promise<string | undefined> {
    const { documents } = this;
    try {
      if (check === 'full') {
        documents.lacksDocuments = !(await hasAllDocuments(this.calls, this.release.prefix, this.release.documents));
        if (!documents.lacksDocuments) await this.readEverything();
      } else if (!this.isLastRecordChecked && !this.hasFault) {
        if (this.facts.records > 0) await this.texts('records', Uint32Array.of(this.facts.records - 1));
        this.isLastRecordChecked = true;
      }
    } catch (error) {
      if (!(error instanceof ReleaseGoneError || error instanceof DamagedReleaseError)) throw error;
    }
    if (documents.lacksDocuments) return MISSING;
    return documents.isDamaged ? DAMAGED : undefined;
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
    const documents = await this.documents.readEach('terms', numbers);
    const lists = new Map<string, FragmentEntry>();
    for (const { content } of documents) for (const [term, list] of content) lists.set(term, list);
    return Promise.all(
      stored.map(async (term) => {
        const list = lists.get(term);
        return list === undefined ? undefined : this.readPosting(list);
      }),
    );
  }

  async blobs(family: BlobFamily, numbers: Uint32Array): Promise<readonly Uint8Array[]> {
    if (numbers.length === 0) return [];
    const { documents } = this;
    const selected = selectChunks(await this.getFirstFragments(family), numbers);
    // Searches cache places and names themselves, in decoded form.
    const isCached = family === 'geometries';
    const ordinals = selected.map(({ ordinal }) => ordinal);
    const read = isCached
      ? await Promise.all(ordinals.map((ordinal) => documents.readCached(family, ordinal)))
      : await documents.readEach(family, ordinals);
    const fragments = selected.flatMap(({ indexes }, position) => {
      const entries = read[position]?.content ?? [];
      return Array.from(indexes, (index) => this.readBlob(family, entries[index]));
    });
    return Promise.all(fragments);
  }

  async measure(family: TextFamily, numbers: Uint32Array): Promise<readonly MeasuredText[]> {
    const directory = await this.getDirectory(family);
    const measured: MeasuredText[] = [];
    for await (const { document, indexes, texts } of this.selectTexts(family, select(directory, numbers), directory)) {
      for (const [position, { length: bytes }] of texts.entries()) {
        measured.push({ bytes, references: readReferences(document, numberAt(indexes, position)) });
      }
    }
    return measured;
  }

  /**
   * For `admit`, documents whose texts are all selected count with their sizes in the directory, before they are read.
   * Other documents are read first, because only the sizes of the selected texts count. A large text has its own
   * document.
   */
  async texts(family: TextFamily, numbers: Uint32Array, admit?: ReserveBytes): Promise<JoinedTexts> {
    const directory = await this.getDirectory(family);
    const selected = select(directory, numbers);
    const isSmall = countBytes(selected, directory) <= SMALL_PAGE_BYTES;
    const whole = isSmall ? [] : selected.filter((one) => isWhole(one, directory));
    const partial = isSmall ? selected : selected.filter((one) => !isWhole(one, directory));
    const found = new Map<number, DocumentTexts>();
    for await (const one of this.selectTexts(family, partial, directory)) found.set(one.ordinal, one);
    const partialBytes = [...found.values()].flatMap(({ texts }) => texts).reduce((sum, { length }) => sum + length, 0);
    admit?.(partialBytes + countBytes(whole, directory) + Math.max(0, numbers.length - 1));
    for await (const one of this.selectTexts(family, whole, directory)) found.set(one.ordinal, one);
    const inOrder = selected.flatMap(({ ordinal }) => found.get(ordinal) ?? []);
    const references = Uint32Array.from(new Set(inOrder.flatMap(listReferences))).sort();
    return { ...joinJsonTexts(inOrder.flatMap(({ texts }) => texts)), references };
  }

  async *parts(): AsyncIterable<ReleasePart> {
    for await (const document of this.documents.readAllData('lookups', (await this.getDirectory('lookups')).firsts)) {
      for (const text of document.texts) {
        yield { kind: 'lookups', content: (await this.readText(text)).toString() };
      }
    }
    for await (const document of this.documents.readAllData('records', (await this.getDirectory('records')).firsts)) {
      for (const [index, text] of document.texts.entries()) {
        const json = (await this.readText(text)).toString();
        yield { kind: 'record', json, references: readReferences(document, index) };
      }
    }
    for (const kind of BLOB_FAMILIES) {
      for await (const { content } of this.documents.readAll(kind)) {
        for (const entry of content) yield { kind, content: await this.readBlob(kind, entry) };
      }
    }
    for await (const { content: terms } of this.documents.readAll('terms')) {
      for (const [term, list, text] of terms) {
        const whole = text === undefined ? term : Buffer.from(await this.documents.content(text)).toString();
        yield { kind: 'posting', term: whole, content: await this.readPosting(list) };
      }
    }
  }

  async *sourceFiles(): AsyncIterable<SourceFile> {
    const reference = this.release.contents[SOURCE_LIST];
    if (reference === undefined) throw new Error('a release without source rows');
    const list = Buffer.from(await this.documents.content(reference)).toString();
    // Written by CosmosReleaseWriter.
    for (const { name, pieces } of JSON.parse(list) as readonly ListedFile[]) {
      yield { name, pieces: () => this.readSourcePieces(pieces) };
    }
  }

  /**
   * Whether missing or damaged documents of the release were found. The store then checks whether it was deleted or
   * written again.
   */
  get hasFault(): boolean {
    return this.documents.lacksDocuments || this.documents.isDamaged;
  }

  /** Whether this reader reads the documents that are currently registered for the release. */
  reads({ prefix }: ReleaseDocument): boolean {
    return prefix === this.release.prefix;
  }

  /** Reads all documents, which compares each with its digest. */
  private async readEverything(): Promise<void> {
    for (const family of TEXT_FAMILIES) {
      const { firsts } = await this.getDirectory(family);
      await readToEnd(this.documents.readAllData(family, firsts));
    }
    for (const family of INDEX_FAMILIES) await readToEnd(this.documents.readAll(family));
  }

  private async *readSourcePieces(references: readonly ContentReference[]): AsyncIterable<Uint8Array> {
    for (const reference of references) yield await this.documents.content(reference);
  }

  private async *selectTexts(
    family: TextFamily,
    selected: readonly SelectedChunk[],
    { firsts }: Directory,
  ): AsyncIterable<DocumentTexts> {
    for (let from = 0; from < selected.length; from += DOCUMENTS_AT_ONCE) {
      const batch = selected.slice(from, from + DOCUMENTS_AT_ONCE);
      const ordinals = batch.map(({ ordinal }) => ordinal);
      const documents: readonly DataTexts[] = await this.documents.readData(family, ordinals, firsts);
      for (const [position, { ordinal, indexes }] of batch.entries()) {
        const document = documents[position];
        if (document === undefined) throw new Error('a document of a release was not read');
        const texts = await Promise.all(Array.from(indexes, (index) => this.readText(document.texts[index])));
        yield { document, ordinal, indexes, texts };
      }
    }
  }

  private async readText(text: DataTexts['texts'][number] | undefined): Promise<Buffer> {
    if (text === undefined) throw new Error('a document of a release is shorter than its directory says');
    return Buffer.from(typeof text === 'string' ? text : await this.documents.largeFragment(text));
  }

  /** Chunks of places and names are compressed, which saves a third of their size. */
  private async readBlob(family: BlobFamily, entry: FragmentEntry | undefined): Promise<Uint8Array> {
    if (entry === undefined) throw new Error(`a document of ${family} is shorter than its directory says`);
    const fragment = readFragment(entry);
    const content = fragment instanceof Uint8Array ? fragment : await this.documents.largeFragment(fragment);
    return family === 'geometries' ? content : new Uint8Array(zstdDecompressSync(content));
  }

  private async readPosting(list: FragmentEntry): Promise<Uint8Array> {
    const fragment = readFragment(list);
    return fragment instanceof Uint8Array ? fragment : this.documents.content(fragment);
  }

  private getDirectory(family: TextFamily): Promise<Directory> {
    const name = getTextDirectoryName(family);
    return this.documents.derive(name, async () => {
      const numbers = await this.documents.readNumbers(name);
      const counts = numbers.subarray(0, numbers.length / 2);
      return { counts, bytes: numbers.subarray(numbers.length / 2), firsts: sumBefore(counts) };
    });
  }

  private getFirstFragments(family: BlobFamily): Promise<Uint32Array> {
    const name = getBlobDirectoryName(family);
    return this.documents.derive(name, async () => sumBefore(await this.documents.readNumbers(name)));
  }
}

async function readToEnd(documents: AsyncIterable<unknown>): Promise<void> {
  const iterator = documents[Symbol.asyncIterator]();
  while ((await iterator.next()).done !== true) await giveWayIfSliceOver();
}

function select({ firsts }: Directory, numbers: Uint32Array): readonly SelectedChunk[] {
  return numbers.length === 0 ? [] : selectChunks(firsts, numbers);
}

/** Returns the bytes of all texts of the documents. */
function countBytes(selected: readonly SelectedChunk[], { bytes }: Directory): number {
  return selected.reduce((sum, { ordinal }) => sum + numberAt(bytes, ordinal), 0);
}

function listReferences({ document, indexes }: DocumentTexts): readonly number[] {
  return Array.from(indexes).flatMap((index) => readReferences(document, index));
}

/** Whether all texts of a document are selected. */
function isWhole({ ordinal, indexes }: Pick<SelectedChunk, 'ordinal' | 'indexes'>, { counts }: Directory): boolean {
  return indexes.length === counts[ordinal];
}

/** Returns, for each count, the sum of the counts before it. */
function sumBefore(counts: Uint32Array): Uint32Array {
  let sum = 0;
  return counts.map((count) => {
    const before = sum;
    sum += count;
    return before;
  });
}
