// Writes a release: to the local disk while it is made, into the container when it is finished. A release that exists
// already, because nothing changed in it, costs no writes.

import { randomBytes } from 'node:crypto';
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { zstdCompressSync } from 'node:zlib';
import { compareUtf8 } from '../../values/text';
import type { WrittenArtifact } from '../artifacts';
import type { FragmentFamily, ReleaseFacts, ReleaseWriter } from '../port';
import { processName } from '../process-names';
import { uploadDocuments } from './bulk-writes';
import type { CosmosCalls } from './calls';
import {
  directoryOf,
  lengthsOf,
  SOURCE_LIST,
  storedTerm,
  type ContentReference,
  type DocumentCounts,
  type ListedFile,
  type MeasuredFamily,
  type UnfinishedDocument,
} from './documents';
import { FragmentRunBuilder, RecordRunBuilder } from './runs';
import type { ReleaseRegistry } from './release-registry';
import { PieceBuffer, RunBuffer, TermBuffer, type DocumentBuffers } from './write-buffers';

/** A larger posting list would make its neighbours in the bucket dear to read, so it stands in pieces. */
const SMALL_LIST_BYTES = 3072;

/** A partition key has 2 KB; the release's digest makes it unique. */
const LONGEST_NAME = 200;

export class CosmosReleaseWriter implements ReleaseWriter {
  private readonly folder: string;
  private readonly recordRuns: RecordRunBuilder;
  private readonly runs: {
    readonly records: RunBuffer<Parameters<RecordRunBuilder['add']>>;
    readonly lookups: RunBuffer<Parameters<FragmentRunBuilder['add']>>;
    readonly geometries: RunBuffer<Parameters<FragmentRunBuilder['add']>>;
    readonly places: RunBuffer<Parameters<FragmentRunBuilder['add']>>;
  };
  private readonly pieces: PieceBuffer;
  private readonly terms: TermBuffer;
  private readonly contents: Record<string, ContentReference> = {};
  /** The bytes of each text. */
  private readonly lengths: Readonly<Record<MeasuredFamily, number[]>> = { records: [], lookups: [] };
  private readonly sources = new Map<string, ContentReference[]>();
  private isOpen = true;
  private unfinished: UnfinishedDocument | undefined;
  /** The id of the release once it is finished. */
  private finished: string | undefined;

  constructor(
    private readonly calls: CosmosCalls,
    private readonly registry: ReleaseRegistry,
    stagingDirectory: string,
  ) {
    // The name tells the janitor whose folder it is, should this process die.
    this.folder = join(stagingDirectory, processName());
    mkdirSync(this.folder, { recursive: true });
    const path = (name: string): string => join(this.folder, name);
    const addContent = (content: Uint8Array): ContentReference => this.pieces.add(content);
    this.recordRuns = new RecordRunBuilder(addContent);
    this.runs = {
      records: new RunBuffer(path('records'), this.recordRuns),
      lookups: new RunBuffer(path('lookups'), new FragmentRunBuilder(addContent)),
      geometries: new RunBuffer(path('geometries'), new FragmentRunBuilder(addContent)),
      places: new RunBuffer(path('places'), new FragmentRunBuilder(addContent)),
    };
    this.pieces = new PieceBuffer(path('pieces'));
    this.terms = new TermBuffer(path('terms'));
  }

  addRecord(json: string | Uint8Array, references: readonly number[]): void {
    this.lengths.records.push(Buffer.byteLength(json));
    this.runs.records.add(typeof json === 'string' ? json : Buffer.from(json).toString(), references);
  }

  addFragment(family: FragmentFamily, content: string | Uint8Array): void {
    if (family === 'lookups') {
      this.lengths.lookups.push(Buffer.byteLength(content));
      // Texts stand in documents as texts, in whatever form they come; other bytes stand in base64.
      this.runs.lookups.add(typeof content === 'string' ? content : Buffer.from(content).toString());
    } else this.runs[family].add(family === 'places' ? zstdCompressSync(content) : content);
  }

  addPosting(term: string, content: Uint8Array): void {
    const isSmall = content.length <= SMALL_LIST_BYTES;
    const list = isSmall ? Buffer.from(content).toString('base64') : this.pieces.add(content);
    const stored = storedTerm(term);
    this.terms.add({ term: stored, list, ...(stored === term ? {} : { text: this.pieces.add(Buffer.from(term)) }) });
  }

  addArtifact(name: WrittenArtifact, content: Uint8Array): void {
    this.contents[name] = this.pieces.add(content);
  }

  /** Content is compressed as a whole, so it is in memory here. */
  addLongArtifact(name: WrittenArtifact, pieces: Iterable<Uint8Array>): void {
    this.addArtifact(name, Buffer.concat(Array.from(pieces, (piece) => Buffer.from(piece))));
  }

  addSourcePiece(file: string, piece: Uint8Array): void {
    const pieces = this.sources.get(file) ?? [];
    this.sources.set(file, pieces);
    pieces.push(this.pieces.add(piece));
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
    this.finished = facts.releaseId;
    await this.discard();
  }

  async abandon(): Promise<void> {
    await this.discard();
    if (this.finished !== undefined) await this.registry.endLease(this.finished);
  }

  private async upload(facts: ReleaseFacts): Promise<void> {
    const { releaseId: id, organization, dataSet } = facts;
    const documents = this.endRuns();
    // Two writers of one release do not meet: each has a prefix of its own.
    const place = encodeURIComponent(organization.OrganizationUUID).slice(0, LONGEST_NAME);
    const prefix = `${place}/${dataSet}/${id}-${randomBytes(4).toString('hex')}`;
    const unfinished = await this.registry.begin(prefix, documents);
    this.unfinished = unfinished;
    await uploadDocuments(this.calls, prefix, this.buffers(), () => this.registry.renewLeases());
    const release = { id, prefix, facts, documents, shape: this.recordRuns.shape(), contents: this.contents };
    const outcome = await this.registry.complete(unfinished, release);
    // Otherwise another writer was first, and `discard` removes these documents.
    if (outcome === 'completed') this.unfinished = undefined;
  }

  /** Ends the runs under way; returns how many documents there are then. */
  private endRuns(): DocumentCounts {
    for (const family of ['records', 'lookups', 'geometries', 'places'] as const) {
      this.contents[directoryOf(family)] = this.pieces.add(this.runs[family].end());
    }
    for (const family of ['records', 'lookups'] as const) {
      const { buffer } = Uint32Array.from(this.lengths[family]);
      this.contents[lengthsOf(family)] = this.pieces.add(new Uint8Array(buffer));
    }
    const files = [...this.sources].map(([name, pieces]): ListedFile => ({ name, pieces }));
    files.sort((a, b) => compareUtf8(a.name, b.name));
    this.contents[SOURCE_LIST] = this.pieces.add(Buffer.from(JSON.stringify(files)));
    const { records, lookups, geometries, places, terms, pieces } = this.buffers();
    return {
      ...{ records: records.count, lookups: lookups.count, geometries: geometries.count },
      ...{ places: places.count, terms: terms.count, pieces: pieces.count },
    };
  }

  private buffers(): DocumentBuffers {
    return { ...this.runs, terms: this.terms, pieces: this.pieces };
  }

  private async discard(): Promise<void> {
    if (this.isOpen) {
      this.isOpen = false;
      for (const buffer of Object.values(this.buffers())) buffer.close();
      rmSync(this.folder, { recursive: true, force: true });
    }
    const { unfinished } = this;
    this.unfinished = undefined;
    if (unfinished !== undefined) await this.registry.discard(unfinished);
  }
}
