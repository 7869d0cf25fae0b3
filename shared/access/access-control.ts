// Decides who may ask, and how much: key (D30), limits (ADR 0043), count of use (ADR 0043). It knows nothing of HTTP.

import { addedUse, type KeyLimits, type KeyUse } from '../store/catalog-types';
import type { KeyStore } from '../store/service-documents';
import { acceptedKey, type KeyFault } from './access-keys';
import type { Allowance, LimitedAccount, Quotas, RateLimits, TokenBucket } from './rate-limits';

export type Admission =
  | { readonly kind: 'refused'; readonly fault: KeyFault }
  /** The key has used up its allowance; nothing is answered before it has waited. */
  | { readonly kind: 'over limit'; readonly allowance: Allowance; readonly secondsToWait: number }
  | AdmittedRequest;

interface AdmittedRequest {
  readonly kind: 'admitted';
  readonly keyId: string;
  readonly allowance: Allowance;
  readonly at: Date;
}

interface PageAdmission {
  readonly pages: TokenBucket;
  /** Zero where the page may be answered now. */
  readonly secondsToWait: number;
}

/** Stands for all requests without a key in the counts of use. */
const KEYLESS = 'keyless';

const MINUTES_PER_HOUR = 60;

interface RequestCredentials {
  /** Empty for none. */
  readonly key: string;
  readonly developmentKey: string | undefined;
  /** By what a request is counted that has no key and may be answered without one. */
  readonly network?: string | undefined;
}

export class AccessControl {
  constructor(
    private readonly keys: Pick<KeyStore, 'find'>,
    private readonly limits: RateLimits,
    private readonly usage: UsageCounter,
    private readonly keylessPerHour = 0,
  ) {}

  /** Whether the OGC API answers some requests without a key (D51). */
  get answersWithoutKey(): boolean {
    return this.keylessPerHour > 0;
  }

  /** Whether pages of single things need no key (D57). */
  get hasOpenPages(): boolean {
    return this.limits.hasOpenPages;
  }

  /** Takes one of the pages of a network, if any is left. They count for no key. */
  admitPage(network: string, at: Date): PageAdmission {
    const pages = this.limits.pagesOf(network, at.getTime());
    const secondsToWait = pages.secondsUntil(1, at.getTime());
    if (secondsToWait === 0) pages.take(1, at.getTime());
    return { pages, secondsToWait };
  }

  /**
   * Counts the request against the key's limits and use, or the refusal against its use. Without a key it is counted by
   * its address, which is told to send a key beyond its number of requests an hour (D51).
   */
  async admit({ key, developmentKey, network }: RequestCredentials, at: Date): Promise<Admission> {
    const keyless = network !== undefined && this.answersWithoutKey ? network : undefined;
    const account =
      keyless === undefined
        ? await acceptedKey(key, this.keys, at, developmentKey)
        : keylessAccount(keyless, this.keylessPerHour);
    if (typeof account === 'string') return { kind: 'refused', fault: account };
    const keyId = keyless === undefined ? account.id : KEYLESS;
    const allowance = this.limits.allowanceOf(account, at.getTime());
    const secondsToWait = allowance.takeRequest(at.getTime());
    this.usage.count(keyId, at, secondsToWait > 0 ? { refused: 1 } : { requests: 1 });
    if (secondsToWait === 0) return { kind: 'admitted', keyId, allowance, at };
    return keyless === undefined
      ? { kind: 'over limit', allowance, secondsToWait }
      : { kind: 'refused', fault: 'missing' };
  }

  /** What a key may ask for in a minute. */
  quotasOf(key: KeyLimits): Quotas {
    return this.limits.quotasOf(key);
  }

  /** Why a key may not read metrics; undefined where it may. */
  async metricsFault(
    { key, developmentKey }: RequestCredentials,
    at: Date,
  ): Promise<KeyFault | 'not for metrics' | undefined> {
    const accepted = await acceptedKey(key, this.keys, at, developmentKey);
    if (typeof accepted === 'string') return accepted;
    return accepted.mayReadMetrics ? undefined : 'not for metrics';
  }

  /** Counts records that were sent: for the day of the admission, and against the allowance as of `answeredAt`. */
  countRecords({ keyId, allowance, at }: AdmittedRequest, records: number, answeredAt: Date): void {
    if (records === 0) return;
    allowance.records.take(records, answeredAt.getTime());
    this.usage.count(keyId, at, { records });
  }

  /** Writes the counts of use that still wait in memory. */
  flush(): Promise<void> {
    return this.usage.flush();
  }
}

/** The name holds an address, which no log and no count of use gets. */
function keylessAccount(network: string, perHour: number): LimitedAccount {
  const id = `address ${network}`;
  return { id, requestsPerMinute: perHour / MINUTES_PER_HOUR, recordsPerMinute: null, mostRequests: perHour };
}

/** Often enough for a count by day. */
const WRITE_AFTER_MS = 60_000;

type Counts = Pick<KeyUse, 'requests' | 'records' | 'refused'>;

const NOTHING: Counts = { requests: 0, records: 0, refused: 0 };

/** Counts what each key asks for, by day (UTC), in memory until the counts are written, once a minute (ADR 0043). */
export class UsageCounter {
  /** By day and key. */
  private counted = new Map<string, KeyUse>();
  private timer: NodeJS.Timeout | undefined;

  /** The timer does not keep a process alive that has nothing else to do; whoever ends the process calls `flush`. */
  constructor(
    private readonly write: (uses: readonly KeyUse[]) => Promise<void>,
    private readonly logError: (message: string, error: unknown) => void,
    private readonly schedule: (act: () => void) => NodeJS.Timeout | undefined = (act) =>
      setTimeout(act, WRITE_AFTER_MS).unref(),
  ) {}

  count(keyId: string, at: Date, counts: Partial<Counts>): void {
    const lastUsedAt = at.toISOString();
    this.add({ day: lastUsedAt.slice(0, 10), keyId, ...NOTHING, ...counts, lastUsedAt });
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
