// The tasks that timers start: taking in submissions, and tidying up after old releases and dead processes.

import { randomBytes } from 'node:crypto';
import type { MailCounts, MailOutcome } from '../../shared/access/mail-queue';
import { createSelfService } from '../../shared/access/self-service';
import { deleteExpired } from '../../shared/access/self-service-upkeep';
import type { LoadCounts } from '../../shared/http/operating/metrics';
import { openDownloads, openStore } from '../../shared/open-store';
import type { Settings } from '../../shared/settings';
import type { DownloadFiles } from '../../shared/store/download-files';
import type { Store } from '../../shared/store/port';
import { makeMissingFiles } from '../publish/make-files';
import { SILENT } from '../stage/progress';
import { removeStaleFolders, removeUnusedFolders } from '../stage/work-folder';
import { LEASE_MS } from './claims';
import { openInbox } from './inbox';
import { type InboxRunInput, NO_LOADS, processInbox, type StopRequest } from './take-in';

export type TaskName = 'take-in' | 'make-files' | 'send-mails' | 'tidy-up';

/** A task looks at one release after the other, in a process that has others open to answer from. */
const MAX_OPEN_RELEASES = 10;

export async function runTask(task: TaskName, settings: Settings, stop: StopRequest): Promise<LoadCounts> {
  const store = openStore(settings, MAX_OPEN_RELEASES);
  const files = openDownloads(settings);
  const { inbox: location, loaderMinutes: minutes } = settings;
  const clock = { now: () => new Date(), leaseMs: LEASE_MS };
  try {
    if (task === 'tidy-up') {
      await tidyUp({ ...settings, store, files, now: clock.now, log: console.log });
    } else if (task === 'make-files') {
      const addresses = { base: settings.publicUrl, idPattern: settings.linkedDataId };
      await makeMissingFiles({ store, files, progress: SILENT, shouldStop: () => stop.aborted, addresses });
    } else if (task === 'send-mails') {
      return { ...NO_LOADS, mails: await sendMails(settings, store) };
    } else if (location !== undefined) {
      const inbox = await openInbox(location, clock, settings.loaderQuietSeconds * 1000);
      const log = { log: console.log, logError: console.error };
      return await processInbox({ ...settings, ...clock, inbox, store, minutes, stop, ...log });
    }
    return NO_LOADS;
  } finally {
    await store.close();
  }
}

/** Goes on with the mails of keys by oneself that could not be sent at once (D56). */
async function sendMails(settings: Settings, store: Store): Promise<MailCounts> {
  const counts = { sent: 0, failed: 0, givenUp: 0, notWanted: 0 };
  const count = (outcome: MailOutcome): void => {
    counts[outcome]++;
  };
  const parts = { now: () => new Date(), random: randomBytes, logError: console.error, count };
  await createSelfService(settings, store, parts)?.mails?.drain();
  return counts;
}

type TidyUpInput = Pick<Settings, 'retentionDays'> &
  Pick<InboxRunInput, 'stagingDirectory' | 'store' | 'now' | 'log'> & { readonly files: DownloadFiles };

const DAY_MS = 86_400_000;

/** Each tick works on every submission that waits, so an older folder is that of a submission that is gone. */
const UNUSED_FOLDER_MS = DAY_MS;

/**
 * Deletes releases that no state names, forgets states whose retention is over, and removes what dead processes left. A
 * release of a forgotten state goes with the next run, so that an operator who just read of it can still go back to it.
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
  // Listed first: a release that is published meanwhile is held when its files are looked at.
  const withFiles = await files.list();
  const held = new Set(await store.listReleases());
  for (const releaseId of withFiles) if (!held.has(releaseId)) await files.remove(releaseId);
  await deleteExpired(store, now());
  await store.forgetStates(new Date(now().getTime() - retentionDays * DAY_MS).toISOString());
}
