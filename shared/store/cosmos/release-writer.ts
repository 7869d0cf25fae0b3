// Writes a release: on the local disk while it is made, into the container when it is finished. A release that is held already,
// or that nothing changed in, costs no writes.

import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { randomBytes } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { compareUtf8 } from '../../values/utf8-order';
import type { ArtifactName, FragmentFamily, ReleaseFacts, ReleaseWriter } from '../port';
import { processName } from '../process-names';
import type { CosmosCalls } from './cosmos-calls';
import type { ContentReference } from './documents';
import { FragmentPacker, type FragmentRun } from './fragment-runs';
import { RecordPacker, type RecordRun } from './record-runs';
import { directoryOf, SOURCE_LIST, type DocumentCounts, type UnfinishedDocument } from './release-documents';
import type { ReleaseRegistry } from './release-registry';
import { uploadRelease } from './release-upload';
import { PieceSpool, RunSpool } from './spool';
import { SMALL_LIST_BYTES, storedTerm, TermSpool } from './term-buckets';

export class CosmosReleaseWriter implements ReleaseWriter {
  private readonly folder: string;
  private readonly records: RunSpool<RecordRun>;
  private readonly fragments: Readonly<Record<FragmentFamily, RunSpool<FragmentRun>>>;
  private readonly pieces: PieceSpool;
  private readonly terms: TermSpool;
  private readonly recordPacker: RecordPacker;
  private readonly fragmentPackers: Readonly<Record<FragmentFamily, FragmentPacker>>;
  private readonly contents: Record<string, ContentReference> = {};
  private readonly sources = new Map<string, ContentReference[]>();
  private isOpen = true;
  private unfinished: UnfinishedDocument | undefined;
  private finished: string | undefined;

  constructor(
    private readonly calls: CosmosCalls,
    private readonly registry: ReleaseRegistry,
    stagingDirectory: string,
  ) {
    // The name tells the janitor whose it is, should this process die.
    this.folder = join(stagingDirectory, processName());
    mkdirSync(this.folder, { recursive: true });
    this.records = new RunSpool(join(this.folder, 'records'));
    this.fragments = {
      lookups: new RunSpool(join(this.folder, 'lookups')),
      geometries: new RunSpool(join(this.folder, 'geometries')),
    };
    this.pieces = new PieceSpool(join(this.folder, 'pieces'));
    this.terms = new TermSpool(join(this.folder, 'terms'));
    const addContent = (content: Uint8Array): ContentReference => this.pieces.add(content);
    this.recordPacker = new RecordPacker(addContent);
    this.fragmentPackers = { lookups: new FragmentPacker(addContent), geometries: new FragmentPacker(addContent) };
  }

  addRecord(json: string | Uint8Array, references: readonly number[]): void {
    const text = typeof json === 'string' ? json : Buffer.from(json).toString();
    this.records.add(this.recordPacker.add(text, references));
  }

  addFragment(family: FragmentFamily, content: string | Uint8Array): void {
    this.fragments[family].add(this.fragmentPackers[family].add(content));
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
    this.sources.set(file, [...pieces, this.pieces.add(piece)]);
  }

  /** The disk takes everything in at once; but timers and other answers of the process get their turn. */
  async drain(): Promise<void> {
    await setImmediate();
    await this.registry.renew();
  }

  async finish(facts: ReleaseFacts): Promise<void> {
    const { releaseId, organization, dataSet } = facts;
    if (!(await this.registry.hold(releaseId))) {
      const documents = this.complete();
      // Two writers of one release do not meet: each has a prefix of its own.
      const place = encodeURIComponent(organization.OrganizationUUID).slice(0, LONGEST_NAME);
      const prefix = `${place}/${dataSet}/${releaseId}-${randomBytes(4).toString('hex')}`;
      const unfinished = await this.registry.begin(prefix, documents);
      this.unfinished = unfinished;
      const { records, fragments, terms, pieces, contents } = this;
      const spools = { records, ...fragments, terms, pieces };
      await uploadRelease(this.calls, prefix, spools, () => this.registry.renew());
      const shape = this.recordPacker.shape();
      const outcome = await this.registry.complete(unfinished, {
        id: releaseId,
        prefix,
        facts,
        documents,
        shape,
        contents,
      });
      if (outcome === 'completed') this.unfinished = undefined;
    }
    this.finished = releaseId;
    await this.discard();
  }

  async abandon(): Promise<void> {
    await this.discard();
    if (this.finished !== undefined) await this.registry.letGo(this.finished);
  }

  /** Ends the runs under way; how many documents there are then. */
  private complete(): DocumentCounts {
    this.records.add(this.recordPacker.take());
    this.contents[directoryOf('records')] = this.pieces.add(this.records.directory());
    for (const family of ['lookups', 'geometries'] as const) {
      this.fragments[family].add(this.fragmentPackers[family].take());
      this.contents[directoryOf(family)] = this.pieces.add(this.fragments[family].directory());
    }
    const files = [...this.sources].map(([name, pieces]) => ({ name, pieces }));
    files.sort((a, b) => compareUtf8(a.name, b.name));
    this.contents[SOURCE_LIST] = this.pieces.add(Buffer.from(JSON.stringify(files)));
    return {
      records: this.records.count,
      lookups: this.fragments.lookups.count,
      geometries: this.fragments.geometries.count,
      terms: this.terms.buckets(),
      pieces: this.pieces.count,
    };
  }

  private async discard(): Promise<void> {
    if (this.isOpen) {
      this.isOpen = false;
      for (const spool of [this.records, this.fragments.lookups, this.fragments.geometries]) spool.close();
      this.pieces.close();
      this.terms.close();
      rmSync(this.folder, { recursive: true, force: true });
    }
    const { unfinished } = this;
    this.unfinished = undefined;
    if (unfinished !== undefined) await this.registry.discard(unfinished);
  }
}

/** A partition key has 2 KB; the release's digest makes it unique. */
const LONGEST_NAME = 200;
