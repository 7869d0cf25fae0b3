// Decides who may ask, and how much: the key (D30), its limits (ADR 0043) and the count of its use (ADR 0044). It knows
// nothing of HTTP.

import type { KeyStore } from '../store/port';
import { acceptedKey } from './access-keys';
import type { Allowance, RateLimits } from './rate-limits';
import type { UsageCounter } from './usage-counter';

/** What becomes of a request with a key. */
export type Admission =
  /** The key is malformed, unknown, expired or revoked. */
  | { readonly kind: 'unknown key' }
  /** The key has used up its allowance; nothing is answered before it has waited. */
  | { readonly kind: 'over limit'; readonly allowance: Allowance; readonly secondsToWait: number }
  | AdmittedRequest;

export interface AdmittedRequest {
  readonly kind: 'admitted';
  readonly keyId: string;
  readonly allowance: Allowance;
}

export interface PresentedKey {
  readonly key: string;
  /** Accepted beside the issued keys; undefined where there is none, or where it does not count. */
  readonly developmentKey: string | undefined;
}

export class AccessControl {
  private readonly keys: Pick<KeyStore, 'find'>;
  private readonly limits: RateLimits;
  private readonly usage: UsageCounter;

  constructor({ keys, limits, usage }: { keys: Pick<KeyStore, 'find'>; limits: RateLimits; usage: UsageCounter }) {
    this.keys = keys;
    this.limits = limits;
    this.usage = usage;
  }

  /** Counts the request against the key's limits and use, or the refusal against its use. */
  async admit({ key, developmentKey }: PresentedKey, at: Date): Promise<Admission> {
    const accepted = await acceptedKey(key, this.keys, at, developmentKey);
    if (accepted === undefined) return { kind: 'unknown key' };
    const { id: keyId } = accepted;
    const now = at.getTime();
    const allowance = this.limits.allowanceOf(accepted, now);
    const secondsToWait = allowance.secondsToWait(now);
    if (secondsToWait > 0) {
      this.usage.count(keyId, at, { refused: 1 });
      return { kind: 'over limit', allowance, secondsToWait };
    }
    allowance.requests.take(1, now);
    this.usage.count(keyId, at, { requests: 1 });
    return { kind: 'admitted', keyId, allowance };
  }

  /**
   * Counts the records that were sent, which are known only after the answer. `admittedAt` names the day of the use,
   * `answeredAt` the moment at which they are taken from the allowance.
   */
  countRecords(
    { keyId, allowance }: AdmittedRequest,
    records: number,
    { admittedAt, answeredAt }: { readonly admittedAt: Date; readonly answeredAt: Date },
  ): void {
    if (records === 0) return;
    allowance.records.take(records, answeredAt.getTime());
    this.usage.count(keyId, admittedAt, { records });
  }

  /** Writes the counts of use that still wait in memory. */
  flush(): Promise<void> {
    return this.usage.flush();
  }
}
