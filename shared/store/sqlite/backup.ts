// Backup and restore of the embedded store: the catalog with its keys, and the releases with their source rows. A
// backup is consistent even while the service runs and loads publish, because the catalog is copied first, through
// SQLite, and releases never change. Each copy is compared with the checksums of its release (ADR 0050).

import { constants, copyFileSync, existsSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { failure, hasCode, type Result, success } from '../../values/result';
import { LocalDownloads } from '../local-downloads';
import { makeFolder } from '../make-folder';
import { createProcessName, isOwnerAlive } from '../process-names';
import { describeRelease } from '../readable-releases';
import { CATALOG_FILE } from './catalog-file';
import { isLocked, nameFullDisk, openDatabase, takeLock } from './database';
import { type CatalogContent, readCatalogFile } from './embedded-store';
import {
  getBlocksPath,
  getReleaseFolder,
  getReleasePath,
  listReleaseIds,
  removeReleaseFiles,
  synchronize,
} from './release-files';
import { checkReleaseFiles } from './release-reader';

interface BackupContent {
  readonly version: string;
  readonly releases: number;
  /** Sentences, without a period, about damaged earlier states and about releases that were left out of the backup. */
  readonly omitted: readonly string[];
  /** The folders of earlier backups that were killed. This backup removed the folders. */
  readonly removed: readonly string[];
}

type CopiedContent = Omit<BackupContent, 'removed'>;

/** Advice for damaged releases. */
const REPAIR = 'Run npm run releases -- rebuild, or load the submission again';

/**
 * A file in an unfinished backup that is locked while its process lives, even if that process is in another container.
 */
const LOCK_FILE = 'unfinished';

/** The name of an unfinished backup, which contains the name of the process that writes it. */
const UNFINISHED_NAME = /^\..+-(\d+-[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/;

/** Called after each copied release, with the number of releases. */
type BackupProgress = (copied: number, total: number) => void;

/** `folder` must not exist. It appears when the backup is complete. */
export function backUp(dataDirectory: string, folder: string, onProgress: BackupProgress): Result<BackupContent> {
  const catalog = join(dataDirectory, CATALOG_FILE);
  if (!existsSync(catalog)) return failure(`${dataDirectory} contains no store`);
  if (existsSync(folder)) return failure(`${folder} already exists; name a new folder`);
  const removed = removeUnfinishedBackups(dirname(folder));
  try {
    const written = writeBackup(dataDirectory, folder, onProgress);
    return written.ok ? success({ ...written.value, removed }) : written;
  } catch (error) {
    throw nameFullDisk(error, folder);
  }
}

/** Writes the backup next to `folder` first. Removes what it wrote when it fails. */
function writeBackup(dataDirectory: string, folder: string, onProgress: BackupProgress): Result<CopiedContent> {
  const partial = join(dirname(folder), `.${basename(folder)}-${createProcessName()}`);
  let lock: DatabaseSync | undefined;
  try {
    makeFolder(getReleaseFolder(partial));
    lock = takeLock(join(partial, LOCK_FILE));
    const source = openDatabase(join(dataDirectory, CATALOG_FILE), { readOnly: true });
    source.prepare('VACUUM INTO ?').run(join(partial, CATALOG_FILE));
    source.close();
    const history = readCatalogFile(join(partial, CATALOG_FILE));
    const copied = copyReleases(history, dataDirectory, partial, onProgress);
    if (!copied.ok) return failure(`${copied.problem}. Earlier backups are unchanged. ${REPAIR}`);
    synchronize(join(partial, CATALOG_FILE));
    lock?.close();
    rmSync(join(partial, LOCK_FILE), { force: true });
    renameSync(partial, folder);
    synchronize(dirname(folder));
    return copied;
  } finally {
    if (lock?.isOpen === true) lock.close();
    rmSync(partial, { recursive: true, force: true });
  }
}

/** Removes the backups in a folder whose processes were killed. Returns their paths. */
function removeUnfinishedBackups(folder: string): readonly string[] {
  if (!existsSync(folder)) return [];
  const unfinished = readdirSync(folder).flatMap((name) => {
    const owner = UNFINISHED_NAME.exec(name)?.[1];
    const path = join(folder, name);
    const isBackup = owner !== undefined && !isOwnerAlive(owner) && existsSync(getReleaseFolder(path));
    return isBackup && !isLocked(join(path, LOCK_FILE)) ? [path] : [];
  });
  for (const path of unfinished) rmSync(path, { recursive: true, force: true });
  return unfinished;
}

/**
 * Restores into a data directory without a store. The catalog is copied last, so that a partial copy is not a store.
 */
export function restore(folder: string, dataDirectory: string, onProgress: BackupProgress): Result<BackupContent> {
  const catalog = join(folder, CATALOG_FILE);
  if (!existsSync(catalog)) return failure(`${folder} contains no backup`);
  if (existsSync(join(dataDirectory, CATALOG_FILE))) {
    return failure(`${dataDirectory} already contains a store; restore into an empty data directory (WATER_DATA_DIR)`);
  }
  makeFolder(getReleaseFolder(dataDirectory));
  const copied = copyReleases(readCatalogFile(catalog), folder, dataDirectory, onProgress);
  if (!copied.ok) return failure(`${copied.problem}. Restore an earlier backup`);
  const partial = join(dataDirectory, `${CATALOG_FILE}.partial`);
  copyFileSync(catalog, partial);
  synchronize(partial);
  renameSync(partial, join(dataDirectory, CATALOG_FILE));
  synchronize(dataDirectory);
  return success({ ...copied.value, removed: [] });
}

/**
 * Copies the releases that a catalog refers to. Releases of the current state must be intact. Releases of earlier
 * states may be missing.
 */
function copyReleases(
  { states: history, damaged: damagedStates }: CatalogContent,
  from: string,
  to: string,
  onProgress: BackupProgress,
): Result<CopiedContent> {
  const [current] = history;
  if (current === undefined) return success({ version: '', releases: 0, omitted: [] });
  // All releases are checked before copying starts, so that the report lists every damaged release.
  const damaged = current.entries.flatMap((entry) => {
    const fault = checkReleaseFiles(from, entry.releaseId);
    return fault === undefined ? [] : [describeRelease(entry, fault)];
  });
  if (damaged.length > 0) return failure(damaged.join('; '));
  const needed = new Set(current.entries.map(({ releaseId }) => releaseId));
  const existing = new Set(listReleaseIds(from));
  const entries = new Map(history.flatMap((state) => state.entries.map((entry) => [entry.releaseId, entry] as const)));
  const available = [...entries.values()].filter(({ releaseId }) => needed.has(releaseId) || existing.has(releaseId));
  const source = new LocalDownloads(from);
  const target = new LocalDownloads(to);
  const omitted: string[] = [];
  if (damagedStates === 1) omitted.push('1 earlier state of the catalog is damaged (checksum mismatch)');
  if (damagedStates > 1) omitted.push(`${damagedStates} earlier states of the catalog are damaged (checksum mismatch)`);
  let copied = 0;
  for (const entry of available) {
    const { releaseId } = entry;
    const fault = copyRelease(releaseId, from, to);
    if (fault !== undefined) {
      const sentence = describeRelease(entry, fault);
      if (needed.has(releaseId)) return failure(sentence);
      if (existsSync(getReleasePath(from, releaseId))) omitted.push(sentence);
      continue;
    }
    target.copyFrom(source, releaseId);
    copied++;
    onProgress(copied, available.length);
  }
  synchronize(getReleaseFolder(to));
  return success({ version: current.version, releases: copied, omitted });
}

/**
 * Returns the fault of an incomplete copy, which is then removed. For example, the janitor may have deleted the release
 * in the meantime.
 */
function copyRelease(releaseId: string, from: string, to: string): string | undefined {
  const source = getReleasePath(from, releaseId);
  const target = getReleasePath(to, releaseId);
  try {
    // On file systems that support it, a copy shares the blocks of the original.
    for (const [file, copy] of [
      [getBlocksPath(source), getBlocksPath(target)],
      [source, target],
    ] as const) {
      if (file !== source && !existsSync(file)) continue; // Releases of an older format have no block file.
      copyFileSync(file, copy, constants.COPYFILE_FICLONE);
      synchronize(copy);
    }
  } catch (error) {
    if (!hasCode(error, 'ENOENT')) throw error;
  }
  const fault = checkReleaseFiles(to, releaseId);
  if (fault !== undefined) removeReleaseFiles(getReleasePath(to, releaseId));
  return fault;
}
