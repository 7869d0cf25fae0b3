// The operations of an operator on published data sets: roll back, withdraw and rebuild (submissions.md, 5). Releases
// in an unsupported format are refused (docs/release-layout.md).

import {
  buildCatalogState,
  type CatalogEntry,
  type CatalogState,
  type DataSetName,
  findEntry,
  isSameDataSet,
} from '../shared/store/catalog-types';
import { FORMAT_VERSION, type Store } from '../shared/store/port';
import {
  describeUnreadable,
  findReleaseFault,
  findUnreadable,
  publishReadable,
  type ReleaseFault,
  type UnreadableEntry,
} from '../shared/store/readable-releases';
import { failure, type Result, success } from '../shared/values/result';
import type { Report } from './format/report';
import { folderFiles } from './format/submitted-files';
import { type LoadInput, loadSubmission } from './load-submission';
import { writeSourceFiles } from './read/row-sources';
import { WorkFolder } from './stage/work-folder';

/** The cause of a state that a rollback published. */
const ROLLBACK = 'rollback';

/**
 * Makes the previous release current, or `requestedReleaseId`, a release that an earlier state refers to. Refuses a
 * release that this program cannot read; the problem says why, and which release can be made current.
 */
export async function rollBack(
  store: Store,
  name: DataSetName,
  at: string,
  requestedReleaseId?: string,
): Promise<Result<CatalogEntry>> {
  const state = await store.currentState();
  const releases = await findPreviousReleases(store, name, findEntry(state, name));
  const previous =
    requestedReleaseId === undefined
      ? releases[0]
      : releases.find(({ entry }) => entry.releaseId === requestedReleaseId);
  if (previous === undefined) {
    return failure(
      `no earlier release ${requestedReleaseId === undefined ? '' : `${requestedReleaseId} `}of ${describe(name)} is available`,
    );
  }
  const { entry, fault } = previous;
  if (fault !== undefined)
    return failure(`${describeUnreadable({ entry, fault })}; ${describeNewestReadable(releases)}`);
  return publishNext(store, state, buildCatalogState([...withoutDataSet(state, name), entry], at, ROLLBACK), entry);
}

/**
 * Removes a data set from the catalog. Its releases are kept for the retention period, so that a rollback can restore
 * it.
 */
export async function withdraw(store: Store, name: DataSetName, at: string): Promise<Result<CatalogEntry>> {
  const state = await store.currentState();
  const current = findEntry(state, name);
  if (current === undefined) return failure(`${describe(name)} is not published`);
  return publishNext(store, state, buildCatalogState(withoutDataSet(state, name), at, 'withdraw'), current);
}

type RebuildInput = Pick<LoadInput, 'store' | 'stagingDirectory' | 'rejectedDirectory' | 'progress' | 'now'> & {
  readonly entry: CatalogEntry;
};

/**
 * Loads the stored source rows of a release again, which converts it to this program's format. Rows that a newer rule
 * rejects are omitted, whatever their number, and are listed in the report. If no row is left, the rebuild is refused
 * and the release stays.
 */
export async function rebuild({ entry, ...input }: RebuildInput): Promise<Report> {
  const work = WorkFolder.temporary(input.stagingDirectory, input.progress.log);
  try {
    const folder = await writeSourceFiles(entry, input.store, work.path);
    const options = { isDryRun: false, isSample: entry.isSample, rejectedShareLimit: 1, rebuildOf: entry };
    return await loadSubmission({ files: folderFiles(folder), ...input, ...options });
  } finally {
    work.remove();
  }
}

/**
 * Records in the catalog that a release could not be rebuilt in this program's format, so that the service starts
 * without this release (ADR 0050). The data version and the release stay.
 */
export async function recordFailedRebuild(store: Store, entry: CatalogEntry, at: string): Promise<void> {
  const state = await store.currentState();
  const isSame = (other: CatalogEntry): boolean => isSameDataSet(other, entry) && other.releaseId === entry.releaseId;
  const current = state.entries.find(isSame);
  if (current === undefined || current.notRebuiltTo === FORMAT_VERSION) return;
  const entries = state.entries.map((other) => (isSame(other) ? { ...other, notRebuiltTo: FORMAT_VERSION } : other));
  // If another load publishes at this moment, the next start or rebuild detects this release again.
  await store.publish(state.version, buildCatalogState(entries, at, 'rebuild'));
}

/**
 * Finds the entries of the current state that this program cannot read. Reads all content; on Cosmos DB, counts the
 * documents.
 */
export async function findUnreadableEntries(store: Store): Promise<readonly UnreadableEntry[]> {
  return findUnreadable(store, (await store.currentState()).entries, 'full');
}

/** Whether a rebuild can fix the fault, because the release has another format or is damaged. */
export function isRebuildable({ fault }: UnreadableEntry): boolean {
  return fault.kind !== 'missing';
}

interface PreviousRelease {
  readonly entry: CatalogEntry;
  /** Undefined for a readable release. */
  readonly fault: ReleaseFault | undefined;
}

/**
 * The releases that were current before the current release was published (or the data set withdrawn), newest first,
 * without repetitions and without releases that the janitor has deleted. Rollbacks do not count as publishes, so
 * rolling back twice goes back by two releases.
 */
async function findPreviousReleases(
  store: Store,
  name: DataSetName,
  current: CatalogEntry | undefined,
): Promise<readonly PreviousRelease[]> {
  const history = (await store.history()).map((state) => ({ cause: state.cause, entry: findEntry(state, name) }));
  const published = history.findIndex(
    ({ cause, entry }, index) =>
      cause !== ROLLBACK &&
      entry?.releaseId === current?.releaseId &&
      history[index + 1]?.entry?.releaseId !== current?.releaseId,
  );
  const entries = new Map<string, CatalogEntry>();
  for (const { entry } of history.slice(published + 1)) {
    if (entry === undefined || entry.releaseId === current?.releaseId || entries.has(entry.releaseId)) continue;
    entries.set(entry.releaseId, entry);
  }
  const releases: PreviousRelease[] = [];
  for (const entry of entries.values()) {
    const fault = await findReleaseFault(store, entry.releaseId, 'full');
    if (fault?.kind !== 'missing') releases.push({ entry, fault });
  }
  return releases;
}

function describeNewestReadable(releases: readonly PreviousRelease[]): string {
  const readable = releases.find(({ fault }) => fault === undefined)?.entry;
  if (readable === undefined) return 'none of its earlier releases can be read, so load its submission again';
  const { organizationUuid, dataSet, releaseId, publishedAt } = readable;
  const command = `npm run releases -- rollback ${organizationUuid} ${dataSet} ${releaseId}`;
  return `the newest release that works was published ${publishedAt}: ${command}`;
}

/** Publishes `next` if `state` is still current. `entry` is the added or removed entry. */
async function publishNext(
  store: Store,
  state: CatalogState,
  next: CatalogState,
  entry: CatalogEntry,
): Promise<Result<CatalogEntry>> {
  const outcome = await publishReadable(store, state, next);
  return outcome === 'conflict'
    ? failure('something else was just published; check the list and try again')
    : success(entry);
}

function withoutDataSet({ entries }: CatalogState, name: DataSetName): readonly CatalogEntry[] {
  return entries.filter((entry) => !isSameDataSet(entry, name));
}

function describe({ organizationUuid, dataSet }: DataSetName): string {
  return `${organizationUuid} ${dataSet}`;
}
