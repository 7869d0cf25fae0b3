// The deadline of a request: how long it is worked on, and how long it waits for a store; and when long work gives way
// to other requests. It travels beside the call chain, so that not each method of the port, and all that stands
// between, must pass it on (docs/adr/0025-cosmos-documents.md, docs/adr/0058-long-searches-give-way.md).

import { AsyncLocalStorage } from 'node:async_hooks';
import { setImmediate } from 'node:timers/promises';

/** How long a search works on before others get their turn, in milliseconds. */
const SLICE_MS = 8;

/** The work for a request took longer than it may. */
export class DeadlinePassedError extends Error {
  /** `waitedFor` says whether the search or a store that did not answer took the time: clients are told which. */
  constructor(
    readonly waitedFor: 'search' | 'store',
    message = 'the deadline of the request has passed',
  ) {
    super(message);
  }
}

interface DeadlineOptions {
  /** Rather waits for minutes than fails. */
  readonly isPatient?: boolean;
  /** Resolves when others have had their turn. */
  readonly giveWay?: () => Promise<void>;
  /** Whether the client has gone, so that nobody waits for an answer. */
  readonly isClientGone?: () => boolean;
}

export class Deadline {
  /** In milliseconds, on the clock of `now`; Infinity when there is none. */
  readonly end: number;
  readonly isPatient: boolean;
  private sliceEnd: number;

  /** `now` must never go back, as performance.now() does not. */
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

  /** Throws DeadlinePassedError, also when the client has gone. */
  check(): void {
    if (this.now() > this.end) throw new DeadlinePassedError('search');
    if (this.options.isClientGone?.() === true) throw new DeadlinePassedError('search', 'the client has gone');
  }

  /** Long work asks between two steps, each of a few milliseconds at most, and gives way where it is so. */
  isSliceOver(): boolean {
    return this.now() >= this.sliceEnd;
  }

  /** Lets other requests go on, and then begins another slice. Throws as `check` does. */
  async giveWay(): Promise<void> {
    this.check();
    await (this.options.giveWay ?? setImmediate)();
    this.check();
    this.sliceEnd = this.now() + SLICE_MS;
  }
}

const deadlines = new AsyncLocalStorage<Deadline>();

/** All that `act` does ends at the deadline with a DeadlinePassedError, or before it with a StoreUnavailableError. */
export function withDeadline<Value>(deadline: Deadline, act: () => Promise<Value>): Promise<Value> {
  return deadlines.run(deadline, act);
}

/** For a load, which would start again from its beginning: no deadline, and minutes for a store in trouble. */
export function withPatience<Value>(act: () => Promise<Value>): Promise<Value> {
  return withDeadline(createUnlimitedDeadline(true), act);
}

/** For a read that several requests wait for: it has the deadline of none of them; each waits with `untilDeadline`. */
export function withoutDeadline<Value>(act: () => Promise<Value>): Promise<Value> {
  return withDeadline(createUnlimitedDeadline(getCurrentDeadline().isPatient), act);
}

/** Throws DeadlinePassedError when `awaited` takes longer than there is time. */
export async function awaitUntilDeadline<Value>(pending: Promise<Value>): Promise<Value> {
  const { end, now } = getCurrentDeadline();
  if (end === Infinity) return pending;
  return awaitWithTimeout(pending, end - now(), () => {
    return new DeadlinePassedError('store', 'what another request had begun to read was not there in time');
  });
}

/** Throws `late` when `awaited` takes longer than so many milliseconds. */
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

/** The deadline of the request that is being answered; outside of any request, one that never passes. */
export function getCurrentDeadline(): Deadline {
  return deadlines.getStore() ?? createUnlimitedDeadline(false);
}

/** Lets other requests go on when the slice of this one is over: long work awaits it between its steps. */
export async function giveWayIfSliceOver(): Promise<void> {
  const deadline = getCurrentDeadline();
  deadline.check();
  if (deadline.isSliceOver()) await deadline.giveWay();
}

/** Calls `act` for one part after the other, and gives way to other requests between them when a slice is over. */
export async function runInSteps(count: number, step: number, act: (from: number, to: number) => void): Promise<void> {
  for (let from = 0; from < count; from += step) {
    await giveWayIfSliceOver();
    act(from, Math.min(count, from + step));
  }
}

function createUnlimitedDeadline(isPatient: boolean): Deadline {
  return new Deadline(Infinity, () => performance.now(), { isPatient });
}
