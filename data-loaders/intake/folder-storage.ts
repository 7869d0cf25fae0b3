// The storage of an inbox in a folder. The whole inbox is on one file system, so submissions are moved by renaming.
//
// A move is decided by renaming a file to `decided`. To carry out the move,
// - the submission leaves waiting/ by one rename, and the decision is renamed to `left`;
// - the report's files are added to the submission's folder;
// - the complete folder appears in accepted/, refused/ or held/ by one rename.

import {
  cpSync,
  type Dirent,
  existsSync,
  lstatSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join, relative } from 'node:path';
import { makeFolder } from '../../shared/store/make-folder';
import { failure, hasCode, readIfExists, type Result, success } from '../../shared/values/result';
import { isJunk } from '../format/entry-names';
import { folderFiles, type SubmittedFile, type SubmittedFiles } from '../format/submitted-files';
import {
  avoidReportNames,
  type Content,
  generateTargetNames,
  getReportPath,
  getWorkPath,
  type InboxEntry,
  type InboxStorage,
  type Marker,
  type MarkerText,
  SETTLED_FOLDERS,
  type SettledAs,
  type VersionedText,
  WAITING,
  WORKING,
} from './inbox-storage';
import { findMarkerPaths, type FolderListing } from './markers';

/** The move is decided; the submission may still be in waiting/. */
const DECIDED = 'decided';

/** The submission has left waiting/. A submission in waiting/ under the same name is a different one. */
const LEFT = 'left';

/** The prefix for the name of a folder that is still being copied into waiting/. */
const DELIVERY = '.delivery-';

const CLAIM_FILE = /^claim\.(\d+)$/;

/** The content of a released claim file. The file is kept, because the numbering must not restart. */
const NO_CLAIM = 'free';

export class FolderStorage implements InboxStorage {
  constructor(private readonly root: string) {
    for (const folder of [WAITING, ...SETTLED_FOLDERS, WORKING]) makeFolder(join(root, folder));
  }

  *listMarkers(): Iterable<Marker> {
    for (const name of listFolders(this.resolvePath(WAITING))) {
      for (const { mtimeMs } of listMarkerFiles(this.resolvePath(WAITING, name))) yield { name, modifiedAt: mtimeMs };
    }
  }

  listEntries(): readonly InboxEntry[] {
    const own: readonly string[] = [WAITING, ...SETTLED_FOLDERS, WORKING];
    const outside = listVisible(this.root).filter(({ name }) => !own.includes(name));
    const waiting = listVisible(this.resolvePath(WAITING));
    return [
      ...outside.flatMap((entry) => describeEntry(this.root, entry.name, entry)),
      ...waiting.flatMap((entry) => describeEntry(this.root, `${WAITING}/${entry.name}`, entry)),
    ];
  }

  readContent(name: string): Content | undefined {
    const folder = this.resolvePath(WAITING, name);
    if (listMarkerFiles(folder).length === 0) return undefined;
    // If a file is being removed at this moment, the submission counts as having no files.
    const files = readIfExists(() => readFileStates(folder)) ?? [];
    const text = files.map(({ path, identity }) => `${path}\t${identity}`).join('\n');
    return { text, changedAt: Math.max(0, ...files.map(({ changedAt }) => changedAt)) };
  }

  /**
   * Refuses links, because they can lead out of the folder, and pipes and devices, because reading them may never end.
   */
  openSubmission(name: string): Result<SubmittedFiles> {
    const folder = this.resolvePath(WAITING, name);
    const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
    const foreign = entries.find((entry) => !entry.isFile() && !entry.isDirectory());
    if (foreign === undefined) return success(folderFiles(folder));
    return failure(`${foreign.name} is neither a regular file nor a regular folder of the submission`);
  }

  readText(path: string): string | undefined {
    return readIfExists(() => readFileSync(this.resolvePath(path), 'utf8'));
  }

  writeText(path: string, text: string): void {
    const draft = this.resolvePath(`${path}.draft`);
    writeFileSync(draft, text, { flush: true });
    renameSync(draft, this.resolvePath(path));
  }

  makeFolder(path: string): void {
    makeFolder(this.resolvePath(path));
  }

  listNames(path: string): readonly string[] {
    return folderFiles(this.resolvePath(path)).names();
  }

  openFile(path: string): SubmittedFile | undefined {
    return folderFiles(this.root).file(path);
  }

  /** Names with a leading dot belong to programs that are still copying. */
  deliver(localFolder: string, name: string): void {
    const draft = this.resolvePath(WAITING, `${DELIVERY}${name}`);
    cpSync(localFolder, draft, { recursive: true });
    renameSync(draft, this.resolvePath(WAITING, name));
  }

