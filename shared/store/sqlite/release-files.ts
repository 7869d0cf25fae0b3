// The two files of a release: a SQLite file for content that is read by name, and a block file for content that is read
// by number. Both are written once. A release exists when its SQLite file does, so that file is renamed last and
// deleted first.

import { closeSync, existsSync, fsyncSync, openSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { DIGEST_NAME } from '../../values/digest';
import type { FragmentFamily } from '../port';
import { removeStaleEntries } from '../process-names';
import { isLocked, openDatabase } from './database';

const SCHEMA = `
CREATE TABLE artifacts (name TEXT PRIMARY KEY, checksum INTEGER NOT NULL, content BLOB NOT NULL);
CREATE TABLE postings (term TEXT PRIMARY KEY, checksum INTEGER NOT NULL, content BLOB NOT NULL) WITHOUT ROWID;
CREATE TABLE sources (
  file TEXT NOT NULL, piece INTEGER NOT NULL, checksum INTEGER NOT NULL, content BLOB NOT NULL, PRIMARY KEY (file, piece)
);
`;

const PAGE_BYTES = 4096;

/** Records are written in order, posting lists in any order. A larger cache is not faster. */
const WRITE_CACHE_KILOBYTES = 4096;

/** SQLite copies a bound value twice, so a long artifact is split into rows of this many bytes. */
export const ARTIFACT_PIECE_BYTES = 4 * 1024 * 1024;

/** Returns the name of a row of a long artifact. The first row has the artifact's name. */
export function getArtifactPieceName(name: string, piece: number): string {
  return piece === 0 ? name : `${name}/${piece}`;
}

/** Returns the name that the checksum of a piece of a source file covers. */
export function getSourcePieceName(file: string, piece: number): string {
  return `${file}/${piece}`;
}

/** The numbers of rows in a release, which distinguish a lost row from a row that was never written. */
export interface ReleaseContents {
  /** The number of rows of each artifact, in the order in which they were written. */
  readonly artifacts: Readonly<Record<string, number>>;
  /** The number of rows of each source file. */
  readonly sources: Readonly<Record<string, number>>;
  readonly postings: number;
  /** The first checksum in each artifact of term checksums, ascending. */
  readonly termChecksums: readonly number[];
}

/** The number of term checksums in an artifact; the last artifact may have fewer. */
export const TERM_CHECKSUMS_PER_ARTIFACT = 1024;

/**
 * Returns the name of an artifact with the checksums of terms that have posting lists. The checksums are unsigned
 * 32-bit numbers, in ascending order across all such artifacts.
 */
export function getTermChecksumsName(ordinal: number): string {
  return `termChecksums.${ordinal}`;
}

/** The name of the artifact with the ReleaseContents, which do not list this artifact itself. */
export const CONTENTS = 'contents';

/** Returns the name of the artifact with the locations of a family's blocks. */
export function getDirectoryName(family: FragmentFamily): string {
  return `${family}.blocks`;
}

const SQLITE_SUFFIX = '.sqlite';

export function getReleaseFolder(dataDirectory: string): string {
  return join(dataDirectory, 'releases');
}

export function getReleasePath(dataDirectory: string, releaseId: string): string {
  return join(getReleaseFolder(dataDirectory), `${releaseId}${SQLITE_SUFFIX}`);
}

/** The block file is next to the SQLite file of the same release, finished or not. */
export function getBlocksPath(path: string): string {
  return `${path}.blocks`;
}

export function listReleaseIds(dataDirectory: string): readonly string[] {
  return listNamesWithSuffix(dataDirectory, SQLITE_SUFFIX);
}

/** Lists the ids of releases without a SQLite file: their process was killed while it finished or deleted them. */
export function listOrphanedBlocks(dataDirectory: string): readonly string[] {
  const existing = new Set(listReleaseIds(dataDirectory));
  return listNamesWithSuffix(dataDirectory, getBlocksPath(SQLITE_SUFFIX)).filter(
    (releaseId) => !existing.has(releaseId),
  );
}

function listNamesWithSuffix(dataDirectory: string, suffix: string): readonly string[] {
  const folder = getReleaseFolder(dataDirectory);
  if (!existsSync(folder)) return [];
  const names = readdirSync(folder).filter((name) => name.endsWith(suffix));
  return names.map((name) => name.slice(0, -suffix.length)).filter((name) => DIGEST_NAME.test(name));
}

/** `path` is the SQLite file of a release, finished or not. */
export function removeReleaseFiles(path: string): void {
  rmSync(path, { force: true });
  rmSync(getBlocksPath(path), { force: true });
}

/** Removes both files of each writer that died. The database of a dead writer is unlocked. */
export function removeUnfinishedReleases(dataDirectory: string): void {
  removeStaleEntries(getReleaseFolder(dataDirectory), (path) => isLocked(path.replace(/\.blocks$/, '')));
}

/**
 * Creates the SQLite file of a writer. No other process reads it, so it has no journal and no syncs, and it is locked
 * for as long as the writer lives. SQLite's defensive mode, Node's default, would force a journal.
 */
export function createReleaseFile(path: string): DatabaseSync {
  const database = openDatabase(path, { defensive: false });
  database.exec(`
    PRAGMA page_size = ${PAGE_BYTES};
    PRAGMA journal_mode = OFF;
    PRAGMA synchronous = OFF;
    PRAGMA locking_mode = EXCLUSIVE;
    PRAGMA cache_size = -${WRITE_CACHE_KILOBYTES};
  `);
  database.exec(SCHEMA);
  return database;
}

/** Flushes a file's bytes, or a directory's names, to the disk, so that they survive a power cut. */
export function synchronize(path: string): void {
  const descriptor = openSync(path, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
