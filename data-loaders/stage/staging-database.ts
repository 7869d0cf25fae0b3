// The database file of staged rows: one that goes with its load, or one that outlives a kill and is taken up again.

import { existsSync, mkdirSync, rmSync } from 'node:fs';
import { uptime } from 'node:os';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { openPrivateDatabase } from '../../shared/store/sqlite/database';
import type { Log } from './progress';

/** The state that a part of the reading had in memory at the last commit. */
export interface SavedState {
  readonly state: Uint8Array;
  readonly isFinal: boolean;
}

export const STAGING_FILE = 'staging.sqlite';
/** Rows are appended and sorted: fewer and larger writes. */
const PAGE_BYTES = 32_768;

const CACHE_KILOBYTES = 16_384;

/** The number stands for the form of runs and of saved states, which no table shows: it grows when one changes. */
const SCHEMA = `
  -- 6
  CREATE TABLE relations (
    pod TEXT NOT NULL, pou TEXT NOT NULL, start TEXT NOT NULL, end TEXT NOT NULL, source TEXT NOT NULL,
    PRIMARY KEY (pod, pou, start, end)
  ) WITHOUT ROWID;
  CREATE TABLE rejected (file TEXT NOT NULL, line INTEGER NOT NULL, rule TEXT NOT NULL, reason TEXT NOT NULL);
  CREATE TABLE warned (file TEXT NOT NULL, line INTEGER NOT NULL, in_column TEXT, rule TEXT NOT NULL, value TEXT NOT NULL);
  CREATE TABLE states (name TEXT PRIMARY KEY, state BLOB NOT NULL, is_final INTEGER NOT NULL) WITHOUT ROWID;
  CREATE TABLE run (machine_started_at REAL NOT NULL, openings INTEGER NOT NULL, schema TEXT NOT NULL);
`;

/** Staged rows that were taken up this often in vain may be what is wrong. */
const MAX_OPENINGS_IN_VAIN = 3;

/** Two looks at one start of a machine differ by less, two starts by more. */
const SAME_START_SECONDS = 10;

/** Makes the folder anew, with no rows in it, and begins a transaction; `isKept` for rows that outlive a kill. */
export function createStagingDatabase(folder: string, isKept: boolean): DatabaseSync {
  rmSync(folder, { recursive: true, force: true });
  const database = open(folder, isKept);
  database.exec(`BEGIN; ${SCHEMA}`);
  database.prepare('INSERT INTO run VALUES (?, 0, ?)').run(machineStart(), SCHEMA);
  database.exec('COMMIT; BEGIN');
  return database;
}

/** Begins a transaction on the rows that were committed in the folder; undefined if none were that can be trusted. */
export function takeUpStagingDatabase(folder: string, log: Log): DatabaseSync | undefined {
  if (!existsSync(join(folder, STAGING_FILE))) return undefined;
  let database: DatabaseSync | undefined;
  let fault: string | undefined;
  try {
    database = open(folder, true);
    fault = findFault(database);
    if (fault === undefined) {
      database.exec('BEGIN');
      return database;
    }
  } catch (error) {
    fault = String(error);
  }
  database?.close();
  log(`rows staged in ${folder} were thrown away, and are read anew: ${fault}`);
  return undefined;
}

export function commitStaged(database: DatabaseSync): void {
  database.exec('UPDATE run SET openings = 0; COMMIT; BEGIN;');
}

/** Why rows must not be taken up. Throws when the file is no database any more, or one of another form. */
function findFault(database: DatabaseSync): string | undefined {
  const run = database.prepare('SELECT machine_started_at AS start, openings, schema FROM run').get();
  if (run === undefined) return 'they are not whole';
  if (run['schema'] !== SCHEMA) return 'another version of the program staged them';
  // Without syncs, a commit is on the disk only as long as the machine has not gone down since.
  const isSameStart = Math.abs(Number(run['start']) - machineStart()) <= SAME_START_SECONDS;
  if (!isSameStart) return 'the machine was started anew since';
  database.exec('UPDATE run SET openings = openings + 1');
  return Number(run['openings']) < MAX_OPENINGS_IN_VAIN
    ? undefined
    : `they were taken up ${MAX_OPENINGS_IN_VAIN} times in vain`;
}

function open(folder: string, isJournaled: boolean): DatabaseSync {
  mkdirSync(folder, { recursive: true });
  const options = { pageBytes: PAGE_BYTES, cacheKilobytes: CACHE_KILOBYTES, isJournaled };
  const database = openPrivateDatabase(join(folder, STAGING_FILE), options);
  // Sorting a large file spills to disk: beside the staged rows, not to the system's small temporary folder.
  database.exec(`
    PRAGMA temp_store = FILE;
    PRAGMA temp_store_directory = '${folder.replaceAll("'", "''")}';
  `);
  return database;
}

/** Seconds since 1970. */
function machineStart(): number {
  return Date.now() / 1000 - uptime();
}
