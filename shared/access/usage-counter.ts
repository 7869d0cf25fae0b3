// Counts what each key asks for, by day (UTC), in memory until the counts are written, once a minute (ADR 0044).

import type { KeyUse } from '../store/catalog-types';

/** Often enough for a count by day. */
const WRITE_AFTER_MS = 60_000;

const MS_PER_DAY = 86_400_000;

type Counts = Pick<KeyUse, 'requests' | 'records' | 'refused'>;

/** The use of one key on one day since it was written last. Times are milliseconds since 1970. */
class DayUse {
  requests = 0;
  records = 0;
  refused = 0;

  constructor(
    readonly keyId: string,
    private lastUsedAt: number,
  ) {}

  add({ requests = 0, records = 0, refused = 0 }: Partial<Counts>, at: number): void {
    this.requests += requests;
    this.records += records;
    this.refused += refused;
    this.lastUsedAt = Math.max(this.lastUsedAt, at);
  }

  addUse(other: DayUse): void {
    this.add(other, other.lastUsedAt);
  }

  written(): KeyUse {
    const { keyId, requests, records, refused } = this;
    const lastUsedAt = new Date(this.lastUsedAt).toISOString();
    return { day: lastUsedAt.slice(0, 10), keyId, requests, records, refused, lastUsedAt };
  }
}

export class UsageCounter {
  /** By day and key. */
  private counted = new Map<string, DayUse>();
  private timer: NodeJS.Timeout | undefined;

  /** The timer does not keep a process alive that has nothing else to do; whoever ends the process calls `flush`. */
  constructor(
    private readonly write: (uses: readonly KeyUse[]) => Promise<void>,
    private readonly logError: (message: string, error: unknown) => void,
    private readonly schedule: (act: () => void) => NodeJS.Timeout | undefined = (act) =>
      setTimeout(act, WRITE_AFTER_MS).unref(),
  ) {}

  count(keyId: string, at: Date, counts: Partial<Counts>): void {
    const time = at.getTime();
    this.useOf(`${Math.floor(time / MS_PER_DAY)} ${keyId}`, keyId, time).add(counts, time);
    this.timer ??= this.schedule(() => void this.flush());
  }

  /** Never rejects: counts that could not be written are written the next time. */
  async flush(): Promise<void> {
    clearTimeout(this.timer);
    this.timer = undefined;
    const { counted } = this;
    this.counted = new Map();
    if (counted.size === 0) return;
    try {
      await this.write([...counted.values()].map((use) => use.written()));
    } catch (error) {
      for (const [name, use] of counted) this.useOf(name, use.keyId, 0).addUse(use);
      this.logError('the use of keys could not be written', error);
    }
  }

  private useOf(name: string, keyId: string, time: number): DayUse {
    const known = this.counted.get(name);
    if (known !== undefined) return known;
    const use = new DayUse(keyId, time);
    this.counted.set(name, use);
    return use;
  }
}
