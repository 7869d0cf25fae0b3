// What a failed call means: whether it is worth another try, and after how long.

/** 408, 503 and 504: nobody answered in time; 410: a partition moved; 429: too much was asked; 449: two writers met. */
const TRANSIENT_STATUSES: ReadonlySet<number> = new Set([408, 410, 429, 449, 502, 503, 504]);

export const TOO_MANY_REQUESTS = 429;

export interface CallFailure {
  /** 0 when no answer came. */
  readonly status: number;
  readonly isTransient: boolean;
  /** The wait that the service asks for, in milliseconds. */
  readonly retryAfterMs: number;
  readonly charge: number;
}

/** Undefined for an error that is none of the service or the network, but of the program. */
export function failureOf(error: unknown): CallFailure | undefined {
  if (!(error instanceof Error)) return undefined;
  // Of a batch the SDK wraps what it was told.
  const inner = error.message.startsWith('Batch request error') && error.cause instanceof Error ? error.cause : error;
  const { code, retryAfterInMs, requestCharge } = inner as Error &
    Readonly<Partial<Record<'code' | 'retryAfterInMs' | 'requestCharge', unknown>>>; // Of the SDK's ErrorResponse.
  if (typeof code === 'number') {
    return {
      status: code,
      isTransient: TRANSIENT_STATUSES.has(code),
      retryAfterMs: typeof retryAfterInMs === 'number' ? retryAfterInMs : 0,
      charge: typeof requestCharge === 'number' ? requestCharge : 0,
    };
  }
  // What sdk-retries.ts makes of a network's failures; of a service of identities, what its client says.
  const isNetwork = typeof code === 'string' || ['AbortError', 'TimeoutError', 'RestError'].includes(inner.name);
  if (isNetwork) return { status: 0, isTransient: true, retryAfterMs: 0, charge: 0 };
  return undefined;
}

/** Of an operation of a batch. */
export function isTransientStatus(status: number): boolean {
  return TRANSIENT_STATUSES.has(status);
}

/** A batch that was answered, but one of whose operations was not done. */
export class TransientBatchError extends Error {
  constructor(readonly code: number) {
    super(`an operation of a batch got ${code}`);
    this.name = 'TransientBatchError';
  }
}

/** No answer came within the time of one try. */
export class TimedOutError extends Error {
  readonly code = 'ETIMEDOUT';

  constructor() {
    super('no answer in time');
    this.name = 'TimedOutError';
  }
}

/** No answer came, or none that can be read: a connection was cut, a gateway said nothing or something that is no JSON. */
export class NoAnswerError extends Error {
  /** None that the SDK tries again after. */
  readonly code = 'NO_ANSWER';

  constructor(cause: unknown) {
    super('no answer came that can be read', { cause });
    this.name = 'NoAnswerError';
  }
}
