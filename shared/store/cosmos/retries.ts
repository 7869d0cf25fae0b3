// Calls are bounded in number at once and tried again while that makes sense: a bounded number of times within a
// bounded time, with waits that grow and that chance spreads, so that many callers do not come back together (ADR
// 0027).

import { DeadlinePassedError } from '../deadline';
import { StoreUnavailableError } from '../port';

/** 408, 503 and 504: nobody answered in time; 410: a partition moved; 429: too much was asked; 449: two writers met. */
export const TRANSIENT_STATUSES: ReadonlySet<number> = new Set([408, 410, 429, 449, 502, 503, 504]);

const TOO_MANY_REQUESTS = 429;

interface CallFailure {
  /** HTTP status; 0 when no answer came. */
  readonly status: number;
  /** Whether another try may succeed. */
  readonly isTransient: boolean;
  /** The wait that the service asks for, in milliseconds. */
  readonly retryAfterMs: number;
  /** Request units. */
  readonly charge: number;
}

/** What a failed call means; undefined for an error that is none of the service or the network, but of the program. */
export function failureOf(error: unknown): CallFailure | undefined {
  if (!(error instanceof Error)) return undefined;
  // The SDK wraps the error of a batch in another one.
  const inner = error.message.startsWith('Batch request error') && error.cause instanceof Error ? error.cause : error;
  // The SDK's ErrorResponse has these members.
  const { code, retryAfterInMs, requestCharge } = inner as Error &
    Readonly<Partial<Record<'code' | 'retryAfterInMs' | 'requestCharge', unknown>>>;
  if (typeof code === 'number') {
    return {
      status: code,
      isTransient: TRANSIENT_STATUSES.has(code),
      retryAfterMs: typeof retryAfterInMs === 'number' ? retryAfterInMs : 0,
      charge: typeof requestCharge === 'number' ? requestCharge : 0,
    };
  }
  // A failure of the network has a code that is a text (NoAnswerError); that of the identity service has a name.
  const isNetwork = typeof code === 'string' || ['AbortError', 'TimeoutError', 'RestError'].includes(inner.name);
  return isNetwork ? { status: 0, isTransient: true, retryAfterMs: 0, charge: 0 } : undefined;
}

/** A batch was answered, but one of its operations could not be done just now. */
export class TransientBatchError extends Error {
  constructor(readonly code: number) {
    super(`an operation of a batch got ${code}`);
    this.name = 'TransientBatchError';
  }
}

/** No readable answer came in time: a connection was cut, or a gateway said nothing or something that is no JSON. */
export class NoAnswerError extends Error {
  /** Not among the codes after which the SDK tries again by itself. */
  readonly code = 'NO_ANSWER';

  constructor(message: string, cause?: unknown) {
    super(message, { cause });
    this.name = 'NoAnswerError';
  }
}

/**
 * Bounds how many calls are under way at once as TCP does: halved when the service says that there were too many (429),
 * slowly raised while it does not. A call that waits for its next try keeps its place, so that its waiting slows the
 * others.
 */
export class AdaptiveLimiter {
  private allowed: number;
  private active = 0;
  /** How often the limit was halved: a call notes it when it is sent, for `slowDown`. */
  epoch = 0;
  /** In the order in which they came. */
  private readonly waiting = new Set<() => void>();

  constructor(private readonly mostAtOnce: number) {
    this.allowed = mostAtOnce;
  }

  /** Throws DeadlinePassedError when `act` cannot start within `waitMs`. */
  async run<Value>(act: () => Promise<Value>, waitMs = Infinity): Promise<Value> {
    if (this.active < Math.floor(this.allowed)) this.active++;
    else await this.turn(waitMs);
    try {
      return await act();
    } finally {
      this.active--;
      this.startWaiting();
    }
  }

  /** Halves the limit, once for all calls that were sent in the same epoch and refused together. */
  slowDown(epoch: number): void {
    if (epoch !== this.epoch) return;
    this.epoch++;
    this.allowed = Math.max(1, this.allowed / 2);
  }

