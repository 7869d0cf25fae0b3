// The program that `examineInProcess` starts in a new process for each examination.

import { inspect } from 'node:util';
import { openStore } from '../../shared/open-store';
import { examine } from './examine';
import type { ExaminationMessage, ExaminationOutcome } from './examine-in-process';
import { boundMemory } from './run-in-process';

/** Enough for an examination, which reads only the current releases of one organization. */
const MAX_OPEN_RELEASES = 10;

process.once('message', (message: ExaminationMessage) => void run(message));
// Exits when the parent has received the outcome or has ended.
process.once('disconnect', () => process.exit());
process.on('SIGINT', () => undefined);

async function run({ job, settings }: ExaminationMessage): Promise<void> {
  boundMemory(settings.loaderMemoryBytes);
  const outcome = await examine(job, settings, () => openStore(settings, MAX_OPEN_RELEASES)).then(
    (examination): ExaminationOutcome => examination,
    (error: unknown): ExaminationOutcome => ({ kind: 'failed', reason: inspect(error) }),
  );
  process.send?.(outcome, undefined, undefined, () => {
    process.disconnect();
  });
}