  returnToWaiting(from: string, name: string, marker: MarkerText): void {
    this.writeText(`${from}/${marker.name}`, marker.text);
    renameSync(this.resolvePath(from), this.resolvePath(WAITING, name));
  }

  removeUnfinishedDeliveries(before: number): void {
    const waiting = this.resolvePath(WAITING);
    for (const name of readdirSync(waiting).filter((entry) => entry.startsWith(DELIVERY))) {
      const path = join(waiting, name);
      const stats = statSync(path, { throwIfNoEntry: false });
      if (stats !== undefined && stats.mtimeMs < before) rmSync(path, { recursive: true, force: true });
    }
  }

  remove(path: string): void {
    rmSync(this.resolvePath(path), { recursive: true, force: true });
  }

  copyIn(localFolder: string, path: string): void {
    cpSync(localFolder, this.resolvePath(path), { recursive: true });
  }

  copyOut(path: string): string {
    return this.resolvePath(path);
  }

  /** Claims are numbered files. The newest one is valid. */
  readClaim(name: string): VersionedText {
    for (;;) {
      const newest = Math.max(0, ...this.listClaimNumbers(name));
      if (newest === 0) return { text: undefined, version: '0', writtenAt: 0 };
      const path = this.getClaimPath(name, newest);
      const text = readIfExists(() => readFileSync(path, 'utf8'));
      const writtenAt = statSync(path, { throwIfNoEntry: false })?.mtimeMs;
      // The next claim was written after listing and before reading.
      if (text === undefined || writtenAt === undefined) continue;
      return { text: text === NO_CLAIM ? undefined : text, version: String(newest), writtenAt };
    }
  }

  /**
   * Creates the file with the next number. This fails on every file system if the file exists, so only one writer
   * succeeds.
   */
  writeClaim(name: string, text: string | undefined, version: string): string | undefined {
    const number = Number(version) + 1;
    const path = this.getClaimPath(name, number);
    makeFolder(this.resolvePath(WORKING, name));
    try {
      writeFileSync(path, text ?? NO_CLAIM, { flag: 'wx' });
    } catch (error) {
      if (hasCode(error, 'EEXIST')) return undefined;
      throw error;
    }
    const numbers = this.listClaimNumbers(name);
    // Older files are removed, so the number may be free again for a writer that paused for a long time.
    if (numbers.some((other) => other > number)) {
      rmSync(path, { force: true });
      return undefined;
    }
    for (const other of numbers) if (other < number) rmSync(this.getClaimPath(name, other), { force: true });
    return String(number);
  }

  decideMove(name: string, content: string, as: SettledAs): void {
    this.writeText(getWorkPath(name, DECIDED), `${as}\n${content}`);
  }

  listDecidedMoves(): readonly string[] {
    const folders = listFolders(this.resolvePath(WORKING));
    return folders.filter((name) =>
      [DECIDED, LEFT].some((file) => existsSync(this.resolvePath(getWorkPath(name, file)))),
    );
  }

  carryOutMove(name: string): string | undefined {
    const decided = this.resolvePath(getWorkPath(name, DECIDED));
    const left = this.resolvePath(getWorkPath(name, LEFT));
    if (!existsSync(decided) && !existsSync(left)) return undefined;
    const submission = this.resolvePath(getWorkPath(name, 'submission'));
    if (existsSync(decided)) {
      const [, ...content] = readFileSync(decided, 'utf8').split('\n');
      const isSame = this.readContent(name)?.text === content.join('\n');
      if (isSame && !existsSync(submission)) renameSync(this.resolvePath(WAITING, name), submission);
      // If the submission was changed or removed in the meantime, only a folder for its report remains.
      makeFolder(submission);
      renameSync(decided, left);
    }
    if (existsSync(submission)) {
      addReport(this.resolvePath(getReportPath(name)), submission);
      const [as] = readFileSync(left, 'utf8').split('\n', 1);
      deliver(submission, this.resolvePath(SETTLED_FOLDERS.find((folder) => folder === as) ?? 'refused'), name);
    }
    return getWorkPath(name, LEFT);
  }

  private listClaimNumbers(name: string): readonly number[] {
    const files = readIfExists(() => readdirSync(this.resolvePath(WORKING, name))) ?? [];
    return files.flatMap((file) => CLAIM_FILE.exec(file)?.slice(1).map(Number) ?? []);
  }

  private resolvePath(...path: readonly string[]): string {
    return join(this.root, ...path);
  }

  private getClaimPath(name: string, number: number): string {
    return this.resolvePath(getWorkPath(name, `claim.${number}`));
  }
}

