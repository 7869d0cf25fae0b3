// Which releases are held, who needs them, and what was left behind. Everything that two processes could do at once is a
// write over the version that was read, so that one of them does it and the other hears of it (docs/adr/0026-cosmos-leases.md).

import { randomUUID } from 'node:crypto';
import type { CosmosCalls } from './cosmos-calls';
import { deleteDocuments } from './delete-documents';
import type { CosmosDocument } from './documents';
import { REGISTRY, type DocumentCounts, type ReleaseDocument, type UnfinishedDocument } from './release-documents';
import { STATEMENTS } from './statements';

/** Longer than a writer can be kept from renewing: by a long sort in its process, or by a store that has no time for it. */
const LEASE_MS = 15 * 60_000;
const RENEW_MS = 60_000;

/** Writers of one document come after each other; a few of them can be lucky in turn. */
const TRIES = 20;

export class ReleaseRegistry {
  private readonly holder = randomUUID();
  /** Releases and unfinished documents that this process has a lease on, with when it was renewed. */
  private readonly held = new Map<string, number>();
  private readonly unfinished = new Map<string, number>();

  constructor(
    private readonly calls: CosmosCalls,
    private readonly now: () => Date,
  ) {}

  async find(releaseId: string): Promise<ReleaseDocument | undefined> {
    return (await this.calls.read<ReleaseDocument>(REGISTRY, releaseId))?.document;
  }

  async list(): Promise<readonly string[]> {
    const text = STATEMENTS.releases;
    const found = await this.calls.query<Pick<ReleaseDocument, 'id'>>({ partition: REGISTRY, text });
    return found.map(({ id }) => id);
  }

  /** Keeps a release from being deleted until `letGo`; false when it is not held. */
  async hold(releaseId: string): Promise<boolean> {
    const isHeld = await this.update<ReleaseDocument>(releaseId, (release) => ({
      ...release,
      holders: [...this.others(release), { holder: this.holder, until: this.leaseEnd() }],
    }));
    if (isHeld) this.held.set(releaseId, this.now().getTime());
    return isHeld;
  }

  async letGo(releaseId: string): Promise<void> {
    if (!this.held.delete(releaseId)) return;
    await this.update<ReleaseDocument>(releaseId, (release) => ({ ...release, holders: this.others(release) }));
  }

  /** Before the first document of a release is written, so that whatever becomes of its writer they are found. */
  async begin(prefix: string, documents: DocumentCounts): Promise<UnfinishedDocument> {
    const document: UnfinishedDocument = {
      id: randomUUID(),
      partition: REGISTRY,
      kind: 'unfinished',
      ...{ prefix, documents, holder: this.holder, until: this.leaseEnd() },
    };
    await this.calls.write(REGISTRY, { operation: 'create', document });
    this.unfinished.set(document.id, this.now().getTime());
    return document;
  }

  /**
   * Makes a release readable, and holds it for its writer. `held`: somebody else had the same release ready first. Throws when
   * the lease ran out and the documents were removed.
   */
  async complete(
    unfinished: UnfinishedDocument,
    release: Omit<ReleaseDocument, 'partition' | 'kind' | 'holders'>,
  ): Promise<'completed' | 'held'> {
    const own = await this.calls.read<UnfinishedDocument>(REGISTRY, unfinished.id);
    const holders = [{ holder: this.holder, until: this.leaseEnd() }];
    const document: ReleaseDocument = { ...release, partition: REGISTRY, kind: 'release', holders };
    if (own?.document.holder === this.holder) {
      const outcome = await this.calls.writeAll(REGISTRY, [
        { operation: 'delete', id: unfinished.id, etag: own.etag },
        { operation: 'create', document },
      ]);
      // A write whose answer was lost is refused when it is tried again.
      if (outcome === 'written' || (await this.find(release.id))?.prefix === release.prefix) {
        this.unfinished.delete(unfinished.id);
        this.held.set(release.id, this.now().getTime());
        return 'completed';
      }
    }
    if (await this.hold(release.id)) return 'held';
    throw new Error('the lease of this load ran out and what it wrote was removed; load again');
  }

