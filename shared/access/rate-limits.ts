// How many requests and records each key may ask for in a minute (ADR 0043). Each process counts for itself; of several
// that answer on one port, each admits an equal share (ADR 0056).

import type { KeyLimits } from '../store/catalog-types';
import { LeastRecentlyUsedCache } from '../values/least-recently-used-cache';
import type { AcceptedKey } from './access-keys';

const MS_PER_MINUTE = 60_000;

/** About what an allowance takes in memory beside its entry in the cache. */
const ALLOWANCE_BYTES = 300;

/** Some 10,000 allowances; the one that is forgotten is full again. Only good keys get one. */
const MAX_BYTES = 4 * 1024 * 1024;

export interface Quotas {
  readonly requestsPerMinute: number;
  readonly recordsPerMinute: number;
  /** How many requests may come at once, where that is not a minute's worth. */
  readonly mostRequests?: number | undefined;
}

/** Pages of single things, which count for no key (D57). */
interface PageLimits {
  readonly openPages?: boolean;
  /** For one address. */
  readonly pagesPerMinute?: number;
}

/** Whose requests are counted together; null for the service's own limit. */
export type LimitedAccount = AcceptedKey & Pick<Quotas, 'mostRequests'>;

/** A token bucket: it refills evenly, so much a minute, and holds at most so much, a minute's worth if nothing else. */
export class TokenBucket {
  private left: number;

  /** Starts full. Times are milliseconds of one clock; setting that clock back neither fills nor empties it. */
  constructor(
    readonly perMinute: number,
    private updatedAt: number,
    readonly most = perMinute,
  ) {
    this.left = most;
  }

  /** Below zero when more was taken than there was. */
  leftAt(now: number): number {
    const refilled = (Math.max(0, now - this.updatedAt) * this.perMinute) / MS_PER_MINUTE;
    this.left = Math.min(this.most, this.left + refilled);
    this.updatedAt = now;
    return this.left;
  }

  take(tokens: number, now: number): void {
    this.left = this.leftAt(now) - tokens;
  }

  /** Whole seconds, rounded up, until the bucket holds at least so many tokens; zero when it does already. */
  secondsUntil(tokens: number, now: number): number {
    return Math.max(0, Math.ceil(((tokens - this.leftAt(now)) * 60) / this.perMinute));
  }
}

/** The buckets of one key, as long as its limits are the same. */
export class Allowance {
  readonly requests: TokenBucket;
  readonly records: TokenBucket;

  /** Each of so many `processes` has an equal share, rounded up, so that none refuses everything. */
  constructor({ requestsPerMinute, recordsPerMinute, mostRequests }: Quotas, now: number, processes: number) {
    const bucketOf = (perMinute: number, most: number): TokenBucket =>
      new TokenBucket(perMinute / processes, now, Math.ceil(most / processes));
    this.requests = bucketOf(requestsPerMinute, mostRequests ?? requestsPerMinute);
    this.records = bucketOf(recordsPerMinute, recordsPerMinute);
  }

  /**
   * Takes a request when one is left, and says how many seconds the key must wait otherwise. A page may take more
   * records than are left: the next request waits for them.
   */
  takeRequest(now: number): number {
    const seconds = Math.max(this.requests.secondsUntil(1, now), this.records.secondsUntil(1, now));
    if (seconds === 0) this.requests.take(1, now);
    return seconds;
  }
}

export class RateLimits {
  private readonly ofKeys = new LeastRecentlyUsedCache<Allowance>(MAX_BYTES);
  /** Apart, so that no number of addresses makes the allowance of a key forgotten. */
  private readonly ofAddresses = new LeastRecentlyUsedCache<Allowance>(MAX_BYTES);

  /** `standard` applies to keys without limits of their own. Of `processes` each admits an equal share. */
  constructor(
    private readonly standard: Quotas & PageLimits,
    private readonly processes = 1,
  ) {}

  /** Whether pages of single things need no key. */
  get hasOpenPages(): boolean {
    return this.standard.openPages === true;
  }

  /**
   * The pages that a network may still ask this process for. They are not divided among the processes: a harvester asks
   * for them over one connection, which stays with one process.
   */
  pagesOf(network: string, now: number): TokenBucket {
    const { pagesPerMinute = 0, recordsPerMinute } = this.standard;
    const pages = pagesPerMinute * this.processes;
    const quotas = { requestsPerMinute: pages, mostRequests: pages, recordsPerMinute };
    return this.allowanceOf({ id: `pages of ${network}`, ...quotas }, now).requests;
  }

  /** What a key may ask for in a minute. */
  quotasOf({ requestsPerMinute, recordsPerMinute }: KeyLimits): Quotas {
    return {
      requestsPerMinute: requestsPerMinute ?? this.standard.requestsPerMinute,
      recordsPerMinute: recordsPerMinute ?? this.standard.recordsPerMinute,
    };
  }

  /** The allowance of a key: full when the key is new to this process or its limits have changed. */
  allowanceOf({ id, requestsPerMinute, recordsPerMinute, mostRequests }: LimitedAccount, now: number): Allowance {
    const quotas = { ...this.quotasOf({ requestsPerMinute, recordsPerMinute }), mostRequests };
    const allowances = mostRequests === undefined ? this.ofKeys : this.ofAddresses;
    const name = `${id} ${quotas.requestsPerMinute} ${quotas.recordsPerMinute}`;
    const known = allowances.get(name);
    const allowance = known ?? new Allowance(quotas, now, this.processes);
    if (known === undefined) allowances.set(name, allowance, ALLOWANCE_BYTES);
    return allowance;
  }
}