/** All files below the folder, sorted by path. Throws ENOENT if one is removed in the meantime. */
function readFileStates(folder: string): readonly (ReturnType<typeof readFileState> & { readonly path: string })[] {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => !entry.isDirectory());
  const paths = entries.map(({ parentPath, name }) => relative(folder, join(parentPath, name)));
  return paths.sort().map((path) => ({ path, ...readFileState(join(folder, path)) }));
}

/**
 * The state of a file, which shows whether the file changed (ADR 0052): no program can set the time of a file's last
 * change. `changedAt` is when the file was written or renamed, in milliseconds since 1970. For a link, the state is
 * that of its target. Throws ENOENT if the file does not exist.
 */
export function readFileState(file: string): { readonly identity: string; readonly changedAt: number } {
  const stats = statSync(file, { bigint: true, throwIfNoEntry: false }) ?? lstatSync(file, { bigint: true });
  const { size, mtimeNs, ctimeNs, ino } = stats;
  const changedAt = Number((mtimeNs > ctimeNs ? mtimeNs : ctimeNs) / 1_000_000n);
  return { identity: [size, mtimeNs, ctimeNs, ino].join(' '), changedAt };
}

/**
 * Omits files that operating systems add, and names with a leading dot, which belong to programs that are still
 * copying.
 */
function listVisible(folder: string): readonly Dirent[] {
  const entries = readdirSync(folder, { withFileTypes: true });
  return entries.filter(({ name }) => !name.startsWith('.') && !isJunk(name));
}

/** Returns nothing if the entry is removed in the meantime. Does not follow links, because they could lead anywhere. */
function describeEntry(root: string, path: string, entry: Dirent): readonly InboxEntry[] {
  const described = readIfExists((): InboxEntry => {
    const files = entry.isDirectory() ? listPaths(join(root, path)) : [];
    const times = [path, ...files.map((file) => `${path}/${file}`)].map((one) => lstatSync(join(root, one)));
    return {
      path,
      kind: getEntryKind(entry),
      files,
      writtenAt: Math.max(...times.map(({ mtimeMs }) => mtimeMs)),
      changedAt: Math.max(...times.map(({ mtimeMs, ctimeMs }) => Math.max(mtimeMs, ctimeMs))),
    };
  });
  return described === undefined ? [] : [described];
}

function getEntryKind(entry: Dirent): InboxEntry['kind'] {
  if (entry.isSymbolicLink()) return 'link';
  if (entry.isDirectory()) return 'folder';
  return entry.isFile() ? 'file' : 'other';
}

/** Limits the depth of the search, because a folder next to `waiting/` may contain anything. */
const MAX_DEPTH = 3;

/** The paths of the files in a folder and its subfolders. */
function listPaths(folder: string, depth = MAX_DEPTH): readonly string[] {
  if (depth === 0) return [];
  const { files, folders } = listFolder(folder);
  const inner = folders.flatMap((name) => listPaths(join(folder, name), depth - 1).map((path) => `${name}/${path}`));
  return [...files, ...inner];
}

/**
 * Returns nothing if the folder is removed in the meantime or is not readable, so that one folder does not block the others.
 */
function listFolder(folder: string): FolderListing {
  const entries = readEntries(folder);
  return {
    files: entries.filter((entry) => !entry.isDirectory()).map(({ name }) => name),
    folders: entries.filter((entry) => entry.isDirectory()).map(({ name }) => name),
  };
}

function readEntries(folder: string): readonly Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch (error) {
    if (hasCode(error, 'ENOENT', 'EACCES', 'EPERM')) return [];
    throw error;
  }
}

/** Lists only real folders, because a link could lead anywhere. */
function listFolders(folder: string): readonly string[] {
  const folders = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  return folders.map(({ name }) => name).filter((name) => !name.startsWith('.'));
}

function listMarkerFiles(folder: string): readonly { readonly mtimeMs: number }[] {
  const paths = findMarkerPaths(listFolder(folder), (inner) => listFolder(join(folder, inner)));
  return paths.flatMap((path) => statSync(join(folder, path), { throwIfNoEntry: false }) ?? []);
}

function addReport(report: string, submission: string): void {
  if (!existsSync(report)) return;
  const reported = new Set(readdirSync(report));
  for (const name of reported) {
    const submitted = new Set(readdirSync(submission));
    if (submitted.has(name)) {
      renameSync(join(submission, name), join(submission, avoidReportNames(name, submitted, reported)));
    }
    renameSync(join(report, name), join(submission, name));
  }
}

/**
 * Moves the submission. A rename does not replace a folder that contains files, so two submissions with the same name
 * get different names.
 */
function deliver(submission: string, settled: string, name: string): void {
  makeFolder(settled);
  for (const target of generateTargetNames(name)) {
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
