// The port through which an inbox reaches its files: folder-storage.ts keeps them in a folder, blob-storage.ts in a
// container. Paths are relative to the inbox and use slashes. Both storages have the same layout:
//   waiting/NAME/...               submissions
//   accepted/NAME/, refused/NAME/, held/NAME/  submissions that were settled, with their reports
//   .working/NAME/                 the claim on a submission, its saved report, and a move that is under way

import type { Result } from '../../shared/values/result';
import type { SubmittedFiles } from '../format/submitted-files';

/** The folders of settled submissions; one that is held may come back with its confirmation (D64). */
export const SETTLED_FOLDERS = ['accepted', 'refused', 'held'] as const;

export type SettledAs = (typeof SETTLED_FOLDERS)[number];

export const WAITING = 'waiting';
export const WORKING = '.working';

/** One of these files says that all other files of the submission are there. */
export const MARKER_FILES: readonly string[] = ['submission.json', 'READY'];

/** A file system answers at once, a container later. */
export type Awaitable<Value> = Value | Promise<Value>;

export interface Marker {
  /** The submission that the marker file belongs to. */
  readonly name: string;
  /** Milliseconds since 1970. */
  readonly modifiedAt: number;
}

export interface Content {
  /** Changes whenever a file of the submission does, whatever is in it. */
  readonly text: string;
  /** When the last of its files changed, in milliseconds since 1970. */
  readonly changedAt: number;
}

export interface VersionedText {
  /** Undefined when there is none. */
  readonly text: string | undefined;
  readonly version: string;
  /** Milliseconds since 1970. */
  readonly writtenAt: number;
}

export interface InboxStorage {
  /** The marker files of submissions that wait. Names with a leading dot belong to programs that copy. */
  listMarkers(): Iterable<Marker> | AsyncIterable<Marker>;
  /** Undefined when the waiting submission is not complete, or is not there. */
  readContent(name: string): Awaitable<Content | undefined>;
  /**
   * The files of the submission with this content; fails with why they cannot be read. Reading a file that has changed
   * since is an error where the storage can tell.
   */
  openSubmission(name: string, content: string): Awaitable<Result<SubmittedFiles>>;

  readText(path: string): Awaitable<string | undefined>;
  /** Writes the whole text or, when the process is killed, nothing. */
  writeText(path: string, text: string): Awaitable<void>;
  /** Removes a file, or a folder with all that is in it. */
  remove(path: string): Awaitable<void>;
  /** Copies the files of a local folder. */
  copyIn(localFolder: string, path: string): Awaitable<void>;
  /** A local folder with the files below `path`: in place, or copied to `localFolder`. */
  copyOut(path: string, localFolder: string): Awaitable<string>;

  readClaim(name: string): Awaitable<VersionedText>;
  /** The new version, or undefined when somebody wrote the claim since `version` was read. No text removes it. */
  writeClaim(name: string, text: string | undefined, version: string): Awaitable<string | undefined>;

  /**
   * Records in one write that the submission and the report in its `reportPath` are to be moved; the report alone if
   * the submission has another content by then (ADR 0052).
   */
  decideMove(name: string, content: string, as: SettledAs): Awaitable<void>;
  /** Names of submissions whose moves were decided and have not ended. */
  listDecidedMoves(): Awaitable<readonly string[]>;
  /**
   * Carries out a decided move, from whatever point an earlier process was killed at. Gives the path of the decision,
   * which stands until somebody removes it; undefined when none was decided.
   */
  carryOutMove(name: string): Awaitable<string | undefined>;
}

export function getWorkPath(name: string, file: string): string {
  return `${WORKING}/${name}/${file}`;
}

/** The folder of the report that moves with the submission. */
export function getReportPath(name: string): string {
  return getWorkPath(name, 'report');
}

/** Names for a settled submission; the first free one is taken, so that nothing is overwritten. */
export function* generateTargetNames(name: string): Generator<string, never> {
  yield name;
  for (let number = 2; ; number++) yield `${name}-${number}`;
}

/**
 * The path of a submitted file beside the files of its report: a submission that came back with a report and was mended
 * may hold files of the report's names, which become `submitted-NAME`.
 */
export function avoidReportNames(path: string, submitted: ReadonlySet<string>, reported: ReadonlySet<string>): string {
  const [first = '', ...rest] = path.split('/');
  if (!reported.has(first)) return path;
  let renamed = `submitted-${first}`;
  while (submitted.has(renamed) || reported.has(renamed)) renamed = `submitted-${renamed}`;
  return [renamed, ...rest].join('/');
}
