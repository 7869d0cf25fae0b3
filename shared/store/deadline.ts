// The deadline of a request: how long it is worked on, and how long it waits for a store. It travels beside the call
// chain, so that not each method of the port, and all that stands between, must pass it on
// (docs/adr/0041-deadlines-and-faults.md).

import { AsyncLocalStorage } from 'node:async_hooks';

/** Looking at the clock costs as much as deciding whether a place matches, so few of the checks do it. */
const CHECKS_PER_LOOK = 256;

/** The work for a request took longer than it may. */
export class DeadlinePassedError extends Error {
  /** `waitedFor` says whether the search or a store that did not answer took the time: clients are told which. */
  constructor(
    readonly waitedFor: 'search' | 'store',
    message = 'the deadline of the request has passed',
  ) {
    super(message);
    this.name = 'DeadlinePassedError';
  }
}

export class Deadline {
  /** In milliseconds, on the clock of `now`; Infinity when there is none. */
  readonly end: number;
  private checks = 0;

  /** `now` must never go back, as performance.now() does not; `isPatient` rather waits for minutes than fails. */
  constructor(
    milliseconds: number,
    readonly now: () => number,
    readonly isPatient = false,
  ) {
    this.end = now() + milliseconds;
  }

  /** Throws DeadlinePassedError; the first check looks at the clock. */
  check(): void {
    if (this.checks++ % CHECKS_PER_LOOK === 0 && this.now() > this.end) throw new DeadlinePassedError('search');
  }
}

const deadlines = new AsyncLocalStorage<Deadline>();

/** All that `act` does ends at the deadline with a DeadlinePassedError, or before it with a StoreUnavailableError. */
export function withDeadline<Value>(deadline: Deadline, act: () => Promise<Value>): Promise<Value> {
  return deadlines.run(deadline, act);
}

/** For a load, which would start again from its beginning: no deadline, and minutes for a store in trouble. */
export function patiently<Value>(act: () => Promise<Value>): Promise<Value> {
  return withDeadline(noDeadline(true), act);
}

/** For a read that several requests wait for: it has the deadline of none of them; each waits with `untilDeadline`. */
export function withoutDeadline<Value>(act: () => Promise<Value>): Promise<Value> {
  return withDeadline(noDeadline(currentDeadline().isPatient), act);
}

/** Throws DeadlinePassedError when `awaited` takes longer than there is time. */
export async function untilDeadline<Value>(awaited: Promise<Value>): Promise<Value> {
  const { end, now } = currentDeadline();
  if (end === Infinity) return awaited;
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      reject(new DeadlinePassedError('store', 'what another request had begun to read was not there in time'));
    }, end - now());
  });
  try {
    return await Promise.race([awaited, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** The deadline of the request that is being answered; outside of any request, one that never passes. */
export function currentDeadline(): Deadline {
  return deadlines.getStore() ?? noDeadline(false);
}

function noDeadline(isPatient: boolean): Deadline {
  return new Deadline(Infinity, () => performance.now(), isPatient);
}
