// The two files of a release and where they lie: a SQLite file for what is found by name, a file of blocks for what is
// found by number. Both are written once. A release exists when its SQLite file does, so that is renamed last and
// deleted first.

import { closeSync, existsSync, fsyncSync, openSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import { DIGEST_NAME } from '../../values/digest';
import { readIfExists } from '../../values/result';
import type { FragmentFamily } from '../port';
import { removeStaleEntries } from '../process-names';
import { toBytes, isLocked, openDatabase } from './database';

const SCHEMA = `
CREATE TABLE artifacts (name TEXT PRIMARY KEY, content BLOB NOT NULL);
CREATE TABLE postings (term TEXT PRIMARY KEY, content BLOB NOT NULL) WITHOUT ROWID;
CREATE TABLE sources (file TEXT NOT NULL, piece INTEGER NOT NULL, content BLOB NOT NULL, PRIMARY KEY (file, piece));
`;

const PAGE_BYTES = 4096;

/** Records are written in order and posting lists in any; a larger cache is no faster. */
const WRITE_CACHE_KILOBYTES = 4096;

/** SQLite copies a value bound to a statement twice, so a long artifact is written in rows of this many bytes. */
export const ARTIFACT_PIECE_BYTES = 4 * 1024 * 1024;

/** The names of the rows of a long artifact; the first row has the artifact's name. */
export function getArtifactPieceName(name: string, piece: number): string {
  return piece === 0 ? name : `${name}/${piece}`;
}

/** The name of the artifact that says where the blocks of a family lie. */
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

/** The block file lies beside the SQLite file of the same release, finished or not. */
export function getBlocksPath(path: string): string {
  return `${path}.blocks`;
}

export function listReleaseIds(dataDirectory: string): readonly string[] {
  return listNamesWithSuffix(dataDirectory, SQLITE_SUFFIX);
}

/** The releases that were being finished or deleted when their process was killed. */
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

/** `path` is that of the SQLite file of a release, finished or not. */
export function removeReleaseFiles(path: string): void {
  rmSync(path, { force: true });
  rmSync(getBlocksPath(path), { force: true });
}

/** Removes both files of each writer that is dead and whose database is no longer locked. */
export function removeUnfinishedReleases(dataDirectory: string): void {
  removeStaleEntries(getReleaseFolder(dataDirectory), (path) => isLocked(path.replace(/\.blocks$/, '')));
}

/**
 * A file that no other process reads: without syncs and journal, locked for as long as its owner lives. Node opens
 * databases in SQLite's defensive mode, which would keep a journal in any case.
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

/** Both files of a release, open for reading. */
export interface OpenReleaseFiles {
  readonly database: DatabaseSync;
  readonly artifact: StatementSync;
  readonly posting: StatementSync;
  /**
   * The descriptor of the block file; undefined for a release of a former format, for one that is just being deleted,
   * and for one that lost it.
   */
  readonly blocks: number | undefined;
}

/** Nothing changes an immutable file, so SQLite needs neither locks nor change counters. */
export function openReleaseFiles(path: string): OpenReleaseFiles {
  const location = pathToFileURL(path);
  location.searchParams.set('immutable', '1');
  const database = openDatabase(location, { readOnly: true });
  database.exec('PRAGMA cache_size = -8192');
  return {
    database,
    artifact: database.prepare('SELECT content FROM artifacts WHERE name = ?'),
    posting: database.prepare('SELECT content FROM postings WHERE term = ?'),
    blocks: readIfExists(() => openSync(getBlocksPath(path), 'r')),
  };
}

/** `statement` is `artifact` of the open files. */
export function readArtifact(statement: StatementSync, name: string): Uint8Array | undefined {
  const pieces: Uint8Array[] = [];
  let last: Uint8Array | undefined;
  do {
    const row = statement.get(getArtifactPieceName(name, pieces.length));
    last = row === undefined ? undefined : toBytes(row['content']);
    if (last !== undefined) pieces.push(last);
  } while (last?.length === ARTIFACT_PIECE_BYTES);
  return pieces.length < 2 ? pieces[0] : Buffer.concat(pieces);
}

/** Writes to the disk what must survive a power cut: the bytes of a file, or the names in a directory. */
export function synchronize(path: string): void {
  const descriptor = openSync(path, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
