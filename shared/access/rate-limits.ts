// What each key may ask for in a minute, in requests and in records (ADR 0043). This process counts by itself.

import type { AcceptedKey } from './access-keys';
import { TokenBucket } from './token-bucket';

export interface Quotas {
  readonly requestsPerMinute: number;
  readonly recordsPerMinute: number;
}

/** The buckets of one key. A request that is under way takes from those that are there when it is answered. */
class Allowance {
  requests: TokenBucket;
  records: TokenBucket;

  constructor({ requestsPerMinute, recordsPerMinute }: Quotas, now: number) {
    this.requests = new TokenBucket(requestsPerMinute, now);
    this.records = new TokenBucket(recordsPerMinute, now);
  }

  /** New and full ones where the limits are others than before. */
  limitTo({ requestsPerMinute, recordsPerMinute }: Quotas, now: number): void {
    if (this.requests.perMinute === requestsPerMinute && this.records.perMinute === recordsPerMinute) return;
    this.requests = new TokenBucket(requestsPerMinute, now);
    this.records = new TokenBucket(recordsPerMinute, now);
  }

  /** Seconds until the key may ask again; zero when it may now. A page may take more records than are left: the next waits for them. */
  secondsToWait(now: number): number {
    return Math.max(this.requests.secondsUntil(1, now), this.records.secondsUntil(1, now));
  }
}

/** Only keys that are accepted get buckets. Of more than this, the one that was not used longest is full again when it comes back. */
const MOST_KEYS = 10_000;

export class RateLimits {
  private readonly allowances = new Map<string, Allowance>();

  /** `standard` is for keys without limits of their own. */
  constructor(private readonly standard: Quotas) {}

  /** Full buckets for a key that is new here, or whose limits are others than before. */
  of({ id, requestsPerMinute, recordsPerMinute }: AcceptedKey, now: number): Allowance {
    const quotas = {
      requestsPerMinute: requestsPerMinute ?? this.standard.requestsPerMinute,
      recordsPerMinute: recordsPerMinute ?? this.standard.recordsPerMinute,
    };
    const allowance = this.allowances.get(id) ?? new Allowance(quotas, now);
    allowance.limitTo(quotas, now);
    this.allowances.delete(id);
    this.allowances.set(id, allowance);
    for (const oldest of this.allowances.keys()) {
      if (this.allowances.size <= MOST_KEYS) break;
      this.allowances.delete(oldest);
    }
    return allowance;
  }
}

/** draft-ietf-httpapi-ratelimit-headers, revision 10: structured fields, one item a policy. */
export function rateLimitHeaders({ requests, records }: Allowance, now: number): Readonly<Record<string, string>> {
  return {
    'RateLimit-Policy': `"requests";q=${requests.perMinute};w=60, "records";q=${records.perMinute};w=60;qu="records"`,
    RateLimit: `"requests";${stateOf(requests, now)}, "records";${stateOf(records, now)}`,
  };
}

/** What is left, and in how many seconds nothing is missing any more. */
function stateOf(bucket: TokenBucket, now: number): string {
  const left = Math.max(0, Math.floor(bucket.leftAt(now)));
  return `r=${left};t=${bucket.secondsUntil(bucket.perMinute, now)}`;
}
