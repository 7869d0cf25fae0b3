// The port for the files of an inbox: folder-storage.ts keeps them in a folder, blob-storage.ts in a container. Paths
// are relative to the inbox and use slashes. Both storages have the same layout:
//
// - waiting/NAME/...: submissions
// - accepted/NAME/, refused/NAME/, held/NAME/: settled submissions with their reports
// - .working/NAME/: the claim on a submission, its saved report, and a move in progress

import type { Result } from '../../shared/values/result';
import type { SubmittedFile, SubmittedFiles } from '../format/submitted-files';

/** The folders of settled submissions. A held submission may return to waiting/ when it is confirmed (D64). */
export const SETTLED_FOLDERS = ['accepted', 'refused', 'held'] as const;

export type SettledAs = (typeof SETTLED_FOLDERS)[number];

export const WAITING = 'waiting';
export const WORKING = '.working';

/** The suffix of the name of a note about an entry that is not read. The note is stored next to the entry. */
export const NOTE_SUFFIX = '.not-read.txt';

/** An entry in `waiting/`, or one next to `waiting/`. */
export interface InboxEntry {
  readonly path: string;
  readonly kind: 'file' | 'folder' | 'link' | 'other';
  /**
   * For a folder: the paths of the files in it and in its subfolders, relative to the folder, down to the depth that
   * the storage searches.
   */
  readonly files: readonly string[];
  /** When the last of its files was written, according to the files' own times, in milliseconds since 1970. */
  readonly writtenAt: number;
  /** When the last of its files was written or renamed, or had its times changed. */
  readonly changedAt: number;
}

/** A file system returns the value, a container a promise. */
export type Awaitable<Value> = Value | Promise<Value>;

export interface Marker {
  /** The submission to which the marker file belongs. */
  readonly name: string;
  /** Milliseconds since 1970. */
  readonly modifiedAt: number;
}

export interface Content {
  /** Identifies the content. Changes whenever a file of the submission changes. */
  readonly text: string;
  /** When the last of its files changed, in milliseconds since 1970. */
  readonly changedAt: number;
}

export interface VersionedText {
  /** Undefined if there is no claim. */
  readonly text: string | undefined;
  readonly version: string;
  /** Milliseconds since 1970. */
  readonly writtenAt: number;
}

/** A file that marks a submission as complete. */
export interface MarkerText {
  readonly name: string;
  readonly text: string;
}

export interface InboxStorage {
  /** The marker files of waiting submissions. Names with a leading dot belong to programs that are still copying. */
  listMarkers(): Iterable<Marker> | AsyncIterable<Marker>;
  /** The entries in `waiting/`, and entries next to it that do not belong to the inbox. */
  listEntries(): Awaitable<readonly InboxEntry[]>;
  /** Undefined if the waiting submission is incomplete or missing. */
  readContent(name: string): Awaitable<Content | undefined>;
  /**
   * The files of the submission with this content. A failure says why the files cannot be read. Reading a file that has
   * changed since then is an error if the storage can detect the change.
   */
  openSubmission(name: string, content: string): Awaitable<Result<SubmittedFiles>>;

  readText(path: string): Awaitable<string | undefined>;
  /** Writes the whole text, or nothing at all if the process is killed. */
  writeText(path: string, text: string): Awaitable<void>;
  /** Removes a file, or a folder with its content. */
  remove(path: string): Awaitable<void>;
  /** Does nothing if the storage has no folders. */
  makeFolder(path: string): Awaitable<void>;
  /** The names of the files and folders directly in a folder. Empty if the path is not a folder. */
  listNames(path: string): Awaitable<readonly string[]>;
  openFile(path: string): Awaitable<SubmittedFile | undefined>;
  /**
   * Copies a local folder into `waiting/`. The submission appears all at once when the file `marker`, which makes it
   * complete, is written last. If the process is killed before, the copied files have no effect.
   */
  deliver(localFolder: string, name: string, marker: string): Awaitable<void>;
  /** Moves a settled submission back into `waiting/`, with a new marker. After a kill, the call can be repeated. */
  returnToWaiting(from: string, name: string, marker: MarkerText): Awaitable<void>;
  /** Removes unfinished deliveries of killed processes that are older than `before`, in milliseconds since 1970. */
  removeUnfinishedDeliveries(before: number): Awaitable<void>;

  /** Copies the files of a local folder. */
  copyIn(localFolder: string, path: string): Awaitable<void>;
  /** Returns a local folder that contains the files below `path`: either the original, or a copy in `localFolder`. */
  copyOut(path: string, localFolder: string): Awaitable<string>;

  readClaim(name: string): Awaitable<VersionedText>;
  /**
   * Returns the new version, or undefined if another process has written the claim since `version` was read. Removes
   * the claim if `text` is undefined.
   */
  writeClaim(name: string, text: string | undefined, version: string): Awaitable<string | undefined>;

  /**
   * Records, in one write, the decision to move the submission together with the report at `getReportPath`. If the
   * submission's content has changed by then, only the report is moved (ADR 0052).
   */
  decideMove(name: string, content: string, as: SettledAs): Awaitable<void>;
  /** Names of submissions with an unfinished move. */
  listDecidedMoves(): Awaitable<readonly string[]>;
  /**
   * Carries out a decided move, continuing where an earlier process was killed. Returns the path of the decision, which
   * the caller deletes at the end; undefined if no move was decided.
   */
  carryOutMove(name: string): Awaitable<string | undefined>;
}

export function getWorkPath(name: string, file: string): string {
  return `${WORKING}/${name}/${file}`;
}

/** The folder for the report that moves with the submission. */
export function getReportPath(name: string): string {
  return getWorkPath(name, 'report');
}

/** Candidate names for a settled submission. The first free one is used, so nothing is overwritten. */
export function* generateTargetNames(name: string): Generator<string, never> {
  yield name;
  for (let number = 2; ; number++) yield `${name}-${number}`;
}

/**
 * The path for a submitted file next to the files of its report. A submission that was returned with a report may
 * contain files with the same names as the report's. They are renamed to `submitted-NAME`.
 */
export function avoidReportNames(path: string, submitted: ReadonlySet<string>, reported: ReadonlySet<string>): string {
  const [first = '', ...rest] = path.split('/');
  if (!reported.has(first)) return path;
  let renamed = `submitted-${first}`;
  while (submitted.has(renamed) || reported.has(renamed)) renamed = `submitted-${renamed}`;
  return [renamed, ...rest].join('/');
}
