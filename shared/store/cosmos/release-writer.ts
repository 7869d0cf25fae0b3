// Writes a release: to the local disk while it is made, into the container when it is finished, because only then its
// name and its sizes are known, and whether it is needed at all. A release that exists already, because nothing changed
// in it, costs no writes.

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
  FRAGMENT_FAMILIES,
  type FragmentFamily,
  type ReleaseFacts,
  type ReleaseWriter,
  type TextFamily,
} from '../port';
import { createProcessName } from '../process-names';
import { TextFile } from '../text-file';
import type { CosmosCalls, Write } from './calls';
import {
  BATCH_WRITE_BYTES,
  BATCH_WRITES,
  type ContentReference,
  type Contents,
  type CosmosDocument,
  documentBytes,
  type DocumentCounts,
  FAMILIES,
  type Family,
  findBucket,
  FragmentChunkBuilder,
  getDirectoryName,
  getLengthsName,
  getPartition,
  hashTerm,
  type ListedFile,
  PIECE_BYTES,
  RecordChunkBuilder,
  SOURCE_LIST,
  type TermEntry,
  toStoredTerm,
  type UnfinishedDocument,
} from './documents';
import type { ReleaseRegistry } from './release-registry';

/** A larger posting list would make its neighbours in the bucket dear to read, so it stands in pieces. */
const SMALL_LIST_BYTES = 3072;

/** Buckets have this size on average; reading one costs 1.7 request units. */
const BUCKET_BYTES = 8192;

/** A partition key has 2 KB; the release's digest makes it unique. */
const MAX_NAME_LENGTH = 200;

/** Bounds what waits in memory: about 1.5 MB each. */
const UPLOADS_AT_ONCE = 8;

