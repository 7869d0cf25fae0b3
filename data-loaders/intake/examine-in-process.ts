// Runs an examination in its own process (D76), with limits on its memory and its time.

import { fork } from 'node:child_process';
import { join } from 'node:path';
import type { Examination, ExaminationJob } from '../../shared/http/pipeline/submission-ports';
import type { Settings } from '../../shared/settings';
import { getLoaderFlags } from './run-in-process';

export interface ExaminationMessage {
  readonly job: ExaminationJob;
  readonly settings: Settings;
}

export type ExaminationOutcome = Examination | { readonly kind: 'failed'; readonly reason: string };

/** Azure's front end ends a request after 230 seconds, which include receiving the body. */
const MAX_MS = 200_000;

const PROGRAM = join(__dirname, 'examine-process.js');

/** A process that ends without an outcome exceeded its memory limit. Rejects if the store or the disk fails. */
export function examineInProcess(
  job: ExaminationJob,
  settings: Settings,
  { program = PROGRAM, maxMs = MAX_MS } = {},
): Promise<Examination> {
  return new Promise((resolve, reject) => {
    const child = fork(program, { execArgv: getLoaderFlags(settings), serialization: 'advanced' });
    let outcome: ExaminationOutcome | undefined;
    let isOverdue = false;
    const timer = setTimeout(() => {
      isOverdue = true;
      child.kill('SIGKILL');
    }, maxMs);
    child.once('message', (message: ExaminationOutcome) => {
      outcome = message;
    });
    child.once('error', reject);
    child.once('close', () => {
      clearTimeout(timer);
      if (outcome === undefined) resolve({ kind: 'given up', because: isOverdue ? 'time' : 'memory' });
      else if (outcome.kind === 'failed') reject(new Error(outcome.reason));
      else resolve(outcome);
    });
    const message: ExaminationMessage = { job, settings };
    child.send(message, () => undefined);
  });
}
