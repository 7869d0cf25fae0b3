// Moves a submission of a folder inbox together with its report, so that a kill at any point leaves a move that can be ended:
//   1. the report is put beside the submission, then the decision, by renaming its file: from here on the move is to be ended;
//   2. the submission leaves `waiting/` by one rename, and the decision is renamed to say that it has;
//   3. the report's files go into the submission's folder;
//   4. the whole appears in `accepted/` or `refused/` by one rename.
// Only who holds the submission's claim may call these functions.

import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { hasCode } from '../../shared/values/error-code';
import { forgetReport } from './folder-kept-report';
import { keptPath, targetNames, WAITING, WORKING, type SettledAs } from './inbox';

const REPORT = 'report';
const SUBMISSION = 'submission';

/** Decided; the submission may still be waiting. */
const DECIDED = 'decided';

/** The submission has left `waiting/`: what waits there under its name is another. */
const LEFT = 'left';

export function decideMove(root: string, name: string, as: SettledAs, reportFolder: string): void {
  const folder = join(root, WORKING, name);
  rmSync(join(folder, REPORT), { recursive: true, force: true });
  cpSync(reportFolder, join(folder, REPORT), { recursive: true });
  const draft = join(folder, `${DECIDED}.draft`);
  writeFileSync(draft, as, { flush: true });
  renameSync(draft, join(folder, DECIDED));
}

export function isMoveUnderWay(root: string, name: string): boolean {
  const folder = join(root, WORKING, name);
  return existsSync(join(folder, DECIDED)) || existsSync(join(folder, LEFT));
}

export function finishMove(root: string, name: string): void {
  const folder = join(root, WORKING, name);
  const [decided, left, submission] = [join(folder, DECIDED), join(folder, LEFT), join(folder, SUBMISSION)];
  if (existsSync(decided)) {
    if (!existsSync(submission)) takeFromWaiting(join(root, WAITING, name), submission);
    renameSync(decided, left);
  }
  if (existsSync(submission)) {
    addReport(join(folder, REPORT), submission);
    const as: SettledAs = readFileSync(left, 'utf8') === 'accepted' ? 'accepted' : 'refused';
    deliver(submission, join(root, as), name);
  }
  rmSync(join(folder, REPORT), { recursive: true, force: true });
  forgetReport(root, name);
  rmSync(left, { force: true });
}

/** A submission that somebody took away by hand leaves its report. */
function takeFromWaiting(waiting: string, submission: string): void {
  if (existsSync(waiting)) renameSync(waiting, submission);
  else mkdirSync(submission);
}

function addReport(report: string, submission: string): void {
  if (!existsSync(report)) return;
  const reported = new Set(readdirSync(report));
  for (const name of reported) {
    const submitted = new Set(readdirSync(submission));
    if (submitted.has(name)) {
      renameSync(join(submission, name), join(submission, keptPath(name, submitted, reported)));
    }
    renameSync(join(report, name), join(submission, name));
  }
}

/** A rename does not replace a folder that holds something; two of one name get two names. */
function deliver(submission: string, settled: string, name: string): void {
  mkdirSync(settled, { recursive: true });
  for (const target of targetNames(name)) {
    const path = join(settled, target);
    if (existsSync(path)) continue;
    try {
      renameSync(submission, path);
      return;
    } catch (error) {
      if (!hasCode(error, 'ENOTEMPTY', 'EEXIST', 'ENOTDIR')) throw error;
    }
  }
}
