// The questions that azure-check answers about an account, and the report of the answers.

import type { Container } from '@azure/cosmos' with { 'resolution-mode': 'import' };
import type { LoggedRequest } from '../../shared/store/cosmos/calls';
import { openCosmosStore } from '../../shared/store/cosmos/cosmos-store';
import type { Store } from '../../shared/store/port';
import type { ScratchDatabase } from './scratch-database';

export type Verdict = 'PASS' | 'FAIL' | 'SKIPPED';

export interface Answer {
  readonly verdict: Verdict;
  /** Lines that show what was measured, or why the question was skipped. */
  readonly details: readonly string[];
}

export interface Question {
  readonly title: string;
  readonly answer: (subject: Subject) => Promise<Answer>;
}

/** The account or emulator to check. */
export interface Subject {
  readonly database: ScratchDatabase;
  readonly stagingDirectory: string;
  /** Whether an emulator stands in for the account. It has no limits, costs or roles. */
  readonly isEmulator: boolean;
  /** Stops the checks after the current one. */
  readonly signal: AbortSignal;
}

/** Opens a store on the scratch database with its own client. */
export function openSubject(
  { database, stagingDirectory }: Subject,
  requestLog: (request: LoggedRequest) => void = () => undefined,
): Store {
  return openCosmosStore(database.location, { stagingDirectory, now: () => new Date(), requestLog });
}

/** A container for raw documents. All of them have the same partition key. */
export async function findRawContainer(subject: Subject): Promise<Container> {
  const store = openSubject(subject);
  try {
    // The first call creates the containers.
    await store.currentState();
  } finally {
    await store.close();
  }
  const containers = await subject.database.containers();
  const container = containers.find(({ id }) => id === 'data') ?? containers[0];
  if (container === undefined) throw new Error('the store created no container');
  return container;
}

/**
 * Asks all questions. The exit code is 1 if an answer is FAIL. A question that throws counts as FAIL. Throws if the
 * checks are interrupted.
 */
export async function askAll(
  questions: readonly Question[],
  subject: Subject,
  print: (line: string) => void,
): Promise<0 | 1> {
  const verdicts: Verdict[] = [];
  for (const { title, answer } of questions) {
    subject.signal.throwIfAborted();
    const { verdict, details } = await answer(subject).catch((error: unknown): Answer => ({
      verdict: 'FAIL',
      details: [describeError(error)],
    }));
    subject.signal.throwIfAborted();
    verdicts.push(verdict);
    print(`${verdict.padEnd(7)} ${title}`);
    for (const detail of details) print(`        ${detail}`);
    await subject.database.empty();
  }
  const count = (verdict: Verdict): number => verdicts.filter((one) => one === verdict).length;
  print(`${count('PASS')} passed, ${count('FAIL')} failed, ${count('SKIPPED')} skipped.`);
  return count('FAIL') === 0 ? 0 : 1;
}

/** The first non-empty line of the error. */
export function describeError(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  const lines = message.split('\n').map((line) => line.trim());
  return lines
    .filter((line) => line !== '')
    .slice(0, 4)
    .join(' ');
}
