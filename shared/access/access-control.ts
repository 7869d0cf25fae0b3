// Decides whether a request is answered: checks its key (D30) and its limits (ADR 0043), and counts its usage. Does not
// depend on HTTP.

import type { KeyStore } from '../store/service-documents';
import { checkKey, type KeyFault } from './access-keys';
import type { UsageCounter } from './key-usage';
import { type Allowance, type RateLimits, takeMoreRequests, takeRequest } from './rate-limits';

export type Authorization =
  { readonly kind: 'refused'; readonly fault: KeyFault } | RequestOverLimit | AuthorizedRequest;

/** The key has used up its allowance and must wait. */
interface RequestOverLimit {
  readonly kind: 'over limit';
  readonly allowance: Allowance;
  readonly secondsToWait: number;
}

export interface AuthorizedRequest {
  readonly kind: 'authorized';
  readonly keyId: string;
  /** The organization whose submissions the key may send (D76). */
  readonly submits?: string | undefined;
  readonly allowance: Allowance;
  readonly at: Date;
}

/** The key id that counts all requests without a key. */
const KEYLESS = 'keyless';

interface RequestCredentials {
  /** Empty if the request has no key. */
  readonly key: string;
  readonly developmentKey: string | undefined;
  /** Set if the request has no key but may be answered without one. The request then counts against its network. */
  readonly network?: string | undefined;
}

export class AccessControl {
  constructor(
    private readonly keys: Pick<KeyStore, 'find'>,
    readonly limits: RateLimits,
    readonly usage: UsageCounter,
  ) {}

  /**
   * Counts the request against the limits and the usage of its key. A refused request counts only as usage. A request
   * without a key counts against the limit of its network; beyond that limit, a key is required (D51).
   */
  async authorize({ key, developmentKey, network }: RequestCredentials, at: Date): Promise<Authorization> {
    if (network !== undefined && this.limits.answersWithoutKey) {
      const authorization = this.countRequest(KEYLESS, this.limits.getAddressAllowance(network, at.getTime()), at);
      return authorization.kind === 'authorized' ? authorization : { kind: 'refused', fault: 'missing' };
    }
    const accepted = await checkKey(key, this.keys, at, developmentKey);
    if (typeof accepted === 'string') return { kind: 'refused', fault: accepted };
    const counted = this.countRequest(accepted.id, this.limits.getKeyAllowance(accepted, at.getTime()), at);
    return counted.kind === 'authorized' ? { ...counted, submits: accepted.submits } : counted;
  }

  private countRequest(keyId: string, allowance: Allowance, at: Date): AuthorizedRequest | RequestOverLimit {
    const secondsToWait = takeRequest(allowance, at.getTime());
    this.usage.count(keyId, at, secondsToWait > 0 ? { refused: 1 } : { requests: 1 });
    return secondsToWait > 0
      ? { kind: 'over limit', allowance, secondsToWait }
      : { kind: 'authorized', keyId, allowance, at };
  }

  /**
   * Counts the second and later messages of a body as requests. If too few requests are left, counts them as refused
   * and returns false.
   */
  countMoreRequests({ keyId, allowance, at }: AuthorizedRequest, count: number): boolean {
    const isTaken = takeMoreRequests(allowance, count, at.getTime());
    this.usage.count(keyId, at, isTaken ? { requests: count } : { refused: count });
    return isTaken;
  }

  /** Counts the records of an answer: as usage on the day of the request, and against the allowance at `answeredAt`. */
  countRecords({ keyId, allowance, at }: AuthorizedRequest, records: number, answeredAt: Date): void {
    if (records === 0) return;
    allowance.records.take(records, answeredAt.getTime());
    this.usage.count(keyId, at, { records });
  }
}
