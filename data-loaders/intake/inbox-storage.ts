// The port through which an inbox reaches its files: folder-storage.ts keeps them in a folder, blob-storage.ts in a
// container. Paths are relative to the inbox and use slashes. Both storages have the same layout:
//   waiting/NAME/...               submissions
//   accepted/NAME/, refused/NAME/, held/NAME/  submissions that were settled, with their reports
//   .working/NAME/                 the claim on a submission, its saved report, and a move that is under way

import type { Result } from '../../shared/values/result';
import type { SubmittedFile, SubmittedFiles } from '../format/submitted-files';

/** The folders of settled submissions. A held submission may come back with its confirmation (D64). */
export const SETTLED_FOLDERS = ['accepted', 'refused', 'held'] as const;

export type SettledAs = (typeof SETTLED_FOLDERS)[number];

export const WAITING = 'waiting';
export const WORKING = '.working';

/** The end of the name of a note about an entry that is not read. The note is next to the entry. */
export const NOTE_SUFFIX = '.not-read.txt';

/** What is directly in `waiting/`, or next to it. */
export interface InboxEntry {
  readonly path: string;
  readonly kind: 'file' | 'folder' | 'link' | 'other';
  /** Of a folder: the paths in it of the files in it and in its folders, down to a storage's own depth. */
  readonly files: readonly string[];
  /** When the last of its files was written, by their own times. Milliseconds since 1970. */
  readonly writtenAt: number;
  /** When the last of its files was written, or got its name or its times. */
  readonly changedAt: number;
}

/** A file system answers at once, a container later. */
export type Awaitable<Value> = Value | Promise<Value>;

export interface Marker {
  /** The submission that the marker file belongs to. */
  readonly name: string;
  /** Milliseconds since 1970. */
  readonly modifiedAt: number;
}

export interface Content {
  /** Changes whenever a file of the submission changes. */
  readonly text: string;
  /** When the last of its files changed, in milliseconds since 1970. */
  readonly changedAt: number;
}

export interface VersionedText {
  /** Undefined if there is none. */
  readonly text: string | undefined;
  readonly version: string;
  /** Milliseconds since 1970. */
  readonly writtenAt: number;
}

/** A file that makes a submission complete. */
export interface MarkerText {
  readonly name: string;
  readonly text: string;
}

export interface InboxStorage {
  /** The marker files of waiting submissions. Names with a leading dot belong to programs that are still copying. */
  listMarkers(): Iterable<Marker> | AsyncIterable<Marker>;
  /** The entries of `waiting/`, and those next to it that are not part of the inbox. */
  listEntries(): Awaitable<readonly InboxEntry[]>;
  /** Undefined if the waiting submission is incomplete or missing. */
  readContent(name: string): Awaitable<Content | undefined>;
  /**
   * The files of the submission with this content. Fails with why they cannot be read. Reading a file that has changed
   * since is an error if the storage can detect it.
   */
  openSubmission(name: string, content: string): Awaitable<Result<SubmittedFiles>>;

  readText(path: string): Awaitable<string | undefined>;
  /** Writes the whole text, or nothing if the process is killed. */
  writeText(path: string, text: string): Awaitable<void>;
  /** Removes a file, or a folder with all that is in it. */
  remove(path: string): Awaitable<void>;
  /** Only where the storage has folders. */
  makeFolder(path: string): Awaitable<void>;
  /** The names of the files and folders directly in a folder. None of what is no folder. */
  listNames(path: string): Awaitable<readonly string[]>;
  openFile(path: string): Awaitable<SubmittedFile | undefined>;
  /**
   * Copies a local folder into `waiting/`, where it appears at once: `marker` is the file in it that makes it complete.
   * Nothing counts of what a killed process has copied.
   */
  deliver(localFolder: string, name: string, marker: string): Awaitable<void>;
  /** Moves a settled submission back into `waiting/`, with another marker. It can be repeated after a kill. */
  returnToWaiting(from: string, name: string, marker: MarkerText): Awaitable<void>;
  /** Removes deliveries that killed processes left before a moment, in milliseconds since 1970. */
  removeUnfinishedDeliveries(before: number): Awaitable<void>;

  /** Copies the files of a local folder. */
  copyIn(localFolder: string, path: string): Awaitable<void>;
  /** Returns a local folder with the files below `path`: the original, or a copy in `localFolder`. */
  copyOut(path: string, localFolder: string): Awaitable<string>;

  readClaim(name: string): Awaitable<VersionedText>;
  /**
   * Returns the new version, or undefined if another process wrote the claim since `version` was read. Without a text,
   * removes the claim.
   */
  writeClaim(name: string, text: string | undefined, version: string): Awaitable<string | undefined>;

  /**
   * Records in one write that the submission and the report in its `getReportPath` are to be moved. If the submission
   * has another content by then, only the report is moved (ADR 0052).
   */
  decideMove(name: string, content: string, as: SettledAs): Awaitable<void>;
  /** Names of submissions with a decided move that is not finished. */
  listDecidedMoves(): Awaitable<readonly string[]>;
  /**
   * Carries out a decided move, continuing where an earlier process was killed. Returns the path of the decision, which
   * exists until it is deleted; undefined if no move was decided.
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

/** Names for a settled submission. The first free one is used, so nothing is overwritten. */
export function* generateTargetNames(name: string): Generator<string, never> {
  yield name;
  for (let number = 2; ; number++) yield `${name}-${number}`;
}

/**
 * The path of a submitted file next to the files of its report. A submission that came back with a report may contain
 * files with the report's names. They become `submitted-NAME`.
 */
export function avoidReportNames(path: string, submitted: ReadonlySet<string>, reported: ReadonlySet<string>): string {
  const [first = '', ...rest] = path.split('/');
  if (!reported.has(first)) return path;
  let renamed = `submitted-${first}`;
  while (submitted.has(renamed) || reported.has(renamed)) renamed = `submitted-${renamed}`;
  return [renamed, ...rest].join('/');
}
