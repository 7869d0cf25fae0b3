// The small catalog database: catalog states, newest last, leases on releases that wait for their publish, and the
// documents of the service. Several processes share it (WAL), and what was published survives a power cut
// (synchronous=FULL).

import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { EMPTY_STATE, type CatalogEntry, type CatalogState } from '../catalog-types';
import type { PublishOutcome } from '../port';
import { isOwnerAlive, processName } from '../process-names';
import type { DocumentStore } from '../service-documents';
import { openDatabase, rowObject, writing, type Row } from './database';
import { prepareDocuments, SqliteDocuments } from './documents';

const SCHEMA = `
CREATE TABLE IF NOT EXISTS states (
  sequence INTEGER PRIMARY KEY AUTOINCREMENT, version TEXT NOT NULL, entries TEXT NOT NULL, since TEXT, cause TEXT NOT NULL
);
CREATE INDEX IF NOT EXISTS states_by_version ON states (version, sequence);
CREATE TABLE IF NOT EXISTS finished_releases (
  release_id TEXT NOT NULL, holder TEXT NOT NULL, finished_at INTEGER NOT NULL, PRIMARY KEY (release_id, holder)
) WITHOUT ROWID;
`;

export const CATALOG_FILE = 'catalog.sqlite';

/** Ten seconds altogether, like every other wait for a lock. */
const WAL_TRIES = 400;
const WAL_PAUSE_MS = 25;

/** Far longer than a load takes from the end of its first release to its publish. */
const LEASE_SECONDS = 3600;

export class SqliteCatalog {
  private readonly path: string;
  private readonly database: DatabaseSync;
  private readonly newest: StatementSync;
  private readonly bySequence: StatementSync;
  readonly documents: DocumentStore;
  /** The state that was read last. States never change, so a request asks only for the newest sequence. */
  private cached: { readonly sequence: number; readonly state: CatalogState } = { sequence: 0, state: EMPTY_STATE };
  /** Identifies this process among those that have leases on releases. */
  private readonly holder = processName();

  constructor(dataDirectory: string) {
    mkdirSync(dataDirectory, { recursive: true });
    this.path = join(dataDirectory, CATALOG_FILE);
    this.database = openDatabase(this.path);
    writing(this.path, () => {
      useWriteAheadLog(this.database);
    });
    // SQLite overwrites what is deleted: names and addresses of people are among it (D56).
    this.database.exec('PRAGMA synchronous = FULL; PRAGMA secure_delete = ON;');
    this.transaction(() => {
      this.database.exec(SCHEMA);
      prepareDocuments(this.database);
    });
    this.newest = this.database.prepare('SELECT max(sequence) AS sequence FROM states');
    this.bySequence = this.database.prepare('SELECT * FROM states WHERE sequence = ?');
    this.documents = new SqliteDocuments(this.database, (act) => this.transaction(act));
  }

  currentState(): CatalogState {
    const newest = this.newest.get()?.['sequence'];
    const sequence = typeof newest === 'number' ? newest : 0;
    if (sequence !== this.cached.sequence) {
      const row = this.bySequence.get(sequence);
      this.cached = { sequence, state: row === undefined ? EMPTY_STATE : stateOfRow(row) };
    }
    return this.cached.state;
  }

  stateOf(version: string): CatalogState | undefined {
    const current = this.currentState();
    if (version === current.version) return current;
    if (version === EMPTY_STATE.version) return EMPTY_STATE;
    const row = this.database.prepare('SELECT * FROM states WHERE version = ? ORDER BY sequence DESC').get(version);
    return row === undefined ? undefined : stateOfRow(row);
  }

  history(): readonly CatalogState[] {
    return statesIn(this.database);
  }

  publish(expected: string, next: CatalogState): PublishOutcome {
    return this.transaction(() => {
      if (this.currentState().version !== expected) return 'conflict';
      const insert = this.database.prepare('INSERT INTO states (version, entries, since, cause) VALUES (?, ?, ?, ?)');
      insert.run(next.version, JSON.stringify(next.entries), next.since, next.cause);
      for (const { releaseId } of next.entries) this.endLease(releaseId);
      return 'published';
    });
  }

