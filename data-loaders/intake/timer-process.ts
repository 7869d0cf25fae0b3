// The program of the process that `runInProcess` starts for each timer run.

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
// Ctrl-C goes to all processes of a terminal. The process that started this one says what it means.
process.on('SIGINT', () => undefined);
// Whoever started this process is gone, or has heard how the tick ended. What was not published is gone on with later.
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
