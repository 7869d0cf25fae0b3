// What every inbox of submissions can do (submissions.md, 5). A submission is a folder below `waiting/`; it is worked on by
// the one who holds its claim, and ends in `accepted/` or `refused/` with its report.

import type { Result } from '../../shared/values/result';
import type { Attempts } from './claims';

export type SettledAs = 'accepted' | 'refused';

export const WAITING = 'waiting';

/** Claims, and moves under way. */
export const WORKING = '.working';

/** One of these files says that all others are there. */
export const MARKER_FILES: readonly string[] = ['submission.json', 'READY'];

export interface Inbox {
  /** Names of complete submissions, the one that has waited longest first; those that somebody works on too. */
  waiting(): Promise<readonly string[]>;
  /** Undefined when somebody else works on it, or when it is not waiting any more. */
  claim(name: string): Promise<Claim | undefined>;
  /** Ends the moves of those who were killed in the middle of one. */
  finishMoves(): Promise<void>;
}

/** - `settled`: the submission has moved, its report with it.
 *  - `lost`: somebody else has the claim now; nothing was done.
 *  - `changed`: the submission is not the one that was fetched; it waits on. */
export type SettleOutcome = 'settled' | 'lost' | 'changed';

/** A report of what is about to be published, and what tells whether it was: the catalog state that the publish makes. */
export interface KeptReport {
  readonly version: string;
  /** ISO 8601, UTC. */
  readonly since: string;
}

/** As it lies in the inbox. */
export interface KeptRecord {
  readonly report: KeptReport;
  /** Of the submission that it reports on. */
  readonly content: string;
}

export interface Claim {
  readonly name: string;
  /** Tells this content of the submission from any other without reading it: its files with their sizes and versions. */
  readonly content: string;
  readonly attempts: Attempts;
  /** False when the claim is lost. */
  renew(): Promise<boolean>;
  /**
   * A local folder with the submission's files, in place or below `workFolder`; a failure when names or links lead out of it. What
   * an earlier fetch of the same content left in `workFolder` is not fetched again.
   */
  fetch(workFolder: string): Promise<Result<string>>;
  /** Moves the submission, and the files of `reportFolder` with it. Ends the claim. */
  settle(as: SettledAs, reportFolder: string): Promise<SettleOutcome>;
  /** Keeps a report beside the submission until it is settled, instead of one kept before. False when the claim is lost. */
  keepReport(report: KeptReport, reportFolder: string): Promise<boolean>;
  /** What was kept for this content, with its files below `workFolder`. */
  keptReport(workFolder: string): Promise<{ readonly report: KeptReport; readonly folder: string } | undefined>;
  /** Gives the submission back as it was; because of a fault, with one attempt more. Does nothing after the claim's end. */
  release(because: 'stop' | 'fault'): Promise<void>;
}

/** The first free name: nothing that was settled before is overwritten. */
export function* targetNames(name: string): Generator<string, never> {
  yield name;
  for (let number = 2; ; number++) yield `${name}-${number}`;
}

/**
 * Where a file of the submission goes when a file of the report has its name: a submission may be one that came back with its
 * report and was mended. `path` is relative; what counts is its first part.
 */
export function keptPath(path: string, submitted: ReadonlySet<string>, reported: ReadonlySet<string>): string {
  const [first = '', ...rest] = path.split('/');
  if (!reported.has(first)) return path;
  let kept = `submitted-${first}`;
  while (submitted.has(kept) || reported.has(kept)) kept = `submitted-${kept}`;
  return [kept, ...rest].join('/');
}