  forgetStates(supersededBefore: string): void {
    const successor = 'SELECT min(sequence) FROM states AS later WHERE later.sequence > states.sequence';
    const since = `SELECT since FROM states AS successor WHERE successor.sequence = (${successor})`;
    this.database.prepare(`DELETE FROM states WHERE (${since}) < ?`).run(supersededBefore);
  }

  /** From here on `deleteUnneeded` keeps the release for the state that will name it. */
  takeLease(releaseId: string): void {
    const insert = this.database.prepare('INSERT OR REPLACE INTO finished_releases VALUES (?, ?, unixepoch())');
    insert.run(releaseId, this.holder);
  }

  endLease(releaseId: string): void {
    const remove = this.database.prepare('DELETE FROM finished_releases WHERE release_id = ? AND holder = ?');
    remove.run(releaseId, this.holder);
  }

  /** Calls `remove` unless a state names the release or a lease keeps it; others cannot change that meanwhile. */
  deleteUnneeded(releaseId: string, remove: () => void): 'deleted' | 'kept' {
    return this.transaction(() => {
      const isNamed = this.database.prepare('SELECT 1 FROM states WHERE instr(entries, ?) > 0').get(`"${releaseId}"`);
      if (isNamed !== undefined || this.isLeased(releaseId)) return 'kept';
      this.database.prepare('DELETE FROM finished_releases WHERE release_id = ?').run(releaseId);
      remove();
      return 'deleted';
    });
  }

  close(): void {
    this.database.close();
  }

  /** A lease counts while its process lives, or for its time: a process of another container cannot be seen. */
  private isLeased(releaseId: string): boolean {
    const recent = `finished_at > unixepoch() - ${LEASE_SECONDS} AS recent`;
    const select = this.database.prepare(`SELECT holder, ${recent} FROM finished_releases WHERE release_id = ?`);
    const leases = select.all(releaseId).map(rowObject) as { holder: string; recent: number }[]; // As selected.
    return leases.some(({ holder, recent }) => recent === 1 || isOwnerAlive(holder));
  }

  private rollBack(): void {
    try {
      this.database.exec('ROLLBACK');
    } catch {
      // SQLite rolls back by itself when the disk is full. What made us roll back is the error to tell of.
    }
  }

  /** Runs as one transaction: there is one writer at a time, over all processes. */
  private transaction<Value>(act: () => Value): Value {
    return writing(this.path, () => {
      this.database.exec('BEGIN IMMEDIATE');
      try {
        const value = act();
        this.database.exec('COMMIT');
        return value;
      } catch (error) {
        this.rollBack();
        throw error;
      }
    });
  }
}

/** The switch, made once in the life of a file, does not wait for other processes' locks as other statements do. */
function useWriteAheadLog(database: DatabaseSync): void {
  for (let attempt = 1; ; attempt++) {
    try {
      database.exec('PRAGMA journal_mode = WAL;');
      return;
    } catch (error) {
      if (attempt === WAL_TRIES) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, WAL_PAUSE_MS);
    }
  }
}

/** The states of a catalog file that no other process has open, the newest first. */
export function readCatalogFile(path: string): readonly CatalogState[] {
  const database = openDatabase(path, { readOnly: true });
  try {
    return statesIn(database);
  } finally {
    database.close();
  }
}

function statesIn(database: DatabaseSync): readonly CatalogState[] {
  return database.prepare('SELECT * FROM states ORDER BY sequence DESC').all().map(stateOfRow);
}

type StateRow = Omit<CatalogState, 'entries'> & { readonly entries: string };

function stateOfRow(row: Row): CatalogState {
  const { version, entries, since, cause } = rowObject(row) as StateRow;
  return { version, entries: JSON.parse(entries) as readonly CatalogEntry[], since, cause }; // Written by `publish`.
}
