// Tries a call again while that makes sense: a bounded number of times within a bounded time, with waits that grow and that
// chance spreads, so that many callers do not come back together.

import { StoreUnavailableError } from '../port';
import type { AdaptiveLimiter } from './adaptive-limiter';
import { failureOf, TimedOutError, TOO_MANY_REQUESTS, type CallFailure } from './failures';

export interface RetryRules {
  readonly tries: number;
  /** From the first try to the start of the last. */
  readonly withinMs: number;
  /** Of one try. */
  readonly timeoutMs: number;
}

/** A request waits: somebody reads the answer. */
export const READING: RetryRules = { tries: 10, withinMs: 12_000, timeoutMs: 5_000 };

/** A load would rather wait than start again. */
export const PATIENT: RetryRules = { tries: 60, withinMs: 300_000, timeoutMs: 30_000 };

const FIRST_WAIT_MS = 50;
const LONGEST_WAIT_MS = 5_000;

export interface Waiting {
  readonly now: () => number;
  readonly random: () => number;
  readonly pause: (milliseconds: number) => Promise<void>;
  /** When nobody waits for the answer any more, on the clock of `now`. */
  readonly end: number;
}

export async function tryAgain<Value>(
  attempt: (signal: AbortSignal) => Promise<Value>,
  rules: RetryRules,
  limiter: AdaptiveLimiter,
  waiting: Waiting,
): Promise<Value> {
  const lastStart = Math.min(waiting.now() + rules.withinMs, waiting.end);
  for (let number = 1; ; number++) {
    const { moment } = limiter;
    try {
      const timeoutMs = Math.min(rules.timeoutMs, waiting.end - waiting.now());
      const signal = AbortSignal.timeout(Math.max(1, Math.ceil(timeoutMs)));
      const value = await Promise.race([attempt(signal), whenAborted(signal)]);
      limiter.speedUp();
      return value;
    } catch (error) {
      const failure = failureOf(error);
      if (!failure?.isTransient) throw error;
      if (failure.status === TOO_MANY_REQUESTS) limiter.slowDown(moment);
      const wait = waitAfter(failure, number, waiting.random());
      const isLate = waiting.now() + wait > lastStart;
      if (number >= rules.tries || isLate) throw new StoreUnavailableError(sentenceOf(failure, number), error);
      await waiting.pause(wait);
    }
  }
}

/** The SDK looks at the signal only between its own tries. */
function whenAborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener('abort', () => {
      reject(new TimedOutError());
    });
  });
}

/** `chance` is from 0 to 1. */
function waitAfter({ retryAfterMs }: CallFailure, number: number, chance: number): number {
  const grown = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** number);
  // A service that is short of time says a few milliseconds each time: ten such waits would be over in no time.
  return Math.max(retryAfterMs * (1 + chance / 2), grown * (0.5 + chance / 2));
}

function sentenceOf({ status }: CallFailure, tries: number): string {
  const why = status === 0 ? 'gave no answer' : `answered ${status}`;
  return `Cosmos DB (COSMOS_ENDPOINT) ${why}, ${tries} times`;
}
