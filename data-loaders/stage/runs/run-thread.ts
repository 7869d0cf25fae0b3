// Entry point of the thread in which ThreadedRunWriter writes runs. It ends when its port is closed.

import { workerData } from 'node:worker_threads';
import { WRITE_IN_PLACE, type RunToWrite } from './run-writer';
import type { RunAnswer, RunThreadInput } from './threaded-run-writer';

const { port, answers } = workerData as RunThreadInput; // Only ThreadedRunWriter starts this thread.

port.on('message', (run: RunToWrite) => {
  try {
    WRITE_IN_PLACE.write(run, (place, memory) => {
      send({ kind: 'written', place, memory }, [memory]);
    });
  } catch (cause) {
    send({ kind: 'failed', reason: cause instanceof Error ? cause.message : String(cause), cause });
  }
});

/** The loader waits for the number and not for the message, which it then finds. */
function send(answer: RunAnswer, transfer: readonly ArrayBuffer[] = []): void {
  port.postMessage(answer, transfer);
  Atomics.add(answers, 0, 1);
  Atomics.notify(answers, 0);
}
