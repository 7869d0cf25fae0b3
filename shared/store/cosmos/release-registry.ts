// The registry says which releases exist, who has a lease on them, and what was left behind. Everything that two
// processes could do at once is a write over the version that was read, so that one of them does it and the other hears
// of it (docs/adr/0026-cosmos-leases.md).

import { randomUUID } from 'node:crypto';
import { areAllThere, deleteDocuments } from './bulk-writes';
import { STATEMENTS, type CosmosCalls } from './calls';
import { REGISTRY, type DocumentCounts, type Lease, type ReleaseDocument, type UnfinishedDocument } from './documents';
import type { StoredDocument, Write } from './logged-container';

/** Longer than a long sort, or a store that has no time, can keep a writer from renewing. */
const LEASE_MS = 15 * 60_000;
const RENEW_MS = 60_000;

/** Each try lost its race with another process that took a lease. */
const RACE_TRIES = 20;

export class ReleaseRegistry {
  private readonly holder = randomUUID();
  /** When this process renewed its leases: on releases, and on unfinished documents, by their ids. */
  private readonly releaseLeases = new Map<string, number>();
  private readonly unfinishedLeases = new Map<string, number>();

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

  /** Keeps a release from being deleted until `endLease`; false when it does not exist. */
  async takeLease(releaseId: string): Promise<boolean> {
    const exists = await this.setOwnLeases(releaseId, [this.newLease()]);
    if (exists) this.releaseLeases.set(releaseId, this.now().getTime());
    return exists;
  }

  async endLease(releaseId: string): Promise<void> {
    if (this.releaseLeases.delete(releaseId)) await this.setOwnLeases(releaseId, []);
  }

  /** Registers documents before the first is written, so that they are found whatever becomes of their writer. */
  async begin(prefix: string, documents: DocumentCounts): Promise<UnfinishedDocument> {
    const document = this.unfinishedDocument(prefix, documents);
    await this.calls.write(REGISTRY, { operation: 'create', document });
    this.unfinishedLeases.set(document.id, this.now().getTime());
    return document;
  }

  /** Whether a release exists and none of its documents are missing. */
  async isWhole(releaseId: string): Promise<boolean> {
    const release = await this.find(releaseId);
    return release !== undefined && areAllThere(this.calls, release.prefix, release.documents);
  }

  /**
   * Makes a release readable, with a lease for its writer; one of the same id that lacks documents gives way and is
   * removed. `exists`: somebody else had the same release ready first. Throws when the writer's lease ran out and its
   * documents were removed.
   */
  async complete(
    unfinished: UnfinishedDocument,
    release: Omit<ReleaseDocument, 'partition' | 'kind' | 'holders'>,
  ): Promise<'completed' | 'exists'> {
    for (let attempt = 0; attempt < RACE_TRIES; attempt++) {
      const stored = await this.calls.read<UnfinishedDocument>(REGISTRY, unfinished.id);
      const isOurs = stored?.document.holder === this.holder;
      if (!isOurs || (await this.isWhole(release.id))) break;
      const former = await this.calls.read<ReleaseDocument>(REGISTRY, release.id);
      const holders = [...this.othersLeases(former?.document), this.newLease()];
      const document: ReleaseDocument = { ...release, partition: REGISTRY, kind: 'release', holders };
      const { writes, removed } = this.replacement(former, document);
      const begun = { operation: 'delete', id: unfinished.id, etag: stored.etag } as const;
      const outcome = await this.calls.writeAll(REGISTRY, [begun, ...writes]);
      // A write whose answer was lost is refused when it is sent again.
      if (outcome === 'refused' && (await this.find(release.id))?.prefix !== release.prefix) continue;
      this.unfinishedLeases.delete(unfinished.id);
      this.releaseLeases.set(release.id, this.now().getTime());
      if (removed !== undefined) await this.discard(removed);
      return 'completed';
    }
    if (await this.takeLease(release.id)) return 'exists';
    throw new Error('the lease of this load ran out and what it wrote was removed; load again');
  }

  /** Removes what was begun and not completed. */
  async discard(unfinished: UnfinishedDocument): Promise<void> {
    this.unfinishedLeases.delete(unfinished.id);
    await deleteDocuments(this.calls, unfinished.prefix, unfinished.documents);
    await this.calls.write(REGISTRY, { operation: 'delete', id: unfinished.id });
  }

