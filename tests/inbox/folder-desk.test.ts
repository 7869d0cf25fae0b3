// Submissions over HTTP in a folder inbox: the contract of the desk, and kills while an entry is created.

import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { openInbox } from '../../data-loaders/intake/inbox';
import { accessFolder } from '../fixtures/inbox-places';
import { createTemporaryFolder } from '../fixtures/temporary-folder';
import { describeDesk } from './desk-contract';

const parent = createTemporaryFolder();

describeDesk('the desk of a folder inbox', () => {
  const folder = mkdtempSync(join(parent, 'inbox-'));
  const location = { kind: 'folder', folder } as const;
  return Promise.resolve({
    location,
    access: accessFolder(folder),
    openInbox: (now: () => Date) => openInbox(location, { now, leaseMs: 300_000 }),
  });
});
