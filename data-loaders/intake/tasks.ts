// The tasks that timers start, put together from the settings: store, inbox, clock, log.

import { openStore } from '../../shared/open-store';
import type { Settings } from '../../shared/settings';
import { LEASE_MS } from './claims';
import { openInbox } from './open-inbox';
import { tidyUp } from './janitor';
import type { StopSignal } from './stop-signal';
import { takeIn } from './take-in';

export type TaskName = 'take-in' | 'tidy-up';

export async function runTask(task: TaskName, settings: Settings, stop: StopSignal): Promise<void> {
  const store = openStore(settings);
  const { stagingDirectory, rejectedShareLimit, retentionDays } = settings;
  const now = (): Date => new Date();
  try {
    switch (task) {
      case 'tidy-up':
        await tidyUp({ store, stagingDirectory, retentionDays, now });
        return;
      case 'take-in': {
        if (settings.inbox === undefined) return;
        const inbox = await openInbox(settings.inbox, now);
        const times = { minutes: settings.loaderMinutes, leaseMs: LEASE_MS, now };
        const logs = { log: console.log, logError: console.error };
        await takeIn({ inbox, store, stagingDirectory, rejectedShareLimit, ...times, stop, ...logs });
        return;
      }
    }
  } finally {
    await store.close();
  }
}