  /** Called often, and by several at once, while something long is under way; does little most of the time. */
  async renewLeases(): Promise<void> {
    const due = this.now().getTime() - RENEW_MS;
    for (const [releaseId, renewedAt] of this.releaseLeases) {
      if (renewedAt >= due) continue;
      this.releaseLeases.set(releaseId, this.now().getTime());
      await this.takeLease(releaseId);
    }
    for (const [id, renewedAt] of this.unfinishedLeases) {
      if (renewedAt >= due) continue;
      this.unfinishedLeases.set(id, this.now().getTime());
      await this.calls.change<UnfinishedDocument>(REGISTRY, id, (document) =>
        document?.holder === this.holder ? { ...document, ...this.newLease() } : undefined,
      );
    }
  }

  /** `isNamed` says whether a catalog state names the release. */
  async delete(releaseId: string, isNamed: () => Promise<boolean>): Promise<'deleted' | 'kept'> {
    for (let attempt = 0; attempt < RACE_TRIES; attempt++) {
      const stored = await this.calls.read<ReleaseDocument>(REGISTRY, releaseId);
      if (stored === undefined) return 'deleted';
      const { holders, prefix, documents } = stored.document;
      if (holders.some(({ until }) => this.isInFuture(until)) || (await isNamed())) return 'kept';
      const unfinished = this.unfinishedDocument(prefix, documents);
      const outcome = await this.calls.writeAll(REGISTRY, [
        { operation: 'delete', id: releaseId, etag: stored.etag },
        { operation: 'create', document: unfinished },
      ]);
      // Another process has taken a lease on it, or has deleted it.
      if (outcome === 'refused') continue;
      await this.discard(unfinished);
      return 'deleted';
    }
    return 'kept';
  }

  async removeUnfinished(): Promise<void> {
    const text = STATEMENTS.unfinished;
    for (const document of await this.calls.query<UnfinishedDocument>({ partition: REGISTRY, text })) {
      if (this.isInFuture(document.until)) continue;
      // One of two janitors gets the lease; a writer that was only slow learns of it when it completes.
      const isOurs = await this.calls.change<UnfinishedDocument>(REGISTRY, document.id, (current) =>
        current === undefined || this.isInFuture(current.until) ? undefined : { ...current, ...this.newLease() },
      );
      if (isOurs) await this.discard(document);
    }
  }

  /** The writes that put `document` in the place of `former`, whose documents are `removed` afterwards. */
  private replacement(
    former: StoredDocument<ReleaseDocument> | undefined,
    document: ReleaseDocument,
  ): { readonly writes: readonly Write[]; readonly removed?: UnfinishedDocument } {
    if (former === undefined) return { writes: [{ operation: 'create', document }] };
    const removed = this.unfinishedDocument(former.document.prefix, former.document.documents);
    const replace = { operation: 'replace', document, etag: former.etag } as const;
    return { writes: [replace, { operation: 'create', document: removed }], removed };
  }

  /** With a lease of this process. */
  private unfinishedDocument(prefix: string, documents: DocumentCounts): UnfinishedDocument {
    return { id: randomUUID(), partition: REGISTRY, kind: 'unfinished', prefix, documents, ...this.newLease() };
  }

  /** The leases of others that are not over. */
  private othersLeases(release: ReleaseDocument | undefined): readonly Lease[] {
    const holders = release?.holders ?? [];
    return holders.filter(({ holder, until }) => holder !== this.holder && this.isInFuture(until));
  }

  /** Replaces the leases of this process and leaves out those that are over; false when there is no such release. */
  private setOwnLeases(releaseId: string, leases: readonly Lease[]): Promise<boolean> {
    return this.calls.change<ReleaseDocument>(
      REGISTRY,
      releaseId,
      (release) => release && { ...release, holders: [...this.othersLeases(release), ...leases] },
    );
  }

  private isInFuture(moment: string): boolean {
    return moment > this.now().toISOString();
  }

  private newLease(): Lease {
    return { holder: this.holder, until: new Date(this.now().getTime() + LEASE_MS).toISOString() };
  }
}