  speedUp(): void {
    this.allowed = Math.min(this.mostAtOnce, this.allowed + 1 / this.allowed);
  }

  private turn(waitMs: number): Promise<void> {
    return new Promise((resolve, reject) => {
      const giveUp = (): void => {
        this.waiting.delete(start);
        reject(new DeadlinePassedError('store', 'Cosmos DB has so many calls to answer that this one had no turn'));
      };
      const timer = waitMs === Infinity ? undefined : setTimeout(giveUp, waitMs);
      const start = (): void => {
        clearTimeout(timer);
        resolve();
      };
      this.waiting.add(start);
    });
  }

  /** A woken call runs only later, so its place is taken here at once. */
  private startWaiting(): void {
    for (const start of this.waiting) {
      if (this.active >= Math.floor(this.allowed)) return;
      this.waiting.delete(start);
      this.active++;
      start();
    }
  }
}

interface RetryRules {
  readonly tries: number;
  /** From the first try to the start of the last one. */
  readonly withinMs: number;
  /** For one try. */
  readonly timeoutMs: number;
}

/** For a request, whose client waits for the answer. */
export const REQUEST_RETRIES: RetryRules = { tries: 10, withinMs: 12_000, timeoutMs: 5_000 };

/** For a load, which would rather wait than start again. */
export const LOAD_RETRIES: RetryRules = { tries: 60, withinMs: 300_000, timeoutMs: 30_000 };

const FIRST_WAIT_MS = 50;
const LONGEST_WAIT_MS = 5_000;

interface RetryClock {
  readonly now: () => number;
  /** From 0 to 1. */
  readonly random: () => number;
  readonly pause: (milliseconds: number) => Promise<void>;
  /** The deadline of the caller, on the clock of `now`. */
  readonly end: number;
}

/** Throws StoreUnavailableError when no try succeeded in time, and any error that is not transient as it came. */
export async function withRetries<Value>(
  attempt: (signal: AbortSignal) => Promise<Value>,
  rules: RetryRules,
  limiter: AdaptiveLimiter,
  clock: RetryClock,
): Promise<Value> {
  const lastStart = Math.min(clock.now() + rules.withinMs, clock.end);
  for (let number = 1; ; number++) {
    const { epoch } = limiter;
    try {
      const timeoutMs = Math.min(rules.timeoutMs, clock.end - clock.now());
      const signal = AbortSignal.timeout(Math.max(1, Math.ceil(timeoutMs)));
      const value = await Promise.race([attempt(signal), whenAborted(signal)]);
      limiter.speedUp();
      return value;
    } catch (error) {
      const failure = failureOf(error);
      if (!failure?.isTransient) throw error;
      if (failure.status === TOO_MANY_REQUESTS) limiter.slowDown(epoch);
      const wait = waitAfter(failure, number, clock.random());
      const isLate = clock.now() + wait > lastStart;
      if (number >= rules.tries || isLate) throw new StoreUnavailableError(sentenceOf(failure, number), error);
      await clock.pause(wait);
    }
  }
}

/** The SDK looks at the signal only between its own tries, so the time of one try is watched here. */
function whenAborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener('abort', () => {
      reject(new NoAnswerError('no answer in time'));
    });
  });
}

/** `chance` is from 0 to 1. */
function waitAfter({ retryAfterMs }: CallFailure, tries: number, chance: number): number {
  const grown = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** tries);
  // A service that is short of time asks for a few milliseconds each time: ten such waits would be over in no time.
  return Math.max(retryAfterMs * (1 + chance / 2), grown * (0.5 + chance / 2));
}

function sentenceOf({ status }: CallFailure, tries: number): string {
  const why = status === 0 ? 'gave no answer' : `answered ${status}`;
  return `Cosmos DB (COSMOS_ENDPOINT) ${why}, ${tries} times`;
}
