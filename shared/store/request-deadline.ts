// How long somebody waits for what the store is asked. It reaches the adapter's calls beside the port, so that not each of its
// methods, and all that call them, pass it on (docs/adr/0041-deadlines-and-faults.md).

import { AsyncLocalStorage } from 'node:async_hooks';
import { StoreUnavailableError } from './port';

interface Waiting {
  /** On the clock of performance.now(). */
  readonly end: number;
  /** Would rather wait for minutes than start again. */
  readonly isPatient: boolean;
}

const NOBODY_IN_PARTICULAR: Waiting = { end: Infinity, isPatient: false };

const waiting = new AsyncLocalStorage<Waiting>();

/** What `act` asks of a store over the network is given up after so long, with a StoreUnavailableError. */
export function withinTime<Value>(milliseconds: number, act: () => Promise<Value>): Promise<Value> {
  return waiting.run({ end: performance.now() + milliseconds, isPatient: false }, act);
}

/** For a load, which would start again from its beginning. */
export function patiently<Value>(act: () => Promise<Value>): Promise<Value> {
  return waiting.run({ end: Infinity, isPatient: true }, act);
}

/** For what several requests wait for: it has the time of none of them, and each waits for it with `untilEnd`. */
export function forSeveral<Value>(act: () => Promise<Value>): Promise<Value> {
  return waiting.run({ ...currentWaiting(), end: Infinity }, act);
}

/** Throws a StoreUnavailableError when that takes longer than there is time. */
export async function untilEnd<Value>(awaited: Promise<Value>): Promise<Value> {
  const { end } = currentWaiting();
  if (end === Infinity) return awaited;
  let impatience: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    impatience = setTimeout(() => {
      reject(new StoreUnavailableError('what others had begun to read was not there in time', undefined));
    }, end - performance.now());
  });
  try {
    return await Promise.race([awaited, late]);
  } finally {
    clearTimeout(impatience);
  }
}

export function currentWaiting(): Waiting {
  return waiting.getStore() ?? NOBODY_IN_PARTICULAR;
}
