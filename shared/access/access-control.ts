// Decides who may ask, and how much: key (D30), limits (ADR 0043), count of use (ADR 0043). It knows nothing of HTTP.

import { addUse, type KeyUse } from '../store/catalog-types';
import type { KeyStore } from '../store/service-documents';
import { checkKey, type KeyFault } from './access-keys';
import { type Allowance, type RateLimits, takeRequest } from './rate-limits';

export type Authorization =
  { readonly kind: 'refused'; readonly fault: KeyFault } | RequestOverLimit | AuthorizedRequest;

/** The key has used up its allowance; nothing is answered before it has waited. */
interface RequestOverLimit {
  readonly kind: 'over limit';
  readonly allowance: Allowance;
  readonly secondsToWait: number;
}

interface AuthorizedRequest {
  readonly kind: 'authorized';
  readonly keyId: string;
  readonly allowance: Allowance;
  readonly at: Date;
}

/** Stands for all requests without a key in the counts of use. */
const KEYLESS = 'keyless';

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
    readonly limits: RateLimits,
    readonly usage: UsageCounter,
  ) {}

  /**
   * Counts the request against the key's limits and use, or the refusal against its use. Without a key it is counted by
   * its address, which is told to send a key beyond its number of requests an hour (D51).
   */
  async authorize({ key, developmentKey, network }: RequestCredentials, at: Date): Promise<Authorization> {
    if (network !== undefined && this.limits.answersWithoutKey) {
      const authorization = this.take(KEYLESS, this.limits.getAddressAllowance(network, at.getTime()), at);
      return authorization.kind === 'authorized' ? authorization : { kind: 'refused', fault: 'missing' };
    }
    const accepted = await checkKey(key, this.keys, at, developmentKey);
    if (typeof accepted === 'string') return { kind: 'refused', fault: accepted };
    return this.take(accepted.id, this.limits.getKeyAllowance(accepted, at.getTime()), at);
  }

  private take(keyId: string, allowance: Allowance, at: Date): AuthorizedRequest | RequestOverLimit {
    const secondsToWait = takeRequest(allowance, at.getTime());
    this.usage.count(keyId, at, secondsToWait > 0 ? { refused: 1 } : { requests: 1 });
    return secondsToWait > 0
      ? { kind: 'over limit', allowance, secondsToWait }
      : { kind: 'authorized', keyId, allowance, at };
  }

  /** Counts records that were sent: for the day on which it was authorized, and against the allowance as of `answeredAt`. */
  countRecords({ keyId, allowance, at }: AuthorizedRequest, records: number, answeredAt: Date): void {
    if (records === 0) return;
    allowance.records.take(records, answeredAt.getTime());
    this.usage.count(keyId, at, { records });
  }
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
    this.counted.set(name, addUse(this.counted.get(name), use));
  }
}
