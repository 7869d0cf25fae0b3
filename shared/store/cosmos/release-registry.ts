// The registry lists the releases, their leases, and unfinished documents. Two processes may try to make a change at
// the same time, so each change is a conditional write over the version that was read: one process succeeds, the other
// is refused (docs/adr/0020-what-the-janitor-may-delete.md).

import { randomUUID } from 'node:crypto';
import { buildConditionalWrite, type CosmosCalls, type Write } from './calls';
import type { DocumentCounts } from './document-names';
import { QUERIES } from './queries';
import { type Lease, LEASE_MS, REGISTRY, type ReleaseDocument, type UnfinishedDocument } from './registry-documents';
import { deleteDocuments } from './release-deletion';

const RENEW_MS = 60_000;

/** In each failed attempt, another process took a lease at the same time. */
const RACE_TRIES = 20;

interface OwnLease {
  /** In milliseconds since 1970. */
  readonly renewedAt: number;
  readonly renew: () => Promise<unknown>;
}

export class ReleaseRegistry {
  private readonly holder = randomUUID();
  /**
   * The leases of this process by the ids of releases and unfinished documents: when each was last renewed, and how to
   * renew it.
   */
  private readonly leases = new Map<string, OwnLease>();

  /** `findFault` must check the whole release. */
  constructor(
    private readonly calls: CosmosCalls,
    private readonly now: () => Date,
    private readonly findFault: (release: ReleaseDocument) => Promise<string | undefined>,
  ) {}

  async find(releaseId: string): Promise<ReleaseDocument | undefined> {
    return (await this.calls.read<ReleaseDocument>(REGISTRY, releaseId))?.document;
  }

  async list(): Promise<readonly string[]> {
    const text = QUERIES.releases;
    const releases = await this.calls.query<Pick<ReleaseDocument, 'id'>>(REGISTRY, { text });
    return releases.map(({ id }) => id);
  }

  /** Keeps a release from being deleted until `endLease`; false when it does not exist. */
  async takeLease(releaseId: string): Promise<boolean> {
    const exists = await this.setOwnLeases(releaseId, [this.newLease()]);
    if (exists) this.rememberLease(releaseId);
    return exists;
  }

  async endLease(releaseId: string): Promise<void> {
    if (this.leases.delete(releaseId)) await this.setOwnLeases(releaseId, []);
  }

  /** Registers documents before the first is written, so that they can be found even if the writer dies. */
  async begin(prefix: string, documents: DocumentCounts): Promise<UnfinishedDocument> {
    const document = this.unfinishedDocument(prefix, documents);
    await this.calls.write(REGISTRY, [{ operationType: 'Create', resourceBody: document }]);
    const renew = (): Promise<unknown> =>
      this.calls.change<UnfinishedDocument>(REGISTRY, document.id, (current) =>
        current?.holder === this.holder ? { ...current, ...this.newLease() } : undefined,
      );
    this.leases.set(document.id, { renewedAt: this.now().getTime(), renew });
    return document;
  }

  /** Whether a release exists and none of its documents are missing or damaged. */
  async isWhole(releaseId: string): Promise<boolean> {
    const release = await this.find(releaseId);
    return release !== undefined && (await this.findFault(release)) === undefined;
  }

  /**
   * Makes a release readable, with a lease for its writer. A damaged release with the same id is replaced and removed.
   * `exists` means that another writer finished the same release first. Throws if the writer's lease expired and its
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
      const previous = await this.calls.read<ReleaseDocument>(REGISTRY, release.id);
      const holders = [...this.listLeasesOfOthers(previous?.document), this.newLease()];
      const document: ReleaseDocument = { ...release, partition: REGISTRY.partition, kind: 'release', holders };
      const removed = previous && this.unfinishedDocument(previous.document.prefix, previous.document.documents);
      const writes: Write[] = [
        { operationType: 'Delete', id: unfinished.id, ifMatch: stored.etag },
        buildConditionalWrite(previous, document),
      ];
      if (removed !== undefined) writes.push({ operationType: 'Create', resourceBody: removed });
      const outcome = await this.calls.write(REGISTRY, writes);
      // If the answer to the first attempt was lost, the retry is refused although the write succeeded.
      if (outcome === 'refused' && (await this.find(release.id))?.prefix !== release.prefix) continue;
      this.leases.delete(unfinished.id);
      this.rememberLease(release.id);
      if (removed !== undefined) await this.discard(removed);
      return 'completed';
    }
    if (await this.takeLease(release.id)) return 'exists';
    throw new Error('the lease of this load expired, and its documents were deleted; load again');
  }

  /** Removes documents that were begun but not completed. */
  async discard(unfinished: UnfinishedDocument): Promise<void> {
    this.leases.delete(unfinished.id);
    await deleteDocuments(this.calls, unfinished.prefix, unfinished.documents);
    await this.calls.write(REGISTRY, [{ operationType: 'Delete', id: unfinished.id }]);
  }

