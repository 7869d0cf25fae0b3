// Writes a release: first to the local disk, and into the containers when it is finished. Only then are its name and
// sizes known, and whether it has to be written at all: if nothing changed, the release already exists and costs no
// writes.

import { randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { zstdCompressSync } from 'node:zlib';
import { compareUtf8 } from '../../values/compare-utf8';
import { buildByName, getOrAdd } from '../../values/maps';
import { numberAt } from '../../values/number-arrays';
import type { WrittenArtifact } from '../artifacts';
import { makeFolder } from '../make-folder';
import {
  BLOB_FAMILIES,
  type BlobFamily,
  type FragmentFamily,
  type ReleaseFacts,
  type ReleaseWriter,
  TEXT_FAMILIES,
  type TextFamily,
} from '../port';
import { createProcessName } from '../process-names';
import { TextFile } from '../text-file';
import type { CosmosCalls, Write } from './calls';
import {
  type DataDocument,
  DataDocumentBuilder,
  type DataOwner,
  type DocumentSize,
  LOOKUP_DOCUMENT_KINDS,
  type LookupsContent,
  type LookupsDocument,
  type RecordsContent,
} from './data-documents';
import {
  BATCH_WRITE_BYTES,
  BATCH_WRITES,
  type ContentReference,
  type CosmosDocument,
  countJsonBytes,
  type DocumentCounts,
  FAMILIES,
  getBlobDirectoryName,
  getPartition,
  getTextDirectoryName,
  type IndexFamily,
  isDataFamily,
  type Partition,
  PIECE_BYTES,
  SOURCE_LIST,
} from './document-names';
import {
  digestIndexContent,
  findBucket,
  FragmentDocumentBuilder,
  hashTerm,
  type IndexContents,
  type IndexDocument,
  type TermEntry,
  toStoredTerm,
} from './index-documents';
import { MemberOrders } from './member-orders';
import type { ListedFile, UnfinishedDocument } from './registry-documents';
import type { ReleaseRegistry } from './release-registry';

/** A larger posting list is stored in pieces, because it would make its neighbors in the bucket expensive to read. */
const SMALL_LIST_BYTES = 3072;

/** The average size of a bucket; reading a bucket costs 1.7 request units. */
const BUCKET_BYTES = 8192;

/** A partition key may have 2 KB. The digest of the release makes it unique even if the name is cut. */
const MAX_NAME_LENGTH = 200;

/** Limits the batches in memory: about 1.5 MB each. */
const UPLOADS_AT_ONCE = 8;

/** The files staged on disk: the contents of documents as JSON, and lookups until their kinds are known. */
const FILES = [...FAMILIES, 'lookup texts'] as const;

/** A document of lookups in the staging folder. */
type StagedLookups = LookupsContent & Pick<LookupsDocument, 'kind'>;

export class CosmosReleaseWriter implements ReleaseWriter {
  private readonly folder: string;
  private readonly files: Readonly<Record<(typeof FILES)[number], TextFile>>;
  private readonly orders = new MemberOrders();
  private readonly records: DataDocumentBuilder;
  private readonly blobs: Readonly<Record<BlobFamily, FragmentDocumentBuilder<BlobFamily>>>;
  /** The size of each document, in the order of the documents. */
  private readonly sizes: Readonly<Record<TextFamily, DocumentSize[]>> = { records: [], lookups: [] };
  private readonly fragmentCounts: Readonly<Record<BlobFamily, number[]>> = buildByName(BLOB_FAMILIES, () => []);
  /** The hash of each term. */
  private readonly hashes: number[] = [];
  private readonly contents: Record<string, ContentReference> = {};
  private readonly sources = new Map<string, ContentReference[]>();
  private isOpen = true;
  private unfinished: UnfinishedDocument | undefined;
  /** The id of the release once it is finished. */
  private finishedId: string | undefined;

  constructor(
    private readonly calls: CosmosCalls,
    private readonly registry: ReleaseRegistry,
    stagingDirectory: string,
  ) {
    // The name contains the process id, so that the janitor can remove the folder if this process dies.
    this.folder = join(stagingDirectory, createProcessName());
    makeFolder(this.folder);
    this.files = buildByName(FILES, (name) => new TextFile(join(this.folder, name)));
    this.records = new DataDocumentBuilder(this.orders, this.addContent, (content, size) => {
      this.sizes.records.push(size);
      this.files.records.add(JSON.stringify(content));
    });
    this.blobs = buildByName(BLOB_FAMILIES, (family) => this.createFragmentBuilder(family));
  }

  addFragment(family: FragmentFamily, content: string | Uint8Array, references: readonly number[] = []): void {
    // Records and lookups are stored as texts, all other families as bytes.
    if (family === 'records') this.records.add(toText(content), references);
    else if (family === 'lookups') this.files['lookup texts'].add(toText(content));
    else {
      const bytes = Buffer.from(content);
      this.blobs[family].add(family === 'geometries' ? bytes : zstdCompressSync(bytes));
    }
  }

  addPosting(term: string, content: Uint8Array): void {
    const isSmall = content.length <= SMALL_LIST_BYTES;
    const list = isSmall ? Buffer.from(content).toString('base64') : this.addContent(content);
    const stored = toStoredTerm(term);
    const entry: TermEntry = stored === term ? [stored, list] : [stored, list, this.addContent(Buffer.from(term))];
    this.files.terms.add(JSON.stringify(entry));
    this.hashes.push(hashTerm(stored));
  }

  /** Content is compressed as a whole, so it is in memory here. */
  addArtifact(name: WrittenArtifact, pieces: Iterable<Uint8Array>): void {
    this.contents[name] = this.addContent(Buffer.concat(Array.from(pieces, (piece) => Buffer.from(piece))));
  }

  addSourcePiece(file: string, piece: Uint8Array): void {
    getOrAdd(this.sources, file, () => []).push(this.addContent(piece));
  }

  /** Writes to disk are synchronous, so this yields to timers and to other requests of the process. */
  async drain(): Promise<void> {
    await setImmediate();
    await this.registry.renewLeases();
  }

  async finish(facts: ReleaseFacts): Promise<void> {
    const { releaseId } = facts;
    const exists = (await this.registry.takeLease(releaseId)) && (await this.registry.isWhole(releaseId));
    if (!exists) await this.upload(facts);
    this.finishedId = facts.releaseId;
    await this.discard();
  }

  async abandon(): Promise<void> {
    await this.discard();
    if (this.finishedId !== undefined) await this.registry.endLease(this.finishedId);
  }

  private createFragmentBuilder(family: BlobFamily): FragmentDocumentBuilder<BlobFamily> {
    return new FragmentDocumentBuilder(this.addContent, (content) => {
      this.fragmentCounts[family].push(content.length);
      this.files[family].add(JSON.stringify(content));
    });
  }

  /** Stores content in its own pieces, compressed if that makes it smaller. */
  private readonly addContent = (content: Uint8Array): ContentReference => {
    const compressed = zstdCompressSync(content);
    const isCompressed = compressed.length < content.length;
    const stored = Buffer.from(isCompressed ? compressed : content);
    const first = this.files.pieces.count;
    for (let start = 0; start < stored.length; start += PIECE_BYTES) {
      const piece: IndexContents['pieces'] = stored.toString('base64', start, start + PIECE_BYTES);
      this.files.pieces.add(JSON.stringify(piece));
    }
    return [first, stored.length, isCompressed ? 1 : 0];
  };

  private async upload(facts: ReleaseFacts): Promise<void> {
    const { releaseId: id, organization, dataSet } = facts;
    const documents = this.endDocuments(facts);
    // Two writers of the same release do not collide, because each has its own prefix.
    const organizationName = encodeURIComponent(organization.OrganizationUUID).slice(0, MAX_NAME_LENGTH);
    const prefix = `${organizationName}/${dataSet}/${id}-${randomBytes(4).toString('hex')}`;
    const unfinished = await this.registry.begin(prefix, documents);
    this.unfinished = unfinished;
    const owner: DataOwner = { organization: organization.OrganizationUUID, dataSet, release: id };
    const batches = splitIntoBatches(this.listDocuments(prefix, owner));
    const sendAll = async (): Promise<void> => {
      for (const { place, writes } of batches) {
        const outcome = await this.calls.write(place, writes);
        if (outcome === 'refused') throw new Error(`documents of ${place.partition} were not accepted`);
        await this.registry.renewLeases();
      }
    };
    // After the first failure no more batches are sent. The documents are removed only when the requests in flight have
    // ended.
    const senders = Array.from({ length: UPLOADS_AT_ONCE }, sendAll);
    try {
      await Promise.all(senders);
    } finally {
      await Promise.allSettled(senders);
    }
    const { contents } = this;
    const release = { id, prefix, facts, documents, orders: this.orders.list(), contents };
    const outcome = await this.registry.complete(unfinished, release);
    // Otherwise another writer finished first, and `discard` removes these documents.
    if (outcome === 'completed') this.unfinished = undefined;
  }

  /** Ends the current documents. Returns the number of documents of each family. */
  private endDocuments(facts: ReleaseFacts): DocumentCounts {
    this.records.endDocument();
    this.stageLookups(facts);
    for (const family of TEXT_FAMILIES) {
      const sizes = this.sizes[family];
      const numbers = [...sizes.map(({ texts }) => texts), ...sizes.map(({ bytes }) => bytes)];
      this.contents[getTextDirectoryName(family)] = this.addContent(toBytes(numbers));
    }
    for (const family of BLOB_FAMILIES) {
      this.blobs[family].endDocument();
      this.contents[getBlobDirectoryName(family)] = this.addContent(toBytes(this.fragmentCounts[family]));
    }
    const files = [...this.sources].map(([name, pieces]): ListedFile => ({ name, pieces }));
    files.sort((a, b) => compareUtf8(a.name, b.name));
    this.contents[SOURCE_LIST] = this.addContent(Buffer.from(JSON.stringify(files)));
    return buildByName(FAMILIES, (family) => (family === 'terms' ? this.countBuckets() : this.files[family].count));
  }

  /**
   * A document contains lookups of one kind. How many lookups each kind has is known only when the release is finished.
   */
  private stageLookups({ lookups: kinds }: ReleaseFacts): void {
    const texts = this.files['lookup texts'];
    let kind: StagedLookups['kind'] = 'lookups';
    const builder = new DataDocumentBuilder(this.orders, this.addContent, ({ first, digest, records: items }, size) => {
      const content: StagedLookups = { kind, first, items, digest };
      this.sizes.lookups.push(size);
      this.files.lookups.add(JSON.stringify(content));
    });
    let number = 0;
    for (const { kind: name, count } of kinds) {
      kind = LOOKUP_DOCUMENT_KINDS[name];
      for (const end = Math.min(number + count, texts.count); number < end; number++)
        builder.add(texts.readText(number));
      builder.endDocument();
    }
    kind = 'lookups';
    for (; number < texts.count; number++) builder.add(texts.readText(number));
    builder.endDocument();
  }

  private *listDocuments(prefix: string, owner: DataOwner): Iterable<PlacedDocument> {
    for (const family of FAMILIES) {
      const documents = isDataFamily(family) ? this.readData(prefix, family, owner) : this.readIndex(prefix, family);
      let number = 0;
      for (const document of documents) {
        yield { place: getPartition(prefix, family, number), document };
        number++;
      }
    }
  }

  private *readData(prefix: string, family: TextFamily, owner: DataOwner): Iterable<DataDocument> {
    const file = this.files[family];
    for (let number = 0; number < file.count; number++) {
      const { partition } = getPartition(prefix, family, number);
      const frame = { id: String(number), partition, ...owner };
      // The code above staged it.
      const content = JSON.parse(file.readText(number)) as RecordsContent | StagedLookups;
      yield 'records' in content ? { ...frame, kind: 'records', ...content } : { ...frame, ...content };
    }
  }

  private *readIndex(prefix: string, family: IndexFamily): Iterable<IndexDocument<IndexFamily>> {
    let number = 0;
    for (const contentJson of family === 'terms' ? this.buckets() : readTexts(this.files[family])) {
      const { partition } = getPartition(prefix, family, number);
      const content = JSON.parse(contentJson) as IndexContents[IndexFamily]; // The code above staged it.
      yield { id: String(number), partition, content, digest: digestIndexContent(family, number, contentJson) };
      number++;
    }
  }

  private countBuckets(): number {
    return Math.ceil(this.files.terms.byteLength / BUCKET_BYTES);
  }

  /** Terms arrive in any order and take 16 bytes each in memory. A bucket may be empty. */
  private *buckets(): Iterable<string> {
    const { terms: file } = this.files;
    const { hashes } = this;
    const buckets = this.countBuckets();
    const order = new Uint32Array(hashes.length).map((_, index) => index);
    order.sort((a, b) => numberAt(hashes, a) - numberAt(hashes, b) || a - b);
    let next = 0;
    for (let bucket = 0; bucket < buckets; bucket++) {
      const terms: string[] = [];
      for (; next < order.length; next++) {
        const index = numberAt(order, next);
        if (findBucket(numberAt(hashes, index), buckets) !== bucket) break;
        terms.push(file.readText(index));
      }
      yield `[${terms.join(',')}]`;
    }
  }

  private async discard(): Promise<void> {
    if (this.isOpen) {
      this.isOpen = false;
      for (const file of Object.values(this.files)) file.close();
      rmSync(this.folder, { recursive: true, force: true });
    }
    const { unfinished } = this;
    this.unfinished = undefined;
    if (unfinished !== undefined) await this.registry.discard(unfinished);
  }
}

function toBytes(numbers: readonly number[]): Uint8Array {
  return new Uint8Array(Uint32Array.from(numbers).buffer);
}

function toText(content: string | Uint8Array): string {
  return typeof content === 'string' ? content : Buffer.from(content).toString();
}

function* readTexts(file: TextFile): Iterable<string> {
  for (let number = 0; number < file.count; number++) yield file.readText(number);
}

interface PlacedDocument {
  readonly place: Partition;
  readonly document: CosmosDocument;
}

interface Batch {
  readonly place: Partition;
  readonly writes: readonly Write[];
}

/** Splits documents into batches of neighbors in one partition, each as large as one request may be. */
function* splitIntoBatches(documents: Iterable<PlacedDocument>): Iterable<Batch> {
  let writes: Write[] = [];
  let bytes = 0;
  let batchPlace: Partition | undefined;
  for (const { place, document } of documents) {
    const size = countJsonBytes(document);
    const isFull = writes.length === BATCH_WRITES || bytes + size > BATCH_WRITE_BYTES;
    if (batchPlace !== undefined && writes.length > 0 && (isFull || place.partition !== batchPlace.partition)) {
      yield { place: batchPlace, writes };
      writes = [];
      bytes = 0;
    }
    // An upsert can be repeated if its answer was lost.
    writes.push({ operationType: 'Upsert', resourceBody: document });
    bytes += size;
    batchPlace = place;
  }
  if (batchPlace !== undefined && writes.length > 0) yield { place: batchPlace, writes };
}
