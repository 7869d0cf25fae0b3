// The small catalog database: catalog states, newest last, and keys. Several processes share it (WAL), and what was
// published survives a power cut (synchronous=FULL).

import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { EMPTY_STATE, type CatalogEntry, type CatalogState, type KeyRecord } from '../catalog-types';
import type { KeyStore, PublishOutcome } from '../port';
import { asNumber, asText, openDatabase } from './sqlite-module';

const SCHEMA = `
CREATE TABLE IF NOT EXISTS states (
  sequence INTEGER PRIMARY KEY AUTOINCREMENT, version TEXT NOT NULL, entries TEXT NOT NULL, since TEXT, cause TEXT NOT NULL
);
CREATE INDEX IF NOT EXISTS states_by_version ON states (version, sequence);
CREATE TABLE IF NOT EXISTS keys (
  id TEXT PRIMARY KEY, hash TEXT NOT NULL, owner TEXT NOT NULL, issued_at TEXT NOT NULL, expires_at TEXT, revoked_at TEXT
) WITHOUT ROWID;
`;

/** In the data directory. */
export const CATALOG_FILE = 'catalog.sqlite';

type Row = Readonly<Record<string, unknown>>;

export class SqliteCatalog implements KeyStore {
  private readonly database: DatabaseSync;
  private readonly newest: StatementSync;
  private readonly bySequence: StatementSync;
  private readonly keyById: StatementSync;
  /** The state that was read last: states never change, so only the newest sequence is asked for at each request. */
  private cached: { readonly sequence: number; readonly state: CatalogState } = { sequence: 0, state: EMPTY_STATE };

  constructor(dataDirectory: string) {
    mkdirSync(dataDirectory, { recursive: true });
    this.database = openDatabase(join(dataDirectory, CATALOG_FILE));
    this.database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;');
    this.database.exec(SCHEMA);
    this.newest = this.database.prepare('SELECT max(sequence) AS sequence FROM states');
    this.bySequence = this.database.prepare('SELECT * FROM states WHERE sequence = ?');
    this.keyById = this.database.prepare('SELECT * FROM keys WHERE id = ?');
  }

  currentState(): CatalogState {
    const sequence = this.newestSequence();
    if (sequence !== this.cached.sequence) {
      const row = this.bySequence.get(sequence);
      this.cached = { sequence, state: row === undefined ? EMPTY_STATE : stateOfRow(row) };
    }
    return this.cached.state;
  }

  stateOf(version: string): CatalogState | undefined {
    if (version === this.cached.state.version) return this.cached.state;
    if (version === EMPTY_STATE.version) return EMPTY_STATE;
    const row = this.database.prepare('SELECT * FROM states WHERE version = ? ORDER BY sequence DESC').get(version);
    return row === undefined ? undefined : stateOfRow(row);
  }

  history(): readonly CatalogState[] {
    return this.database.prepare('SELECT * FROM states ORDER BY sequence DESC').all().map(stateOfRow);
  }

  publish(expected: string, next: CatalogState): PublishOutcome {
    this.database.exec('BEGIN IMMEDIATE');
    try {
      const outcome = this.currentState().version === expected ? 'published' : 'conflict';
      if (outcome === 'published') {
        const insert = this.database.prepare('INSERT INTO states (version, entries, since, cause) VALUES (?, ?, ?, ?)');
        insert.run(next.version, JSON.stringify(next.entries), next.since, next.cause);
      }
      this.database.exec('COMMIT');
      return outcome;
    } catch (error) {
      this.database.exec('ROLLBACK');
      throw error;
    }
  }

  add(key: KeyRecord): Promise<void> {
    const insert = this.database.prepare('INSERT INTO keys VALUES (?, ?, ?, ?, ?, ?)');
    insert.run(key.id, key.hash, key.owner, key.issuedAt, key.expiresAt, key.revokedAt);
    return Promise.resolve();
  }

  find(id: string): Promise<KeyRecord | undefined> {
    const row = this.keyById.get(id);
    return Promise.resolve(row === undefined ? undefined : keyOfRow(row));
  }

  list(): Promise<readonly KeyRecord[]> {
    return Promise.resolve(this.database.prepare('SELECT * FROM keys ORDER BY issued_at, id').all().map(keyOfRow));
  }

  revoke(id: string, at: string): Promise<boolean> {
    const update = this.database.prepare('UPDATE keys SET revoked_at = coalesce(revoked_at, ?) WHERE id = ?');
    return Promise.resolve(update.run(at, id).changes === 1);
  }

  close(): void {
    this.database.close();
  }

  private newestSequence(): number {
    const sequence = this.newest.get()?.['sequence'];
    return sequence === null || sequence === undefined ? 0 : asNumber(sequence);
  }
}

/** The states of a catalog file that nobody else has open, the newest first. */
export function readCatalogFile(path: string): readonly CatalogState[] {
  const database = openDatabase(path, { readOnly: true });
  try {
    return database.prepare('SELECT * FROM states ORDER BY sequence DESC').all().map(stateOfRow);
  } finally {
    database.close();
  }
}

function stateOfRow(row: Row): CatalogState {
  return {
    version: asText(row['version']),
    entries: JSON.parse(asText(row['entries'])) as readonly CatalogEntry[], // Written by `publish`.
    since: row['since'] === null ? null : asText(row['since']),
    cause: asText(row['cause']),
  };
}

function keyOfRow(row: Row): KeyRecord {
  return {
    id: asText(row['id']),
    hash: asText(row['hash']),
    owner: asText(row['owner']),
    issuedAt: asText(row['issued_at']),
    expiresAt: row['expires_at'] === null ? null : asText(row['expires_at']),
    revokedAt: row['revoked_at'] === null ? null : asText(row['revoked_at']),
  };
}
