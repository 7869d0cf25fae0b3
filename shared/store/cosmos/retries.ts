// Limits for requests: the number of retries, the time of each attempt, and the number in flight (ADR 0025).

import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import type { Deadline } from '../deadline';
import { StoreUnavailableError } from '../port';
import { NoAnswerError, toCallFailure } from './connect';

export interface RetryRules {
  readonly tries: number;
  /** The time after the start of the first try in which another try may start. */
  readonly withinMs: number;
  /** The time limit of each try. */
  readonly timeoutMs: number;
}

/** For requests, whose clients wait for the answer. */
export const REQUEST_RETRIES: RetryRules = { tries: 10, withinMs: 12_000, timeoutMs: 5_000 };

/** For loads, which are expensive to restart, and for every write. */
export const LOAD_RETRIES: RetryRules = { tries: 60, withinMs: 300_000, timeoutMs: 30_000 };

const FIRST_WAIT_MS = 50;
const MAX_WAIT_MS = 5_000;

type Clock = Pick<Deadline, 'now' | 'end'>;

/** Throws StoreUnavailableError if no try succeeded in time. Rethrows any error that is not transient. */
export async function withRetries<Value>(
  attempt: () => Promise<Value>,
  rules: RetryRules,
  { now, end }: Clock,
): Promise<Value> {
  const lastStart = Math.min(now() + rules.withinMs, end);
  for (let tries = 1; ; tries++) {
    try {
      return await attempt();
    } catch (error) {
      const failure = toCallFailure(error);
      if (!failure?.isTransient) throw error;
      // An overloaded service asks to wait only a few milliseconds each time, so ten tries would end too soon.
      const backoff = Math.min(MAX_WAIT_MS, FIRST_WAIT_MS * 2 ** tries);
      const jitter = Math.random() / 2;
      const wait = Math.max(failure.retryAfterMs * (1 + jitter), backoff * (0.5 + jitter));
      if (tries >= rules.tries || now() + wait > lastStart) {
        const reason = failure.status === 0 ? 'gave no answer' : `answered ${failure.status}`;
        throw new StoreUnavailableError(`Cosmos DB (COSMOS_ENDPOINT) ${reason}, ${tries} times`, { cause: error });
      }
      await pause(wait);
    }
  }
}

/** One try: waits for its turn until the deadline, then at most `timeoutMs` for the answer. */
export function runInTime<Value>(
  limit: ConcurrencyLimit,
  send: (signal: AbortSignal) => Promise<Value>,
  timeoutMs: number,
  { now, end }: Clock,
): Promise<Value> {
  const turn = limit.run(() => {
    // The deadline may have passed while the request waited for its turn.
    if (now() > end) throw new NoAnswerError('the call did not start in time');
    return rejectAfter(Math.min(timeoutMs, end - now()), send);
  });
  return end === Infinity ? turn : rejectAfter(end - now(), () => turn);
}

/** The SDK checks the signal only while it sends, so the time limit is enforced here. */
function rejectAfter<Value>(milliseconds: number, act: (signal: AbortSignal) => Promise<Value>): Promise<Value> {
  const signal = AbortSignal.timeout(Math.max(1, Math.ceil(milliseconds)));
  return Promise.race([act(signal), whenAborted(signal)]);
}

async function whenAborted(signal: AbortSignal): Promise<never> {
  await once(signal, 'abort');
  throw new NoAnswerError('the call was not answered in time');
}

/** Limits the number of calls in progress. Others wait in the order of their arrival. */
export class ConcurrencyLimit {
  private active = 0;
  private readonly waiting: (() => void)[] = [];

  constructor(private readonly maxAtOnce: number) {}

  async run<Value>(act: () => Promise<Value>): Promise<Value> {
    if (this.active < this.maxAtOnce) this.active++;
    else await new Promise<void>((resolve) => this.waiting.push(resolve));
    try {
      return await act();
    } finally {
      // The next waiting request takes over the slot of the finished request.
      const start = this.waiting.shift();
      if (start === undefined) this.active--;
      else start();
    }
  }
}
