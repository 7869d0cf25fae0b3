// Runs a timer's task.

import { randomBytes } from 'node:crypto';
import { type MailCounts, type MailOutcome } from '../../shared/access/mail-queue';
import { createSelfService } from '../../shared/access/self-service';
import type { LoadCounts } from '../../shared/http/operating/metrics';
import { openDownloads, openStore } from '../../shared/open-store';
import type { Settings } from '../../shared/settings';
import type { Store } from '../../shared/store/port';
import { escapeControls, formatFailure } from '../../shared/values/escape-controls';
import { makeMissingFiles } from '../publish/make-files';
import { SILENT } from '../stage/progress';
import { LEASE_MS } from './claims';
import { openInbox } from './inbox';
import type { StopRequest } from './inbox-run';
import { removeOldSubmissions } from './old-submissions';
import { NO_LOADS, processInbox } from './process-inbox';
import { mailReport, type ReportMail } from './report-mail';
import { tidyUp } from './tidy-up';

export type TaskName = 'take-in' | 'make-files' | 'send-mails' | 'tidy-up';

/** A few are enough, because a task reads one release at a time. */
const MAX_OPEN_RELEASES = 10;

export async function runTask(task: TaskName, settings: Settings, stop: StopRequest): Promise<LoadCounts> {
  const store = openStore(settings, MAX_OPEN_RELEASES);
  const files = openDownloads(settings);
  const { inbox: location, loaderMinutes: minutes } = settings;
  const clock = { now: () => new Date(), leaseMs: LEASE_MS };
  try {
    if (task === 'tidy-up') {
      await tidyUp({ ...settings, store, files, now: clock.now, log });
      if (location !== undefined) await removeOldSubmissions(location, settings.retentionDays, clock.now());
    } else if (task === 'make-files') {
      const addresses = { base: settings.publicUrl, idPattern: settings.linkedDataId };
      await makeMissingFiles({ store, files, progress: SILENT, shouldStop: () => stop.aborted, addresses });
    } else if (task === 'send-mails') {
      return { ...NO_LOADS, mails: await sendMails(settings, store) };
    } else if (location !== undefined) {
      const inbox = await openInbox(location, clock, settings.loaderQuietSeconds * 1000);
      const { reportMail } = settings;
      const mail = reportMail && ((report: ReportMail) => mailReport(report, reportMail));
      return await processInbox({
        ...settings,
        ...clock,
        inbox,
        store,
        minutes,
        stop,
        log,
        logError,
        mailReport: mail,
      });
    }
    return NO_LOADS;
  } finally {
    await store.close();
  }
}

/** Sends the self-service mails that could not be sent immediately (D56). */
async function sendMails(settings: Settings, store: Store): Promise<MailCounts> {
  const counts = { sent: 0, failed: 0, givenUp: 0, notWanted: 0 };
  const count = (outcome: MailOutcome): void => {
    counts[outcome]++;
  };
  const parts = { now: () => new Date(), random: randomBytes, logError, count };
  await createSelfService(settings, store, parts)?.mails?.drain();
  return counts;
}

function log(message: string): void {
  console.log(escapeControls(message));
}

function logError(message: string, error: unknown): void {
  console.error(formatFailure(message, error));
}
