// How databases of node:sqlite are opened, locked and read. The module is loaded only when something needs it: a
// process on the Cosmos store never does (ADR 0002).

import { existsSync, statfsSync } from 'node:fs';
import { dirname } from 'node:path';
import type { DatabaseSync, DatabaseSyncOptions } from 'node:sqlite';
import { hasCode } from '../../values/result';

/** A row of a result, by column name. */
export type Row = Readonly<Record<string, unknown>>;

/** SQLite waits this long for another process's lock before it fails with "database is locked". */
export const BUSY_TIMEOUT_MS = 10_000;

/** Result codes. */
const SQLITE_BUSY = 5;
const SQLITE_READONLY = 8;
const SQLITE_IOERR = 10;
const SQLITE_FULL = 13;
const SQLITE_CANTOPEN = 14;

/** What SQLite takes at once for memory that processes share. */
const SHARED_BYTES = 32 * 1024;

export function openDatabase(location: string | URL, options: DatabaseSyncOptions = {}): DatabaseSync {
  const sqlite = process.getBuiltinModule('node:sqlite');
  return new sqlite.DatabaseSync(location, { timeout: BUSY_TIMEOUT_MS, ...options });
}

/** Takes the lock of a file until the result is closed or the process ends; undefined when somebody else has it. */
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
 * Whether somebody holds the lock of a file, as `takeLock` and the writer of a release do. A file that is not there is
 * not locked, and neither is one that is no database any more because its writer was killed in a commit.
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

/** Whether SQLite, or a file operation, found no more room on the disk. */
export function isDiskFull(error: unknown): boolean {
  return hasErrorCode(error, SQLITE_FULL) || hasCode(error, 'ENOSPC');
}

/** Whether SQLite may not write a file, or not make one beside it. */
export function isUnwritable(error: unknown): boolean {
  return hasErrorCode(error, SQLITE_READONLY) || hasErrorCode(error, SQLITE_CANTOPEN);
}

/** Does what writes to the database at `path`. Throws an error that names the path when the disk is full. */
export function explainFullDisk<Value>(path: string, act: () => Value): Value {
  try {
    return act();
  } catch (error) {
    if (!isDiskFull(error) && !(hasErrorCode(error, SQLITE_IOERR) && lacksRoom(dirname(path)))) throw error;
    throw Object.assign(new Error(`The disk is full: ${path} could not be written.`, { cause: error }), {
      code: 'ENOSPC',
    });
  }
}

/** Runs what it is given as one transaction: there is one writer at a time, over all processes. */
export type Transaction = <Value>(act: () => Value) => Value;

/** Transactions on the database at `path`; they throw as `writing` does. */
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
    // SQLite rolls back by itself when the disk is full. What made us roll back is the error to tell of.
  }
}

/** SQLite says of memory that it shares with other processes only that it could not be had. */
function lacksRoom(folder: string): boolean {
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize < SHARED_BYTES;
}

function hasErrorCode(error: unknown, code: number): boolean {
  if (typeof error !== 'object' || error === null || !('errcode' in error)) return false;
  // SQLite's extended result codes have the code in their low byte.
  return (Number(error.errcode) & 0xff) === code;
}

/** A row as an object with a member for each column; the statement and the schema say which, and of which types. */
export function toObject(row: Row): unknown {
  return { ...row };
}

/** The value of a column that the schema declares as BLOB. */
export function toBytes(value: unknown): Uint8Array {
  if (value instanceof Uint8Array) return value;
  throw new TypeError('the column does not hold bytes');
}
