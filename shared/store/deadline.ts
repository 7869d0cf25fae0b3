// The deadline of a request, and how its long work lets other requests run in between. The deadline is kept in an
// AsyncLocalStorage, so that the methods of the port and the layers above need not pass it on
// (docs/adr/0025-cosmos-documents.md, docs/adr/0058-long-searches-give-way.md).

import { AsyncLocalStorage } from 'node:async_hooks';
import { setImmediate } from 'node:timers/promises';

/** How long a search works before other requests get a turn, in milliseconds. */
const SLICE_MS = 8;

/** A request took longer than its deadline allows. */
export class DeadlinePassedError extends Error {
  /** `waitedFor` is the cause that clients are told: the search, or a store that did not answer. */
  constructor(
    readonly waitedFor: 'search' | 'store',
    message = 'the deadline of the request has passed',
  ) {
    super(message);
  }
}

interface DeadlineOptions {
  /** Whether to wait minutes for a store rather than fail. */
  readonly isPatient?: boolean;
  /** Resolves when other requests have had their turn. */
  readonly giveWay?: () => Promise<void>;
  /** Whether the client has disconnected. */
  readonly isClientGone?: () => boolean;
}

export class Deadline {
  /** In milliseconds, on the clock of `now`. Infinity when there is no deadline. */
  readonly end: number;
  readonly isPatient: boolean;
  private sliceEnd: number;

  /** `now` must be monotonic, like performance.now(). */
  constructor(
    milliseconds: number,
    readonly now: () => number,
    private readonly options: DeadlineOptions = {},
  ) {
    const start = now();
    this.end = start + milliseconds;
    this.sliceEnd = start + SLICE_MS;
    this.isPatient = options.isPatient ?? false;
  }

  /** Throws DeadlinePassedError after the deadline, and when the client has disconnected. */
  check(): void {
    if (this.now() > this.end) throw new DeadlinePassedError('search');
    if (this.options.isClientGone?.() === true) throw new DeadlinePassedError('search', 'the client has disconnected');
  }

  /**
   * Long work calls this between its steps, each of a few milliseconds at most, and lets other requests run when it is
   * true.
   */
  isSliceOver(): boolean {
    return this.now() >= this.sliceEnd;
  }

  /** Lets other requests run, then starts another slice. Throws the same errors as `check`. */
  async giveWay(): Promise<void> {
    this.check();
    await (this.options.giveWay ?? setImmediate)();
    this.check();
    this.sliceEnd = this.now() + SLICE_MS;
  }
}

const deadlines = new AsyncLocalStorage<Deadline>();

/** Runs `act` under a deadline. May throw a DeadlinePassedError or, before the deadline, a StoreUnavailableError. */
export function withDeadline<Value>(deadline: Deadline, act: () => Promise<Value>): Promise<Value> {
  return deadlines.run(deadline, act);
}

/**
 * Runs `act` for a load, which is expensive to restart: without a deadline, and with waits of minutes for the store.
 */
export function withPatience<Value>(act: () => Promise<Value>): Promise<Value> {
  return withDeadline(createUnlimitedDeadline(true), act);
}

/**
 * Runs a read that several requests share: without a deadline, because each request waits with `awaitUntilDeadline`.
 */
export function withoutDeadline<Value>(act: () => Promise<Value>): Promise<Value> {
  return withDeadline(createUnlimitedDeadline(getCurrentDeadline().isPatient), act);
}

/** Throws DeadlinePassedError when `pending` does not settle before the deadline. */
export async function awaitUntilDeadline<Value>(pending: Promise<Value>): Promise<Value> {
  const { end, now } = getCurrentDeadline();
  if (end === Infinity) return pending;
  return awaitWithTimeout(pending, end - now(), () => {
    return new DeadlinePassedError('store', 'data that another request was reading did not arrive in time');
  });
}

/** Throws the error that `createError` creates if `pending` takes longer than `milliseconds`. */
export async function awaitWithTimeout<Value>(
  pending: Promise<Value>,
  milliseconds: number,
  createError: () => Error,
): Promise<Value> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      reject(createError());
    }, milliseconds);
  });
  try {
    return await Promise.race([pending, timeout]);
  } finally {
    clearTimeout(timer);
  }
}

/** Returns the deadline of the current request. Outside of requests, the deadline never passes. */
export function getCurrentDeadline(): Deadline {
  return deadlines.getStore() ?? createUnlimitedDeadline(false);
}

/** Long work awaits this between its steps. Lets other requests run when the slice is over. */
export async function giveWayIfSliceOver(): Promise<void> {
  const deadline = getCurrentDeadline();
  deadline.check();
  if (deadline.isSliceOver()) await deadline.giveWay();
}

/** Calls `act` for consecutive ranges of `step` items, and lets other requests run in between when a slice is over. */
export async function runInSteps(count: number, step: number, act: (from: number, to: number) => void): Promise<void> {
  for (let from = 0; from < count; from += step) {
    await giveWayIfSliceOver();
    act(from, Math.min(count, from + step));
  }
}

function createUnlimitedDeadline(isPatient: boolean): Deadline {
  return new Deadline(Infinity, () => performance.now(), { isPatient });
}
