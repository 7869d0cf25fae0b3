// Finds releases that this program cannot read, and prevents their publication.

import type { CatalogEntry, CatalogState } from './catalog-types';
import { awaitUntilDeadline, DeadlinePassedError, giveWayIfSliceOver, withoutDeadline } from './deadline';
import { mapInParallel } from './in-parallel';
import { FORMAT_VERSION, type IntegrityCheck, type PublishOutcome, type Store, StoreUnavailableError } from './port';

export interface ReleaseFault {
  readonly kind: 'missing' | 'other format' | 'damaged';
  /** Completes a sentence that begins with "the release". Does not mention files or internals. */
  readonly problem: string;
  /** The underlying error, for the log. */
  readonly cause?: unknown;
}

/** A published data set whose release cannot be read. */
export interface UnreadableEntry {
  readonly entry: CatalogEntry;
  readonly fault: ReleaseFault;
}

/**
 * Undefined when the release can be read. Throws when the store cannot be reached, which is not a fault of the release.
 */
export async function findReleaseFault(
  store: Store,
  releaseId: string,
  check: IntegrityCheck,
): Promise<ReleaseFault | undefined> {
  try {
    const reader = await store.openRelease(releaseId);
    if (reader === undefined) return { kind: 'missing', problem: 'is missing' };
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

/** Number of releases checked in parallel. A full check reads a whole release, so these are checked one at a time. */
const MAX_IN_FLIGHT: Readonly<Record<IntegrityCheck, number>> = { quick: 32, full: 1 };

/** Returns the entries whose releases cannot be read, in the order of the entries. */
export async function findUnreadable(
  store: Store,
  entries: readonly CatalogEntry[],
  check: IntegrityCheck,
): Promise<readonly UnreadableEntry[]> {
  return collectUnreadable(entries, check, ({ releaseId }) => findReleaseFault(store, releaseId, check));
}

async function collectUnreadable(
  entries: readonly CatalogEntry[],
  check: IntegrityCheck,
  findFault: (entry: CatalogEntry) => Promise<ReleaseFault | undefined>,
): Promise<readonly UnreadableEntry[]> {
  const unreadable = await mapInParallel(entries, MAX_IN_FLIGHT[check], async (entry) => {
    await giveWayIfSliceOver();
    const fault = await findFault(entry);
    return fault === undefined ? [] : [{ entry, fault }];
  });
  return unreadable.flat();
}

/**
 * Throws an error with advice if a published release must be rebuilt for this program. Returns the releases that the
 * service starts without: damaged releases, and releases that could not be rebuilt.
 */
export async function checkFormats(store: Store): Promise<readonly UnreadableEntry[]> {
  const unreadable = await findUnreadable(store, (await store.currentState()).entries, 'quick');
  const otherFormats = unreadable.filter(({ fault }) => fault.kind === 'other format').map(({ entry }) => entry);
  const rebuildable = otherFormats.filter(({ notRebuiltTo }) => notRebuiltTo !== FORMAT_VERSION);
  if (rebuildable.length === 0) return unreadable;
  const names = rebuildable.map(({ organizationUuid, dataSet }) => `${organizationUuid} ${dataSet}`).join(', ');
  const problem = `These releases use a format that this version does not support: ${names}`;
  throw new Error(`${problem}. Run: npm run releases -- rebuild`);
}

/** Number of readable releases that each probe checks again. */
const RECHECKS_PER_PROBE = 50;

/**
 * Remembers which releases could be read, so that a probe of a thousand releases every second stays cheap: it checks
 * new and unreadable releases, and a few of the others each time.
 */
export class ReadableReleases {
  /** The ids of readable releases, least recently checked first. */
  private readonly readable = new Set<string>();
  /** Checks in progress. Probes share them, so that more probes do not mean more checks for a slow store. */
  private readonly checks = new Map<string, Promise<ReleaseFault | undefined>>();

  /** Called by a probe. `entries` are the entries of the current state. */
  async findUnreadable(store: Store, entries: readonly CatalogEntry[]): Promise<readonly UnreadableEntry[]> {
    const published = new Set(entries.map(({ releaseId }) => releaseId));
    for (const releaseId of this.readable) if (!published.has(releaseId)) this.readable.delete(releaseId);
    return this.check(store, entries, RECHECKS_PER_PROBE);
  }

  /** Called after a failed read. Checks new and unreadable releases and, if all of these can be read, all releases. */
  async explainFailure(store: Store, entries: readonly CatalogEntry[]): Promise<readonly UnreadableEntry[]> {
    const unreadable = await this.check(store, entries, 0);
    return unreadable.length > 0 ? unreadable : this.check(store, entries, Infinity);
  }

  /** Checks the releases that are not yet known to be readable, and `rechecks` of the others. */
  private async check(
    store: Store,
    entries: readonly CatalogEntry[],
    rechecks: number,
  ): Promise<readonly UnreadableEntry[]> {
    const rechecked = new Set([...this.readable].slice(0, rechecks));
    const checked = entries.filter(({ releaseId }) => rechecked.has(releaseId) || !this.readable.has(releaseId));
    return collectUnreadable(checked, 'quick', async ({ releaseId }) => {
      // Another probe may have checked it in the meantime.
      if (this.readable.has(releaseId) && !rechecked.has(releaseId)) return undefined;
      return awaitUntilDeadline(this.checks.get(releaseId) ?? this.startCheck(store, releaseId));
    });
  }

  /** Each result is stored immediately, so that the next probe continues where this probe runs out of time. */
  private startCheck(store: Store, releaseId: string): Promise<ReleaseFault | undefined> {
    const check = withoutDeadline(async () => {
      try {
        const fault = await findReleaseFault(store, releaseId, 'quick');
        this.readable.delete(releaseId);
        if (fault === undefined) this.readable.add(releaseId);
        return fault;
      } finally {
        this.checks.delete(releaseId);
      }
    });
    this.checks.set(releaseId, check);
    return check;
  }
}

/**
 * Publishes like the store, but throws if the release of a new entry cannot be read. Unreadable entries of `previous`
 * may stay, so that other data sets can be repaired.
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

/** A read failed because releases of its state cannot be read. `cause` is the original error. */
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

/** Returns a sentence without its period. */
export function describeRelease({ releaseId, organizationUuid, dataSet }: CatalogEntry, problem: string): string {
  return `the release ${releaseId} of ${organizationUuid} ${dataSet} ${problem}`;
}
