// Opens, locks and reads databases of node:sqlite. The module is loaded only when it is needed; a process on the Cosmos
// store never needs it (ADR 0002).

import { existsSync, statfsSync } from 'node:fs';
import { dirname } from 'node:path';
import type { DatabaseSync, DatabaseSyncOptions } from 'node:sqlite';
import { hasCode } from '../../values/result';

/** A row of a result, by column name. */
export type Row = Readonly<Record<string, unknown>>;

/** How long SQLite waits for a lock of another process before it fails with "database is locked". */
export const BUSY_TIMEOUT_MS = 10_000;

/** Result codes of SQLite. */
const SQLITE_BUSY = 5;
const SQLITE_READONLY = 8;
const SQLITE_IOERR = 10;
const SQLITE_FULL = 13;
const SQLITE_CANTOPEN = 14;

/** The unit in which SQLite allocates memory that processes share. */
const SHARED_BYTES = 32 * 1024;

export function openDatabase(location: string | URL, options: DatabaseSyncOptions = {}): DatabaseSync {
  const sqlite = process.getBuiltinModule('node:sqlite');
  return new sqlite.DatabaseSync(location, { timeout: BUSY_TIMEOUT_MS, ...options });
}

/** Locks a file until the result is closed or the process ends. Undefined when another process has the lock. */
export function takeLock(path: string): DatabaseSync | undefined {
  const database = openDatabase(path, { timeout: 0 });
  try {
    database.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE;');
    return database;
  } catch (error) {
    database.close();
    if (hasErrorCode(error, SQLITE_BUSY)) return undefined;
    throw error;
  }
}

/**
 * Whether a process holds the lock of a file, as `takeLock` and the writer of a release do. A missing file is not
 * locked, and neither is one that was corrupted because its writer was killed during a commit.
 */
export function isLocked(path: string): boolean {
  if (!existsSync(path)) return false;
  const database = openDatabase(path, { timeout: 0 });
  try {
    database.exec('BEGIN IMMEDIATE; ROLLBACK;');
    return false;
  } catch (error) {
    return hasErrorCode(error, SQLITE_BUSY);
  } finally {
    database.close();
  }
}

/** Whether SQLite or a file operation failed because the disk is full. */
export function isDiskFull(error: unknown): boolean {
  return hasErrorCode(error, SQLITE_FULL) || hasCode(error, 'ENOSPC', 'EDQUOT');
}

/** Whether SQLite lacks permission to write a file, or to create one next to it. */
export function isUnwritable(error: unknown): boolean {
  return hasErrorCode(error, SQLITE_READONLY) || hasErrorCode(error, SQLITE_CANTOPEN);
}

/** The disk is full. The message contains the path and says what to do. */
class DiskFullError extends Error {
  readonly code = 'ENOSPC';

  constructor(path: string, options: ErrorOptions) {
    const advice = `Make room in ${dirname(path)}, then try again. The published data have not changed.`;
    super(`The disk is full: ${path} could not be written. ${advice}`, options);
  }
}

/**
 * If the disk is full, returns an error with the path in the original error, or else with `path`; otherwise returns the
 * original error.
 */
export function toFullDiskError(error: unknown, path: string): unknown {
  if (error instanceof DiskFullError) return error;
  if (!isDiskFull(error) && !(hasErrorCode(error, SQLITE_IOERR) && lacksRoom(dirname(path)))) return error;
  return new DiskFullError(findPath(error) ?? path, { cause: error });
}

/**
 * If the disk is full, returns an error with `path`, whichever file was being written, because that file is removed
 * again; otherwise returns the original error.
 */
export function nameFullDisk(error: unknown, path: string): unknown {
  return error instanceof DiskFullError || isDiskFull(error) ? new DiskFullError(path, { cause: error }) : error;
}

/** Finds the path in an error of a file operation. */
function findPath(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null) return undefined;
  if ('dest' in error && typeof error.dest === 'string') return error.dest;
  return 'path' in error && typeof error.path === 'string' ? error.path : undefined;
}

/** Runs a function that writes the file at `path`. Converts errors with `toFullDiskError`. */
export function explainFullDisk<Value>(path: string, act: () => Value): Value {
  try {
    return act();
  } catch (error) {
    throw toFullDiskError(error, path);
  }
}

/** Runs a function as one transaction. There is one writer at a time, across all processes. */
export type Transaction = <Value>(act: () => Value) => Value;

/** Creates transactions on the database at `path`. They throw the same errors as `explainFullDisk`. */
export function createTransaction(database: DatabaseSync, path: string): Transaction {
  return (act) =>
    explainFullDisk(path, () => {
      database.exec('BEGIN IMMEDIATE');
      try {
        const value = act();
        database.exec('COMMIT');
        return value;
      } catch (error) {
        rollBack(database);
        throw error;
      }
    });
}

function rollBack(database: DatabaseSync): void {
  try {
    database.exec('ROLLBACK');
  } catch {
    // If the disk is full, SQLite has already rolled back. The original error is reported, not the error of the
    // rollback.
  }
}

/** SQLite reports only an I/O error when it cannot allocate memory shared with other processes. */
function lacksRoom(folder: string): boolean {
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize < SHARED_BYTES;
}

function hasErrorCode(error: unknown, code: number): boolean {
  if (typeof error !== 'object' || error === null || !('errcode' in error)) return false;
  // An extended result code has the primary code in its low byte.
  return (Number(error.errcode) & 0xff) === code;
}

/** Returns a row as a plain object. Its members and their types follow from the statement and the schema. */
export function toObject(row: Row): unknown {
  return { ...row };
}
