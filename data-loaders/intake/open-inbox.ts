// The inbox that the setting SUBMISSIONS_INBOX names.

import type { InboxLocation } from '../../shared/inbox-location';
import { LEASE_MS } from './claims';
import { openBlobInbox } from './blob-inbox';
import { openFolderInbox } from './folder-inbox';
import type { Inbox } from './inbox';

export async function openInbox(location: InboxLocation, now: () => Date): Promise<Inbox> {
  const clock = { now, leaseMs: LEASE_MS };
  if (location.kind === 'folder') return openFolderInbox(location.folder, clock);
  return openBlobInbox(location, clock);
}
