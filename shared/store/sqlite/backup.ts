// A backup of the embedded store: the catalog with its keys, and the releases with their source rows, in a folder of their own.
// Consistent while the service runs and loads publish: the catalog is copied first, through SQLite, and releases never change.

import { constants, copyFileSync, existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { failure, success, type Result } from '../../values/result';
import type { CatalogState } from '../catalog-types';
import { CATALOG_FILE, readCatalogFile } from './catalog';
import { processName } from '../process-names';
import { blocksPath, releaseFolder, releaseIdsIn, releasePath, removeRelease } from './release-file';
import { SqliteReleaseReader } from './release-reader';
import { openDatabase } from './database';
import { synchronize } from './synchronize';

export interface BackupContent {
  readonly version: string;
  readonly releases: number;
}

/** Called for each release copied, with how many there are. */
export type BackupProgress = (copied: number, total: number) => void;

/** `folder` must not be there yet; it appears when it is whole. */
export function backUp(dataDirectory: string, folder: string, onProgress: BackupProgress): Result<BackupContent> {
  const catalog = join(dataDirectory, CATALOG_FILE);
  if (!existsSync(catalog)) return failure(`${dataDirectory} holds no store`);
  if (existsSync(folder)) return failure(`${folder} is there already; name a new folder`);
  const partial = join(dirname(folder), `.${basename(folder)}-${processName()}`);
  mkdirSync(releaseFolder(partial), { recursive: true });
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

/** Into a data directory without a store; the catalog comes last, so that what is not whole is not a store. */
export function restore(folder: string, dataDirectory: string, onProgress: BackupProgress): Result<BackupContent> {
  const catalog = join(folder, CATALOG_FILE);
  if (!existsSync(catalog)) return failure(`${folder} holds no backup`);
  if (existsSync(join(dataDirectory, CATALOG_FILE))) {
    return failure(`${dataDirectory} holds a store already; restore into an empty data directory (WATER_DATA_DIR)`);
  }
  mkdirSync(releaseFolder(dataDirectory), { recursive: true });
  const copied = copyReleases(readCatalogFile(catalog), folder, dataDirectory, onProgress);
  if (!copied.ok) return copied;
  const partial = join(dataDirectory, `${CATALOG_FILE}.partial`);
  copyFileSync(catalog, partial);
  synchronize(partial);
  renameSync(partial, join(dataDirectory, CATALOG_FILE));
  synchronize(dataDirectory);
  return copied;
}

/** Releases of former states may be gone; those of the newest must be there, and be what they are called. */
function copyReleases(
  history: readonly CatalogState[],
  from: string,
  to: string,
  onProgress: BackupProgress,
): Result<BackupContent> {
  const [current, ...former] = history;
  if (current === undefined) return success({ version: '', releases: 0 });
  const needed = new Set(current.entries.map(({ releaseId }) => releaseId));
  const held = new Set(releaseIdsIn(from));
  const wanted = new Set([...needed, ...former.flatMap(({ entries }) => entries.map(({ releaseId }) => releaseId))]);
  const present = [...wanted].filter((releaseId) => needed.has(releaseId) || held.has(releaseId));
  let copied = 0;
  for (const releaseId of present) {
    const isCopied = copyRelease(releaseId, from, to);
    if (!isCopied && needed.has(releaseId)) return failure(`the release ${releaseId} is missing or damaged`);
    if (isCopied) onProgress(++copied, present.length);
  }
  synchronize(releaseFolder(to));
  return success({ version: current.version, releases: copied });
}

/** False when its files are not there (a janitor may just have deleted it) or is not the release that its name says. */
function copyRelease(releaseId: string, from: string, to: string): boolean {
  const target = releasePath(to, releaseId);
  try {
    // Where the file system can, a copy shares the blocks of the original.
    const source = releasePath(from, releaseId);
    for (const [file, copy] of [
      [blocksPath(source), blocksPath(target)],
      [source, target],
    ] as const) {
      if (file !== source && !existsSync(file)) continue; // A former format's.
      copyFileSync(file, copy, constants.COPYFILE_FICLONE);
      synchronize(copy);
    }
    const reader = new SqliteReleaseReader(target);
    reader.close();
    if (reader.facts.releaseId === releaseId) return true;
  } catch {
    // Told by the result.
  }
  removeRelease(to, releaseId);
  return false;
}
