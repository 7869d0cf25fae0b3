// Limits the requests and records per minute of each key (ADR 0043); all keys of a rotation chain share one limit. Each
// process counts separately. If several processes listen on one port, each admits an equal share (ADR 0056).

import type { KeyLimits, KeyRecord } from '../store/catalog-types';
import { LeastRecentlyUsedCache } from '../values/least-recently-used-cache';

const MS_PER_MINUTE = 60_000;

const MINUTES_PER_HOUR = 60;

/** Approximate memory of an allowance, in addition to its cache entry. */
const ALLOWANCE_BYTES = 300;

/** Enough for about 10,000 allowances. An evicted allowance starts full again. Only valid keys have one. */
const MAX_BYTES = 4 * 1024 * 1024;

/** The requests and records that a key may use per minute. */
interface Quotas {
  readonly requestsPerMinute: number;
  readonly recordsPerMinute: number;
}

/** The limits of keys without limits of their own, and of an address without a key. */
interface StandardLimits extends Quotas {
  /** Applies to requests below /ogc (D51). */
  readonly keylessRequestsPerHour?: number;
  /** Whether pages of single features need no key, and how many such pages a network may request per minute (D57). */
  readonly openPages?: boolean;
  readonly pagesPerMinute?: number;
}

/** A token bucket that refills at a constant rate. By default, its capacity is the tokens of one minute. */
export class TokenBucket {
  private tokens: number;

  /**
   * Starts full. All times are milliseconds of the same clock; setting that clock back neither fills nor empties the
   * bucket.
   */
  constructor(
    readonly perMinute: number,
    private updatedAt: number,
    readonly capacity = perMinute,
  ) {
    this.tokens = capacity;
  }

  /** Returns the tokens left; negative if more were taken than were available. */
  getTokens(now: number): number {
    const refilled = (Math.max(0, now - this.updatedAt) * this.perMinute) / MS_PER_MINUTE;
    this.tokens = Math.min(this.capacity, this.tokens + refilled);
    this.updatedAt = now;
    return this.tokens;
  }

  take(tokens: number, now: number): void {
    this.tokens = this.getTokens(now) - tokens;
  }

  /** Takes a token if one is available. Otherwise returns the number of seconds until one is. */
  takeOne(now: number): number {
    const seconds = this.secondsUntil(1, now);
    if (seconds === 0) this.take(1, now);
    return seconds;
  }

  /** Returns the seconds, rounded up, until the bucket contains `tokens` tokens; 0 if it already does. */
  secondsUntil(tokens: number, now: number): number {
    return Math.max(0, Math.ceil(((tokens - this.getTokens(now)) * 60) / this.perMinute));
  }
}

/** The buckets of one chain of keys, as long as the limits of the chain are the same, or of one address. */
export type Allowance = Readonly<Record<'requests' | 'records', TokenBucket>>;

/**
 * Takes a request if one is left. Otherwise returns the number of seconds to wait. A page may take more records than
 * are left; then the next request waits.
 */
export function takeRequest({ requests, records }: Allowance, now: number): number {
  const seconds = records.secondsUntil(1, now);
  return seconds > 0 ? Math.max(seconds, requests.secondsUntil(1, now)) : requests.takeOne(now);
}

/** Takes requests for the second and later messages of a batch if enough are available; otherwise takes none. */
export function takeMoreRequests({ requests }: Allowance, count: number, now: number): boolean {
  if (requests.secondsUntil(count, now) > 0) return false;
  requests.take(count, now);
  return true;
}

export class RateLimits {
  private readonly ofKeys = new LeastRecentlyUsedCache<Allowance>(MAX_BYTES);
  /** Kept separately, so that a flood of addresses cannot evict the allowances of keys. */
  private readonly ofAddresses = new LeastRecentlyUsedCache<Allowance>(MAX_BYTES);
  private readonly pages = new LeastRecentlyUsedCache<TokenBucket>(MAX_BYTES);

  /** Each of `processes` processes admits an equal share. */
  constructor(
    private readonly standard: StandardLimits,
    private readonly processes = 1,
  ) {}

  /** Whether the OGC API answers some requests that have no key (D51). */
  get answersWithoutKey(): boolean {
    return (this.standard.keylessRequestsPerHour ?? 0) > 0;
  }

  /** Whether pages of single features need no key (D57). */
  get hasOpenPages(): boolean {
    return this.standard.openPages === true;
  }

  /** The requests and records that a key may use per minute. */
  getQuotas({ requestsPerMinute, recordsPerMinute }: KeyLimits): Quotas {
    return {
      requestsPerMinute: requestsPerMinute ?? this.standard.requestsPerMinute,
      recordsPerMinute: recordsPerMinute ?? this.standard.recordsPerMinute,
    };
  }

  /**
   * Returns the allowance of a key, which all keys of its rotation chain share, so that a new key gets no new
   * allowance. Full if the chain is new to this process or its limits have changed.
   */
  getKeyAllowance({ chainId, ...limits }: KeyLimits & Pick<KeyRecord, 'chainId'>, now: number): Allowance {
    const { requestsPerMinute, recordsPerMinute } = this.getQuotas(limits);
    return getOrCreate(this.ofKeys, `${chainId} ${requestsPerMinute} ${recordsPerMinute}`, () => {
      return { requests: this.createBucket(requestsPerMinute, now), records: this.createBucket(recordsPerMinute, now) };
    });
  }

  /** The remaining allowance of a network without a key. */
  getAddressAllowance(network: string, now: number): Allowance {
    const { keylessRequestsPerHour: perHour = 0, recordsPerMinute } = this.standard;
    return getOrCreate(this.ofAddresses, network, () => {
      const requests = this.createBucket(perHour / MINUTES_PER_HOUR, now, perHour);
      return { requests, records: this.createBucket(recordsPerMinute, now) };
    });
  }

  /**
   * Returns the bucket of pages that a network may still request from this process. It is not divided among the
   * processes, because a harvester uses one connection, which stays with one process.
   */
  getPageBucket(network: string, now: number): TokenBucket {
    return getOrCreate(this.pages, network, () => new TokenBucket(this.standard.pagesPerMinute ?? 0, now));
  }

  /** Rounds up, so that each process admits at least one request. */
  private createBucket(perMinute: number, now: number, capacity = perMinute): TokenBucket {
    return new TokenBucket(perMinute / this.processes, now, Math.ceil(capacity / this.processes));
  }
}

function getOrCreate<Value>(cache: LeastRecentlyUsedCache<Value>, name: string, make: () => Value): Value {
  const found = cache.get(name) ?? make();
  cache.set(name, found, ALLOWANCE_BYTES);
  return found;
}
