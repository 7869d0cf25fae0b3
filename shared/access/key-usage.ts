// Usage of access keys by day: requests, records and refused requests (ADR 0043).

import { addUse, type KeyUse } from '../store/catalog-types';
import type { Store } from '../store/port';

/** How often counts are written: often enough for counts by day. */
const WRITE_AFTER_MS = 60_000;

type Counts = Pick<KeyUse, 'requests' | 'records' | 'refused'>;

const NO_COUNTS: Counts = { requests: 0, records: 0, refused: 0 };

/** Collects the counts of each key and day (UTC) in memory, and writes them once a minute (ADR 0043). */
export class UsageCounter {
  /** Keyed by day and key id. */
  private counts = new Map<string, KeyUse>();
  private timer: NodeJS.Timeout | undefined;

  /** The timer does not keep the process alive, so call `flush` before the process ends. */
  constructor(
    private readonly write: (uses: readonly KeyUse[]) => Promise<void>,
    private readonly logError: (message: string, error: unknown) => void,
    private readonly schedule: (action: () => void) => NodeJS.Timeout | undefined = (action) =>
      setTimeout(action, WRITE_AFTER_MS).unref(),
  ) {}

  count(keyId: string, at: Date, counts: Partial<Counts>): void {
    const lastUsedAt = at.toISOString();
    this.add({ day: lastUsedAt.slice(0, 10), keyId, ...NO_COUNTS, ...counts, lastUsedAt });
    this.timer ??= this.schedule(() => void this.flush());
  }

  /** Never rejects. Counts that could not be written are kept until the next flush. */
  async flush(): Promise<void> {
    clearTimeout(this.timer);
    this.timer = undefined;
    const uses = [...this.counts.values()];
    this.counts = new Map();
    if (uses.length === 0) return;
    try {
      await this.write(uses);
    } catch (error) {
      for (const use of uses) this.add(use);
      this.logError('the usage of keys could not be written', error);
    }
  }

  private add(use: KeyUse): void {
    const name = `${use.day} ${use.keyId}`;
    this.counts.set(name, addUse(this.counts.get(name), use));
  }
}

/** The number of days in a usage report. */
const RECENT_DAYS = 30;

const DAY_MS = 86_400_000;

/** Reads the usage of a key on the last 30 days, the latest day first. */
export async function readRecentUse(
  { usage }: Pick<Store, 'usage'>,
  id: string,
  now: Date,
): Promise<readonly KeyUse[]> {
  const days = Array.from({ length: RECENT_DAYS }, (_, daysAgo) => {
    return new Date(now.getTime() - daysAgo * DAY_MS).toISOString().slice(0, 10);
  });
  return usage.listForKey(id, days);
}
