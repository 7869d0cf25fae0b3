// Counts what each key asks for, by day (UTC), in memory until the counts are written, once a minute (ADR 0044).

import { addedUse, type KeyUse } from '../store/catalog-types';

/** Often enough for a count by day. */
const WRITE_AFTER_MS = 60_000;

export class UsageCounter {
  private counted = new Map<string, KeyUse>();
  private timer: NodeJS.Timeout | undefined;

  /** The timer does not keep a process alive that has nothing else to do; whoever ends the process calls `flush`. */
  constructor(
    private readonly write: (uses: readonly KeyUse[]) => Promise<void>,
    private readonly logError: (message: string, error: unknown) => void,
    private readonly schedule: (act: () => void) => NodeJS.Timeout | undefined = (act) =>
      setTimeout(act, WRITE_AFTER_MS).unref(),
  ) {}

  count(keyId: string, at: Date, { requests = 0, records = 0, refused = 0 }: Partial<KeyUse>): void {
    const lastUsedAt = at.toISOString();
    this.add({ day: lastUsedAt.slice(0, 10), keyId, requests, records, refused, lastUsedAt });
    this.timer ??= this.schedule(() => void this.flush());
  }

  /** Never rejects: counts that could not be written are written the next time. */
  async flush(): Promise<void> {
    clearTimeout(this.timer);
    this.timer = undefined;
    const uses = [...this.counted.values()];
    this.counted = new Map();
    if (uses.length === 0) return;
    try {
      await this.write(uses);
    } catch (error) {
      for (const use of uses) this.add(use);
      this.logError('the use of keys could not be written', error);
    }
  }

  private add(use: KeyUse): void {
    const name = `${use.day} ${use.keyId}`;
    this.counted.set(name, addedUse(this.counted.get(name), use));
  }
}
