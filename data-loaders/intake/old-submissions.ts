// Removes submissions that were sent over HTTP once their retention period has ended (D76), with their files and
// reports.

import type { InboxLocation } from '../../shared/settings';
import { openInboxStorage } from './inbox';
import { WORKING } from './inbox-storage';
import { getSettledFolder, listAllRecords, removeRecord } from './submission-records';

const DAY_MS = 86_400_000;

/** A delivery that is older than this is abandoned, because delivering takes minutes at most. */
const UNFINISHED_MS = DAY_MS;

export async function removeOldSubmissions(location: InboxLocation, retentionDays: number, now: Date): Promise<void> {
  const storage = await openInboxStorage(location);
  await storage.removeUnfinishedDeliveries(now.getTime() - UNFINISHED_MS);
  const before = new Date(now.getTime() - retentionDays * DAY_MS).toISOString();
  for await (const record of listAllRecords(storage)) {
    if (record.finished === null || record.finished >= before) continue;
    const folder = getSettledFolder(record);
    if (folder !== undefined) await storage.remove(folder);
    // The remains of the submission's claims.
    for (const name of [record.id, `confirm-${record.id}`]) await storage.remove(`${WORKING}/${name}`);
    await removeRecord(storage, record);
  }
}
