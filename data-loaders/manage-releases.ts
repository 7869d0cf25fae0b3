// What an operator does with published data sets: going back, taking out, making anew (submissions.md, 5).

import { rmSync } from 'node:fs';
import { join } from 'node:path';
import type { DataSetKind } from '../shared/records/data-sets';
import { isSameDataSet, makeCatalogState, type CatalogEntry, type CatalogState } from '../shared/store/catalog-types';
import type { Store } from '../shared/store/port';
import { processName } from '../shared/store/process-names';
import { failure, success, type Result } from '../shared/values/result';
import { loadSubmission } from './load-submission';
import { writeRelease } from './read/former-release';
import type { LoadProgress } from './stage/progress';
import type { Report } from './format/report';

export interface DataSetName {
  readonly organizationUuid: string;
  readonly dataSet: DataSetKind;
}

/** The cause of a state that an operator went back to. */
const ROLLBACK = 'rollback';

/** Makes the release current that was current before this one and is still held. */
export async function rollBack(store: Store, name: DataSetName, at: string): Promise<Result<CatalogEntry>> {
  const state = await store.currentState();
  const current = state.entries.find((entry) => isSameDataSet(entry, name));
  const former = await formerEntry(store, name, current);
  if (former === undefined) return failure(`no former release of ${describe(name)} is held`);
  return replaceEntry(store, state, name, former, at, ROLLBACK);
}

/** Takes a data set out; its releases stay until their time is over, so that it can be brought back. */
export async function withdraw(store: Store, name: DataSetName, at: string): Promise<Result<CatalogEntry>> {
  const state = await store.currentState();
  const current = state.entries.find((entry) => isSameDataSet(entry, name));
  if (current === undefined) return failure(`${describe(name)} is not published`);
  const done = await replaceEntry(store, state, name, undefined, at, 'withdraw');
  return done.ok ? success(current) : done;
}

export interface RebuildInput {
  readonly store: Store;
  readonly entry: CatalogEntry;
  readonly stagingDirectory: string;
  readonly progress: LoadProgress;
  readonly now: () => Date;
}

/** Loads a release's kept source rows once more, so that it gets this program's format. */
export async function rebuild(input: RebuildInput): Promise<Report> {
  const { store, entry, stagingDirectory, progress, now } = input;
  const target = join(stagingDirectory, processName());
  try {
    const folder = await writeRelease(entry, store, target);
    const options = { isDryRun: false, isSample: entry.isSample, rejectedShareLimit: 0, rebuildOf: entry };
    return await loadSubmission({ folder, store, stagingDirectory, progress, now, ...options });
  } finally {
    rmSync(target, { recursive: true, force: true });
  }
}

/**
 * The release before the one that is current: before its own publish, not before an operator went back to it, so that going
 * back twice goes back two. Of a data set that is withdrawn, the last one.
 */
async function formerEntry(
  store: Store,
  name: DataSetName,
  current: CatalogEntry | undefined,
): Promise<CatalogEntry | undefined> {
  const history = (await store.history()).map(({ cause, entries }) => ({
    cause,
    entry: entries.find((candidate) => isSameDataSet(candidate, name)),
  }));
  const published = history.findIndex(
    ({ cause, entry }, index) =>
      cause !== ROLLBACK &&
      entry?.releaseId === current?.releaseId &&
      history[index + 1]?.entry?.releaseId !== current?.releaseId,
  );
  for (const { entry } of history.slice(published + 1)) {
    if (entry === undefined || entry.releaseId === current?.releaseId) continue;
    if ((await store.openRelease(entry.releaseId)) !== undefined) return entry;
  }
  return undefined;
}

async function replaceEntry(
  store: Store,
  state: CatalogState,
  name: DataSetName,
  entry: CatalogEntry | undefined,
  at: string,
  cause: string,
): Promise<Result<CatalogEntry>> {
  const others = state.entries.filter((candidate) => !isSameDataSet(candidate, name));
  const next = makeCatalogState(entry === undefined ? others : [...others, entry], at, cause);
  const outcome = await store.publish(state.version, next);
  if (outcome === 'conflict') return failure('something else was published at this moment; look again');
  const done = entry ?? state.entries.find((candidate) => isSameDataSet(candidate, name));
  return done === undefined ? failure(`${describe(name)} is not published`) : success(done);
}

function describe({ organizationUuid, dataSet }: DataSetName): string {
  return `${organizationUuid} ${dataSet}`;
}
