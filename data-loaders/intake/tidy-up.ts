// The janitor: removes old releases, old catalog states and files that dead processes left behind (ADR 0020).

import { deleteExpired } from '../../shared/access/self-service-upkeep';
import type { Settings } from '../../shared/settings';
import type { DownloadFiles } from '../../shared/store/download-files';
import { removeStaleFolders, removeUnusedFolders } from '../stage/work-folder';
import type { InboxRunInput } from './inbox-run';

type TidyUpInput = Pick<Settings, 'retentionDays'> &
  Pick<InboxRunInput, 'stagingDirectory' | 'store' | 'now' | 'log'> & { readonly files: DownloadFiles };

const DAY_MS = 86_400_000;

/**
 * Each run works on every waiting submission, so a folder older than this belongs to a submission that no longer
 * exists.
 */
const UNUSED_FOLDER_MS = DAY_MS;

/**
 * Deletes releases that no state refers to, states whose retention period has ended, and files that dead processes left
 * behind. Releases of a deleted state are deleted by the next run, so that an operator who has just seen the state can
 * still roll back to it.
 */
export async function tidyUp(input: TidyUpInput): Promise<void> {
  const { store, files, stagingDirectory, retentionDays, now, log } = input;
  removeStaleFolders(stagingDirectory, log);
  removeUnusedFolders(stagingDirectory, log, new Date(now().getTime() - UNUSED_FOLDER_MS));
  await store.removeUnfinished();
  const states = [await store.currentState(), ...(await store.history())];
  const namedReleases = new Set(states.flatMap(({ entries }) => entries.map(({ releaseId }) => releaseId)));
  for (const releaseId of await store.listReleases()) {
    if (!namedReleases.has(releaseId)) await store.deleteRelease(releaseId);
  }
  await files.removeUnfinished();
  // The files are listed first, so that the list of releases also includes a release that is published in the meantime.
  const withFiles = await files.list();
  const held = new Set(await store.listReleases());
  for (const releaseId of withFiles) if (!held.has(releaseId)) await files.remove(releaseId);
  await deleteExpired(store, now());
  await store.forgetStates(new Date(now().getTime() - retentionDays * DAY_MS).toISOString());
}
