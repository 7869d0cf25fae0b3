// Writes a release: to the local disk while it is made, into the container when it is finished. A release that exists
// already, because nothing changed in it, costs no writes.

import { randomBytes } from 'node:crypto';
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { compareUtf8 } from '../../values/text';
import type { ArtifactName, FragmentFamily, ReleaseFacts, ReleaseWriter } from '../port';
import { processName } from '../process-names';
import { uploadDocuments } from './bulk-writes';
import type { CosmosCalls } from './calls';
import {
  directoryOf,
  SOURCE_LIST,
  storedTerm,
  type ContentReference,
  type DocumentCounts,
  type ListedFile,
  type UnfinishedDocument,
} from './documents';
import { FragmentRunBuilder, type FragmentRun } from './runs';
import { RecordRunBuilder, type RecordRun } from './runs';
import type { ReleaseRegistry } from './release-registry';
import { PieceBuffer, RunBuffer, TermBuffer } from './write-buffers';

/** A larger posting list would make its neighbours in the bucket dear to read, so it stands in pieces. */
const SMALL_LIST_BYTES = 3072;

/** A partition key has 2 KB; the release's digest makes it unique. */
const LONGEST_NAME = 200;

interface FragmentWriter {
  readonly builder: FragmentRunBuilder;
  readonly buffer: RunBuffer<FragmentRun>;
}

export class CosmosReleaseWriter implements ReleaseWriter {
  private readonly folder: string;
  private readonly records: RunBuffer<RecordRun>;
  private readonly recordRuns: RecordRunBuilder;
  private readonly fragments: Readonly<Record<FragmentFamily, FragmentWriter>>;
  private readonly pieces: PieceBuffer;
  private readonly terms: TermBuffer;
  private readonly contents: Record<string, ContentReference> = {};
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
    const fragmentWriter = (family: FragmentFamily): FragmentWriter => ({
      builder: new FragmentRunBuilder(addContent),
      buffer: new RunBuffer(path(family)),
    });
    this.records = new RunBuffer(path('records'));
    this.recordRuns = new RecordRunBuilder(addContent);
    this.fragments = { lookups: fragmentWriter('lookups'), geometries: fragmentWriter('geometries') };
    this.pieces = new PieceBuffer(path('pieces'));
    this.terms = new TermBuffer(path('terms'));
  }

  addRecord(json: string | Uint8Array, references: readonly number[]): void {
    const text = typeof json === 'string' ? json : Buffer.from(json).toString();
    this.records.add(this.recordRuns.add(text, references));
  }

  addFragment(family: FragmentFamily, content: string | Uint8Array): void {
    const { builder, buffer } = this.fragments[family];
    buffer.add(builder.add(content));
  }

  addPosting(term: string, content: Uint8Array): void {
    const isSmall = content.length <= SMALL_LIST_BYTES;
    const list = isSmall ? Buffer.from(content).toString('base64') : this.pieces.add(content);
    const stored = storedTerm(term);
    this.terms.add({ term: stored, list, ...(stored === term ? {} : { text: this.pieces.add(Buffer.from(term)) }) });
  }

  addArtifact(name: Exclude<ArtifactName, 'facts'>, content: Uint8Array): void {
    this.contents[name] = this.pieces.add(content);
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
    if (!(await this.registry.takeLease(facts.releaseId))) await this.upload(facts);
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
    const { records, fragments, terms, pieces, contents } = this;
    const { lookups, geometries } = fragments;
    const buffers = { records, lookups: lookups.buffer, geometries: geometries.buffer, terms, pieces };
    await uploadDocuments(this.calls, prefix, buffers, () => this.registry.renewLeases());
    const shape = this.recordRuns.shape();
    const outcome = await this.registry.complete(unfinished, { id, prefix, facts, documents, shape, contents });
    // Otherwise another writer was first, and `discard` removes these documents.
    if (outcome === 'completed') this.unfinished = undefined;
  }

  /** Ends the runs under way; returns how many documents there are then. */
  private endRuns(): DocumentCounts {
    this.records.add(this.recordRuns.take());
    this.contents[directoryOf('records')] = this.pieces.add(this.records.directory());
    for (const family of ['lookups', 'geometries'] as const) {
      const { builder, buffer } = this.fragments[family];
      buffer.add(builder.take());
      this.contents[directoryOf(family)] = this.pieces.add(buffer.directory());
    }
    const files = [...this.sources].map(([name, pieces]): ListedFile => ({ name, pieces }));
    files.sort((a, b) => compareUtf8(a.name, b.name));
    this.contents[SOURCE_LIST] = this.pieces.add(Buffer.from(JSON.stringify(files)));
    return {
      records: this.records.count,
      lookups: this.fragments.lookups.buffer.count,
      geometries: this.fragments.geometries.buffer.count,
      terms: this.terms.count,
      pieces: this.pieces.count,
    };
  }

  private async discard(): Promise<void> {
    if (this.isOpen) {
      this.isOpen = false;
      const { lookups, geometries } = this.fragments;
      for (const buffer of [this.records, lookups.buffer, geometries.buffer, this.pieces, this.terms]) buffer.close();
      rmSync(this.folder, { recursive: true, force: true });
    }
    const { unfinished } = this;
    this.unfinished = undefined;
    if (unfinished !== undefined) await this.registry.discard(unfinished);
  }
}
