// Until when somebody waits for what the store is asked. It reaches the adapter's calls beside the port, so that not each of its
// methods, and all that call them, pass it on (docs/adr/0041-deadlines-and-faults.md).

import { AsyncLocalStorage } from 'node:async_hooks';
import { StoreUnavailableError } from './port';

const ends = new AsyncLocalStorage<number>();

/** What `act` asks of a store over the network is given up after so long, with a StoreUnavailableError. */
export function withinTime<Value>(milliseconds: number, act: () => Promise<Value>): Promise<Value> {
  return ends.run(performance.now() + milliseconds, act);
}

/** For what several requests wait for: it has the time of none of them, and each waits for it with `untilEnd`. */
export function withoutEnd<Value>(act: () => Promise<Value>): Promise<Value> {
  return ends.run(Infinity, act);
}

/** Throws a StoreUnavailableError when that takes longer than there is time. */
export async function untilEnd<Value>(awaited: Promise<Value>): Promise<Value> {
  const end = endOfWaiting();
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

/** When the waiting ends, on the clock of performance.now(); Infinity for a load or a command, which has time. */
export function endOfWaiting(): number {
  return ends.getStore() ?? Infinity;
}