  /**
   * Renews the leases that are due. Called often while a load runs, possibly several times at once; mostly does
   * nothing.
   */
  async renewLeases(): Promise<void> {
    const now = this.now().getTime();
    for (const [id, { renewedAt, renew }] of this.leases) {
      if (renewedAt >= now - RENEW_MS) continue;
      this.leases.set(id, { renewedAt: now, renew });
      await renew();
    }
  }

  /** `isNamed` returns whether a catalog state contains the release. */
  async delete(releaseId: string, isNamed: () => Promise<boolean>): Promise<'deleted' | 'kept'> {
    for (let attempt = 0; attempt < RACE_TRIES; attempt++) {
      const stored = await this.calls.read<ReleaseDocument>(REGISTRY, releaseId);
      if (stored === undefined) return 'deleted';
      const { holders, prefix, documents } = stored.document;
      if (holders.some(({ until }) => this.isInFuture(until)) || (await isNamed())) return 'kept';
      const unfinished = this.unfinishedDocument(prefix, documents);
      const outcome = await this.calls.write(REGISTRY, [
        { operationType: 'Delete', id: releaseId, ifMatch: stored.etag },
        { operationType: 'Create', resourceBody: unfinished },
      ]);
      // Another process has leased or deleted the release.
      if (outcome === 'refused') continue;
      await this.discard(unfinished);
      return 'deleted';
    }
    return 'kept';
  }

  async removeUnfinished(): Promise<void> {
    const text = QUERIES.unfinished;
    for (const document of await this.calls.query<UnfinishedDocument>(REGISTRY, { text })) {
      if (this.isInFuture(document.until)) continue;
      // Only one of two janitors gets the lease. A writer that was merely slow notices when it completes its release.
      const isOurs = await this.calls.change<UnfinishedDocument>(REGISTRY, document.id, (current) =>
        current === undefined || this.isInFuture(current.until) ? undefined : { ...current, ...this.newLease() },
      );
      if (isOurs) await this.discard(document);
    }
  }

  private rememberLease(releaseId: string): void {
    this.leases.set(releaseId, { renewedAt: this.now().getTime(), renew: () => this.takeLease(releaseId) });
  }

  /** Returns an unfinished document with a lease of this process. */
  private unfinishedDocument(prefix: string, documents: DocumentCounts): UnfinishedDocument {
    const { partition } = REGISTRY;
    return { id: randomUUID(), partition, kind: 'unfinished', prefix, documents, ...this.newLease() };
  }

  /** Lists the leases of other processes that have not expired. */
  private listLeasesOfOthers(release: ReleaseDocument | undefined): readonly Lease[] {
    const holders = release?.holders ?? [];
    return holders.filter(({ holder, until }) => holder !== this.holder && this.isInFuture(until));
  }

  /** Replaces the leases of this process and drops expired ones. Returns false if the release does not exist. */
  private setOwnLeases(releaseId: string, leases: readonly Lease[]): Promise<boolean> {
    return this.calls.change<ReleaseDocument>(
      REGISTRY,
      releaseId,
      (release) => release && { ...release, holders: [...this.listLeasesOfOthers(release), ...leases] },
    );
  }

  private isInFuture(moment: string): boolean {
    return moment > this.now().toISOString();
  }

  private newLease(): Lease {
    return { holder: this.holder, until: new Date(this.now().getTime() + LEASE_MS).toISOString() };
  }
}
