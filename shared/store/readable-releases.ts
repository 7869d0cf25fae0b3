// Whether this program can read a release, and the publish that never makes one current that it cannot read.

import type { CatalogEntry, CatalogState } from './catalog-types';
import { DeadlinePassedError } from './deadline';
import { FORMAT_VERSION, type IntegrityCheck, type PublishOutcome, type Store, StoreUnavailableError } from './port';

export interface ReleaseFault {
  readonly kind: 'missing' | 'other format' | 'damaged';
  /** The end of a sentence that begins with "the release". It names no file and nothing of the inside. */
  readonly problem: string;
  /** The error that says more, for a log. */
  readonly cause?: unknown;
}

/** A published data set whose release cannot be read. */
export interface UnreadableEntry {
  readonly entry: CatalogEntry;
  readonly fault: ReleaseFault;
}

/** Undefined when the release can be read. Throws when the store is not reachable, which says nothing of a release. */
export async function findReleaseFault(
  store: Store,
  releaseId: string,
  check: IntegrityCheck,
): Promise<ReleaseFault | undefined> {
  try {
    const reader = await store.openRelease(releaseId);
    if (reader === undefined) return { kind: 'missing', problem: 'is not there' };
    const { formatVersion } = reader.facts;
    if (formatVersion !== FORMAT_VERSION) {
      const problem = `has format ${formatVersion}, and this program reads format ${FORMAT_VERSION}`;
      return { kind: 'other format', problem };
    }
    const fault = await reader.findFault(check);
    return fault === undefined ? undefined : { kind: 'damaged', problem: `is damaged: ${fault}` };
  } catch (error) {
    if (error instanceof StoreUnavailableError || error instanceof DeadlinePassedError) throw error;
    return { kind: 'damaged', problem: 'is damaged: it cannot be opened', cause: error };
  }
}

/** Those of the entries whose releases cannot be read, in their order. */
export async function findUnreadable(
  store: Store,
  entries: readonly CatalogEntry[],
  check: IntegrityCheck,
): Promise<readonly UnreadableEntry[]> {
  const unreadable: UnreadableEntry[] = [];
  for (const entry of entries) {
    const fault = await findReleaseFault(store, entry.releaseId, check);
    if (fault !== undefined) unreadable.push({ entry, fault });
  }
  return unreadable;
}

/**
 * Throws with advice when a published release has a format that this program does not know. Returns the others that
 * cannot be read: those that no rebuild could mend, and damaged ones, without which the service starts.
 */
export async function checkFormats(store: Store): Promise<readonly UnreadableEntry[]> {
  const unreadable = await findUnreadable(store, (await store.currentState()).entries, 'quick');
  const otherFormats = unreadable.filter(({ fault }) => fault.kind === 'other format').map(({ entry }) => entry);
  const rebuildable = otherFormats.filter(({ notRebuiltTo }) => notRebuiltTo !== FORMAT_VERSION);
  if (rebuildable.length === 0) return unreadable;
  const names = rebuildable.map(({ organizationUuid, dataSet }) => `${organizationUuid} ${dataSet}`).join(', ');
  const problem = `These releases have a format that this program does not know: ${names}`;
  throw new Error(`${problem}. Run: npm run releases -- rebuild`);
}

/** How many releases that could be read before each probe checks again. */
const RECHECKS_PER_PROBE = 50;

/**
 * Remembers which releases could be read, so that a probe of a thousand of them, each second, stays cheap: it checks
 * those that are new or could not be read, and some of the others in turn.
 */
export class ReadableReleases {
  /** The least recently checked one first. */
  private readonly readable = new Set<string>();

  /** For a probe: `entries` are those of the current state. */
  async findUnreadable(store: Store, entries: readonly CatalogEntry[]): Promise<readonly UnreadableEntry[]> {
    const published = new Set(entries.map(({ releaseId }) => releaseId));
    for (const releaseId of this.readable) if (!published.has(releaseId)) this.readable.delete(releaseId);
    return this.check(store, entries, RECHECKS_PER_PROBE);
  }

  /** After a read of some of the entries failed: checks all, unless some are known already that cannot be read. */
  async explainFailure(store: Store, entries: readonly CatalogEntry[]): Promise<readonly UnreadableEntry[]> {
    const unreadable = await this.check(store, entries, 0);
    return unreadable.length > 0 ? unreadable : this.check(store, entries, Infinity);
  }

  /** Checks those that are not known to be readable, and so many of the others. */
  private async check(
    store: Store,
    entries: readonly CatalogEntry[],
    rechecks: number,
  ): Promise<readonly UnreadableEntry[]> {
    const rechecked = new Set([...this.readable].slice(0, rechecks));
    const checked = entries.filter(({ releaseId }) => rechecked.has(releaseId) || !this.readable.has(releaseId));
    const unreadable = await findUnreadable(store, checked, 'quick');
    for (const { releaseId } of checked) {
      this.readable.delete(releaseId);
      if (unreadable.every(({ entry }) => entry.releaseId !== releaseId)) this.readable.add(releaseId);
    }
    return unreadable;
  }
}

/**
 * Publishes like the store, and throws when the release of an entry that `former` does not have cannot be read. Entries
 * that it has may stay as they are, so that the other data sets can be mended.
 */
export async function publishReadable(
  store: Store,
  previous: CatalogState,
  next: CatalogState,
): Promise<PublishOutcome> {
  const added = next.entries.filter((entry) => !previous.entries.includes(entry));
  const [unreadable] = await findUnreadable(store, added, 'full');
  if (unreadable !== undefined) throw new Error(`Nothing was published: ${describeUnreadable(unreadable)}.`);
  return store.publish(previous.version, next);
}

/** A read failed, and releases of the state that it read cannot be read; `cause` is how it failed. */
export class UnreadableReleasesError extends Error {
  constructor(
    readonly unreadable: readonly UnreadableEntry[],
    cause: unknown,
  ) {
    super(unreadable.map(describeUnreadable).join('; '), { cause });
  }
}

export function describeUnreadable({ entry, fault }: UnreadableEntry): string {
  return describeRelease(entry, fault.problem);
}

/** Without its full stop. */
export function describeRelease({ releaseId, organizationUuid, dataSet }: CatalogEntry, problem: string): string {
  return `the release ${releaseId} of ${organizationUuid} ${dataSet} ${problem}`;
}