  /** Removes what was begun and not completed. */
  async discard(unfinished: UnfinishedDocument): Promise<void> {
    this.unfinished.delete(unfinished.id);
    await deleteDocuments(this.calls, unfinished.prefix, unfinished.documents);
    await this.calls.write(REGISTRY, { operation: 'delete', id: unfinished.id });
  }

  /** Called often while something long is under way; does little most of the time. */
  async renew(): Promise<void> {
    const due = this.now().getTime() - RENEW_MS;
    for (const [releaseId, renewed] of this.held) if (renewed < due) await this.hold(releaseId);
    for (const [id, renewed] of this.unfinished) {
      if (renewed >= due) continue;
      this.unfinished.set(id, this.now().getTime());
      await this.update<UnfinishedDocument>(id, (document) =>
        document.holder === this.holder ? { ...document, until: this.leaseEnd() } : undefined,
      );
    }
  }

  /** `isNamed` says whether a catalog state names the release. */
  async delete(releaseId: string, isNamed: () => Promise<boolean>): Promise<'deleted' | 'kept'> {
    for (let attempt = 0; attempt < TRIES; attempt++) {
      const held = await this.calls.read<ReleaseDocument>(REGISTRY, releaseId);
      if (held === undefined) return 'deleted';
      const release = held.document;
      if (release.holders.some(({ until }) => this.isGood(until)) || (await isNamed())) return 'kept';
      const { prefix, documents } = release;
      const lease = { holder: this.holder, until: this.leaseEnd() };
      const place = { id: randomUUID(), partition: REGISTRY, prefix, documents };
      const unfinished: UnfinishedDocument = { ...place, ...lease, kind: 'unfinished' };
      const outcome = await this.calls.writeAll(REGISTRY, [
        { operation: 'delete', id: releaseId, etag: held.etag },
        { operation: 'create', document: unfinished },
      ]);
      // Somebody has come to hold it, or has deleted it.
      if (outcome === 'refused') continue;
      await this.discard(unfinished);
      return 'deleted';
    }
    return 'kept';
  }

  async removeUnfinished(): Promise<void> {
    const text = STATEMENTS.unfinished;
    for (const document of await this.calls.query<UnfinishedDocument>({ partition: REGISTRY, text })) {
      if (this.isGood(document.until)) continue;
      // Of two janitors one does it; a writer that was only slow learns of it when it completes.
      const isOurs = await this.update<UnfinishedDocument>(document.id, (current) =>
        this.isGood(current.until) ? undefined : { ...current, holder: this.holder, until: this.leaseEnd() },
      );
      if (isOurs) await this.discard(document);
    }
  }

  /** False when the document is not there, or `change` gives nothing. */
  private async update<Document extends CosmosDocument>(
    id: string,
    change: (document: Document) => Document | undefined,
  ): Promise<boolean> {
    for (let attempt = 0; attempt < TRIES; attempt++) {
      const held = await this.calls.read<Document>(REGISTRY, id);
      const document = held === undefined ? undefined : change(held.document);
      if (held === undefined || document === undefined) return false;
      const outcome = await this.calls.write(REGISTRY, { operation: 'replace', document, etag: held.etag });
      if (outcome === 'written') return true;
    }
    throw new Error(`others kept writing ${REGISTRY}/${id}`);
  }

  private others({ holders }: ReleaseDocument): ReleaseDocument['holders'] {
    return holders.filter(({ holder, until }) => holder !== this.holder && this.isGood(until));
  }

  private isGood(until: string): boolean {
    return until > this.now().toISOString();
  }

  private leaseEnd(): string {
    return new Date(this.now().getTime() + LEASE_MS).toISOString();
  }
}