export class CosmosReleaseWriter implements ReleaseWriter {
  private readonly folder: string;
  /** The contents of documents as JSON. */
  private readonly files: Readonly<Record<Family, TextFile>>;
  private readonly chunkBuilders: Readonly<Record<Exclude<FragmentFamily, 'records'>, FragmentChunkBuilder>> & {
    readonly records: RecordChunkBuilder;
  };
  /** The first number of each run. */
  private readonly firsts: Readonly<Record<FragmentFamily, number[]>> = buildByName(FRAGMENT_FAMILIES, () => []);
  /** The bytes of each text. */
  private readonly lengths: Readonly<Record<TextFamily, number[]>> = { records: [], lookups: [] };
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
    // The name tells the janitor whose folder it is, should this process die.
    this.folder = join(stagingDirectory, createProcessName());
    makeFolder(this.folder);
    this.files = buildByName(FAMILIES, (family) => new TextFile(join(this.folder, family)));
    const addContent = (content: Uint8Array): ContentReference => this.addContent(content);
    this.chunkBuilders = {
      ...buildByName(FRAGMENT_FAMILIES, () => new FragmentChunkBuilder(addContent)),
      records: new RecordChunkBuilder(addContent),
    };
  }

  addFragment(family: FragmentFamily, content: string | Uint8Array, references: readonly number[] = []): void {
    if (family === 'records' || family === 'lookups') {
      this.lengths[family].push(Buffer.byteLength(content));
      // Texts stand in documents as texts, in whatever form they come; other bytes stand in base64.
      const text = typeof content === 'string' ? content : Buffer.from(content).toString();
      this.addChunk(family, this.chunkBuilders[family].add(text, references));
    } else
      this.addChunk(
        family,
        this.chunkBuilders[family].add(family === 'geometries' ? content : zstdCompressSync(content)),
      );
  }

  addPosting(term: string, content: Uint8Array): void {
    const isSmall = content.length <= SMALL_LIST_BYTES;
    const list = isSmall ? Buffer.from(content).toString('base64') : this.addContent(content);
    const stored = toStoredTerm(term);
    const text = stored === term ? {} : { text: this.addContent(Buffer.from(term)) };
    const entry: TermEntry = { term: stored, list, ...text };
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

  /** The disk takes everything in at once; but timers and other answers of the process get their turn. */
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

  private addChunk(family: FragmentFamily, chunk: Contents[FragmentFamily] | undefined): void {
    if (chunk === undefined) return;
    this.firsts[family].push(chunk.first);
    this.files[family].add(JSON.stringify(chunk));
  }

  /** Stores content in pieces of its own, compressed where that makes it smaller. */
  private addContent(content: Uint8Array): ContentReference {
    const compressed = zstdCompressSync(content);
    const isCompressed = compressed.length < content.length;
    const stored = Buffer.from(isCompressed ? compressed : content);
    const first = this.files.pieces.count;
    for (let start = 0; start < stored.length; start += PIECE_BYTES) {
      const piece: Contents['pieces'] = { content: stored.toString('base64', start, start + PIECE_BYTES) };
      this.files.pieces.add(JSON.stringify(piece));
    }
    return [first, stored.length, isCompressed ? 1 : 0];
  }

  private async upload(facts: ReleaseFacts): Promise<void> {
    const { releaseId: id, organization, dataSet } = facts;
    const documents = this.endChunks();
    // Two writers of one release do not meet: each has a prefix of its own.
    const organizationName = encodeURIComponent(organization.OrganizationUUID).slice(0, MAX_NAME_LENGTH);
    const prefix = `${organizationName}/${dataSet}/${id}-${randomBytes(4).toString('hex')}`;
    const unfinished = await this.registry.begin(prefix, documents);
    this.unfinished = unfinished;
    const batches = splitIntoBatches(this.documents(prefix));
    const sendAll = async (): Promise<void> => {
      for (const { partition, writes } of batches) {
        const outcome = await this.calls.write(partition, writes);
        if (outcome === 'refused') throw new Error(`documents of ${partition} were not taken`);
        await this.registry.renewLeases();
      }
    };
    // The first that fails ends the list for all; the others' requests are over before their documents are removed.
    const senders = Array.from({ length: UPLOADS_AT_ONCE }, sendAll);
    try {
      await Promise.all(senders);
    } finally {
      await Promise.allSettled(senders);
    }
    const release = {
      id,
      prefix,
      facts,
      documents,
      shape: this.chunkBuilders.records.shape(),
      contents: this.contents,
    };
    const outcome = await this.registry.complete(unfinished, release);
    // Otherwise another writer was first, and `discard` removes these documents.
    if (outcome === 'completed') this.unfinished = undefined;
  }

  /** Ends the runs under way; returns how many documents there are then. */
  private endChunks(): DocumentCounts {
    for (const family of FRAGMENT_FAMILIES) {
      this.addChunk(family, this.chunkBuilders[family].endChunk());
      this.contents[getDirectoryName(family)] = this.addContent(toBytes(this.firsts[family]));
    }
    for (const family of ['records', 'lookups'] as const) {
      this.contents[getLengthsName(family)] = this.addContent(toBytes(this.lengths[family]));
    }
    const files = [...this.sources].map(([name, pieces]): ListedFile => ({ name, pieces }));
    files.sort((a, b) => compareUtf8(a.name, b.name));
    this.contents[SOURCE_LIST] = this.addContent(Buffer.from(JSON.stringify(files)));
    return buildByName(FAMILIES, (family) => (family === 'terms' ? this.countBuckets() : this.files[family].count));
  }

  private *documents(prefix: string): Iterable<CosmosDocument> {
    for (const family of FAMILIES) {
      let number = 0;
      for (const content of family === 'terms' ? this.buckets() : this.readContents(family)) {
        yield { id: String(number), partition: getPartition(prefix, family, number), ...content };
        number++;
      }
    }
  }

  private *readContents(family: Family): Iterable<object> {
    const file = this.files[family];
    for (let number = 0; number < file.count; number++) yield JSON.parse(file.readText(number)) as object; // Written above.
  }

  private countBuckets(): number {
    return Math.ceil(this.files.terms.byteLength / BUCKET_BYTES);
  }

  /** Terms come in any order; in memory each takes 16 bytes. A bucket may be empty. */
  private *buckets(): Iterable<Contents['terms']> {
    const { terms: file } = this.files;
    const { hashes } = this;
    const buckets = this.countBuckets();
    const order = new Uint32Array(hashes.length).map((_, index) => index);
    order.sort((a, b) => numberAt(hashes, a) - numberAt(hashes, b) || a - b);
    let next = 0;
    for (let bucket = 0; bucket < buckets; bucket++) {
      const terms: TermEntry[] = [];
      for (; next < order.length; next++) {
        const index = numberAt(order, next);
        if (findBucket(numberAt(hashes, index), buckets) !== bucket) break;
        terms.push(JSON.parse(file.readText(index)) as TermEntry); // Added by `addPosting`.
      }
      yield { terms };
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

interface Batch {
  readonly partition: string;
  readonly writes: readonly Write[];
}

/** Neighbouring documents of one partition, as many as one request may write. */
function* splitIntoBatches(documents: Iterable<CosmosDocument>): Iterable<Batch> {
  let writes: Write[] = [];
  let bytes = 0;
  let partition = '';
  for (const document of documents) {
    const size = documentBytes(document);
    const isFull = writes.length === BATCH_WRITES || bytes + size > BATCH_WRITE_BYTES;
    if (writes.length > 0 && (isFull || document.partition !== partition)) {
      yield { partition, writes };
      writes = [];
      bytes = 0;
    }
    // An upsert can be repeated when its answer was lost.
    writes.push({ operationType: 'Upsert', resourceBody: document });
    bytes += size;
    ({ partition } = document);
  }
  if (writes.length > 0) yield { partition, writes };
}
