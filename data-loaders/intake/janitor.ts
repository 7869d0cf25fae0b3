// The janitor: releases that no kept catalog state names, states whose retention is over, and what dead processes left.

import { join } from 'node:path';
import type { Store } from '../../shared/store/port';
import { removeLeftovers } from '../../shared/store/process-names';
import { isLocked } from '../../shared/store/sqlite/database';
import { STAGING_FILE } from '../stage/staging-database';
import { removeUnusedFolders } from '../stage/work-folder';

export interface JanitorInput {
  readonly store: Store;
  readonly stagingDirectory: string;
  /** Counted from when a state was superseded. */
  readonly retentionDays: number;
  readonly now: () => Date;
}

const DAY_MS = 86_400_000;

/** A submission that waits is worked on at every tick: what was staged of it and is older is of one that is gone. */
const UNUSED_FOLDER_MS = DAY_MS;

/**
 * Releases before states: what only a state named that is forgotten now goes with the next run, so that an operator who has just
 * read of a former release can still go back to it.
 */
export async function tidyUp({ store, stagingDirectory, retentionDays, now }: JanitorInput): Promise<void> {
  removeLeftovers(stagingDirectory, (path) => isLocked(join(path, STAGING_FILE)));
  removeUnusedFolders(stagingDirectory, new Date(now().getTime() - UNUSED_FOLDER_MS));
  await store.removeUnfinished();
  const states = [await store.currentState(), ...(await store.history())];
  const named = new Set(states.flatMap(({ entries }) => entries.map(({ releaseId }) => releaseId)));
  for (const releaseId of await store.listReleases()) {
    if (!named.has(releaseId)) await store.deleteRelease(releaseId);
  }
  await store.forgetStates(new Date(now().getTime() - retentionDays * DAY_MS).toISOString());
}
