// Backup and restore of the embedded store: the catalog with its keys, and the releases with their source rows. A
// backup is consistent even while the service runs and loads publish, because the catalog is copied first, through
// SQLite, and releases never change.

import { constants, copyFileSync, existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { failure, hasCode, type Result, success } from '../../values/result';
import type { CatalogState } from '../catalog-types';
import { LocalDownloads } from '../local-downloads';
import { createProcessName } from '../process-names';
import { describeRelease } from '../readable-releases';
import { openDatabase } from './database';
import { CATALOG_FILE, readCatalogFile } from './embedded-store';
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
}

/** Called after each copied release, with the number of releases. */
type BackupProgress = (copied: number, total: number) => void;

/** `folder` must not exist. It appears when the backup is complete. */
export function backUp(dataDirectory: string, folder: string, onProgress: BackupProgress): Result<BackupContent> {
  const catalog = join(dataDirectory, CATALOG_FILE);
  if (!existsSync(catalog)) return failure(`${dataDirectory} holds no store`);
  if (existsSync(folder)) return failure(`${folder} is there already; name a new folder`);
  const partial = join(dirname(folder), `.${basename(folder)}-${createProcessName()}`);
  mkdirSync(getReleaseFolder(partial), { recursive: true });
  try {
    const source = openDatabase(catalog, { readOnly: true });
    source.prepare('VACUUM INTO ?').run(join(partial, CATALOG_FILE));
    source.close();
    const history = readCatalogFile(join(partial, CATALOG_FILE));
    const copied = copyReleases(history, dataDirectory, partial, onProgress);
    if (!copied.ok) return copied;
    synchronize(join(partial, CATALOG_FILE));
    renameSync(partial, folder);
    synchronize(dirname(folder));
    return copied;
  } finally {
    rmSync(partial, { recursive: true, force: true });
  }
}

/**
 * Restores into a data directory without a store. The catalog is copied last, so that a partial copy is not a store.
 */
export function restore(folder: string, dataDirectory: string, onProgress: BackupProgress): Result<BackupContent> {
  const catalog = join(folder, CATALOG_FILE);
  if (!existsSync(catalog)) return failure(`${folder} holds no backup`);
  if (existsSync(join(dataDirectory, CATALOG_FILE))) {
    return failure(`${dataDirectory} holds a store already; restore into an empty data directory (WATER_DATA_DIR)`);
  }
  mkdirSync(getReleaseFolder(dataDirectory), { recursive: true });
  const copied = copyReleases(readCatalogFile(catalog), folder, dataDirectory, onProgress);
  if (!copied.ok) return copied;
  const partial = join(dataDirectory, `${CATALOG_FILE}.partial`);
  copyFileSync(catalog, partial);
  synchronize(partial);
  renameSync(partial, join(dataDirectory, CATALOG_FILE));
  synchronize(dataDirectory);
  return copied;
}

/** Releases of the current state must be complete. Releases of earlier states may be missing. */
function copyReleases(
  history: readonly CatalogState[],
  from: string,
  to: string,
  onProgress: BackupProgress,
): Result<BackupContent> {
  const [current] = history;
  if (current === undefined) return success({ version: '', releases: 0 });
  // Checked before anything is copied.
  const damaged = current.entries.flatMap((entry) => {
    const fault = checkReleaseFiles(from, entry.releaseId);
    return fault === undefined ? [] : [describeRelease(entry, fault)];
  });
  if (damaged.length > 0) return failure(damaged.join('; '));
  const needed = new Map(current.entries.map((entry) => [entry.releaseId, entry]));
  const existing = new Set(listReleaseIds(from));
  const namedByHistory = new Set(history.flatMap(({ entries }) => entries.map(({ releaseId }) => releaseId)));
  const available = [...namedByHistory].filter((releaseId) => needed.has(releaseId) || existing.has(releaseId));
  const source = new LocalDownloads(from);
  const target = new LocalDownloads(to);
  let copied = 0;
  for (const releaseId of available) {
    const fault = copyRelease(releaseId, from, to);
    const entry = needed.get(releaseId);
    if (fault !== undefined && entry !== undefined) return failure(describeRelease(entry, fault));
    if (fault !== undefined) continue;
    target.copyFrom(source, releaseId);
    copied++;
    onProgress(copied, available.length);
  }
  synchronize(getReleaseFolder(to));
  return success({ version: current.version, releases: copied });
}

/**
 * Returns the fault of an incomplete copy, which is then removed. The janitor may have deleted the release meanwhile,
 * for instance.
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
      if (file !== source && !existsSync(file)) continue; // Releases of an older format have none.
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
