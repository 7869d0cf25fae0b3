// The program that `runInProcess` starts in a new process for each timer run.

import { inspect } from 'node:util';
import { boundMemory, type TimerRunMessage, type TimerRunOutcome } from './run-in-process';
import { runTask } from './tasks';

const stop = new AbortController();

process.on('message', (message: TimerRunMessage) => {
  if (message.kind === 'stop') stop.abort();
  else void run(message);
});
process.once('SIGTERM', () => {
  stop.abort();
});
// Ctrl-C reaches all processes of a terminal. The parent process decides how to stop.
process.on('SIGINT', () => undefined);
// Exits when the parent has received the outcome or has ended. Unpublished work is resumed by a later run.
process.once('disconnect', () => process.exit());

async function run({ task, settings }: Extract<TimerRunMessage, { kind: 'start' }>): Promise<void> {
  boundMemory(settings.loaderMemoryBytes);
  const outcome = await runTask(task, settings, stop.signal).then(
    (counts): TimerRunOutcome => ({ kind: 'done', counts }),
    (error: unknown): TimerRunOutcome => ({ kind: 'failed', reason: inspect(error) }),
  );
  process.send?.(outcome, undefined, undefined, () => {
    process.disconnect();
  });
}
