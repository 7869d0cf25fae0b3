// The catalog database: states, leases and documents. If it cannot be written, because the disk is full or the user
// lacks permission, it is opened read-only, so that published data are still served. It is opened for writing again as
// soon as possible.

import { statSync } from 'node:fs';
import { join } from 'node:path';
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import { getOrAdd } from '../../values/maps';
import { makeFolder } from '../make-folder';
import {
  createTransaction,
  explainFullDisk,
  isDiskFull,
  isUnwritable,
  openDatabase,
  type Transaction,
} from './database';
import { prepareDocuments } from './documents';

const SCHEMA = `
CREATE TABLE IF NOT EXISTS states (
  sequence INTEGER PRIMARY KEY AUTOINCREMENT, version TEXT NOT NULL, entries TEXT NOT NULL, since TEXT,
  cause TEXT NOT NULL, checksum INTEGER
);
CREATE INDEX IF NOT EXISTS states_by_version ON states (version, sequence);
CREATE TABLE IF NOT EXISTS finished_releases (
  release_id TEXT NOT NULL, holder TEXT NOT NULL, finished_at INTEGER NOT NULL, PRIMARY KEY (release_id, holder)
) WITHOUT ROWID;
`;

export const CATALOG_FILE = 'catalog.sqlite';

/** Ten seconds in total, like every other wait for a lock. */
const WAL_TRIES = 400;
const WAL_PAUSE_MS = 25;

/** The interval at which a catalog that is open read-only is tested for writing. */
const REOPEN_INTERVAL_MS = 1000;

/** An open catalog. */
interface Connection {
  readonly database: DatabaseSync;
  readonly transaction: Transaction;
  readonly statements: Map<string, StatementSync>;
  /** The error that prevents writing; undefined if the catalog can be written. */
  readonly unwritable?: unknown;
}

export class CatalogFile {
  private connection: Connection;
  private nextTry = 0;

  constructor(
    private readonly dataDirectory: string,
    private readonly now: () => number = () => performance.now(),
  ) {
    this.connection = openForWritingOrReading(dataDirectory);
    this.nextTry = this.now() + REOPEN_INTERVAL_MS;
  }

  /** The statement must be used before the next one is prepared. */
  prepare(sql: string): StatementSync {
    if (this.connection.unwritable !== undefined && this.now() >= this.nextTry) this.tryToReopen();
    const { statements, database } = this.connection;
    return getOrAdd(statements, sql, () => database.prepare(sql));
  }

  exec(sql: string): void {
    this.connection.database.exec(sql);
  }

  /** Runs a function as one transaction. Throws if the catalog cannot be written. */
  readonly transaction: Transaction = (act) => {
    if (this.connection.unwritable !== undefined) this.tryToReopen();
    return this.connection.transaction(act);
  };

  close(): void {
    this.connection.database.close();
  }

  private tryToReopen(): void {
    this.nextTry = this.now() + REOPEN_INTERVAL_MS;
    try {
      const reopened = openForWriting(this.dataDirectory);
      this.connection.database.close();
      this.connection = reopened;
    } catch (error) {
      if (!isDiskFull(error) && !isUnwritable(error)) throw error;
    }
  }
}

function openForWritingOrReading(dataDirectory: string): Connection {
  try {
    return openForWriting(dataDirectory);
  } catch (error) {
    const isRefused = isDiskFull(error) || isUnwritable(error);
    const connection = isRefused ? openForReading(join(dataDirectory, CATALOG_FILE), error) : undefined;
    if (connection === undefined) throw error;
    return connection;
  }
}

function openForWriting(dataDirectory: string): Connection {
  makeFolder(dataDirectory);
  const path = join(dataDirectory, CATALOG_FILE);
  const database = openDatabase(path);
  try {
    explainFullDisk(path, () => {
      useWriteAheadLog(database);
    });
    // SQLite overwrites deleted content, which may include people's names and addresses (D56).
    database.exec('PRAGMA synchronous = FULL; PRAGMA secure_delete = ON;');
    const transaction = createTransaction(database, path);
    transaction(() => {
      database.exec(SCHEMA);
      addChecksums(database);
      prepareDocuments(database);
    });
    return { database, transaction, statements: new Map() };
  } catch (error) {
    database.close();
    throw error;
  }
}

/** Catalogs of earlier versions have no checksums of states. Their states are kept without a checksum. */
function addChecksums(database: DatabaseSync): void {
  const columns = database.prepare('PRAGMA table_info(states)').all();
  if (columns.some(({ name }) => name === 'checksum')) return;
  database.exec('ALTER TABLE states ADD COLUMN checksum INTEGER');
}

/** Returns undefined if the catalog is missing, or cannot be read either. */
function openForReading(path: string, unwritable: unknown): Connection | undefined {
  const refuse = (): never => {
    throw unwritable;
  };
  // While another process writes, its log has the newest states. Without a log, SQLite could not create the log's index.
  const location = pathToFileURL(path);
  location.searchParams.set('immutable', '1');
  const locations = hasLog(path) ? [path] : [path, location];
  for (const candidate of locations) {
    try {
      const database = openDatabase(candidate, { readOnly: true });
      try {
        database.prepare('SELECT 1 FROM states, documents LIMIT 1').get();
        return { database, transaction: refuse, statements: new Map(), unwritable };
      } catch {
        database.close();
      }
    } catch {
      // The next option is tried. If all fail, `unwritable` is reported.
    }
  }
  return undefined;
}

function hasLog(path: string): boolean {
  return (statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0) > 0;
}

/**
 * The first switch of a file to the write-ahead log does not wait for locks as other statements do, so it is retried
 * here.
 */
function useWriteAheadLog(database: DatabaseSync): void {
  for (let attempt = 1; ; attempt++) {
    try {
      database.exec('PRAGMA journal_mode = WAL;');
      return;
    } catch (error) {
      if (attempt === WAL_TRIES || isUnwritable(error) || isDiskFull(error)) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, WAL_PAUSE_MS);
    }
  }
}
