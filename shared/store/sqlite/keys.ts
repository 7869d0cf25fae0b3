// The tables of access keys and of their use, in the catalog database.

import type { DatabaseSync, StatementResultingChanges, StatementSync } from 'node:sqlite';
import type { KeyLimits, KeyRecord, KeyUse } from '../catalog-types';
import type { KeyStore, UsageStore } from '../port';
import { UnchangedRead, type ChangeCounter } from './change-counter';
import { rowObject, type Row } from './database';

const SCHEMA = `
CREATE TABLE IF NOT EXISTS keys (
  id TEXT PRIMARY KEY, hash TEXT NOT NULL, owner TEXT NOT NULL, issued_at TEXT NOT NULL, expires_at TEXT, revoked_at TEXT
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS key_usage (
  day TEXT NOT NULL, key_id TEXT NOT NULL, requests INTEGER NOT NULL, records INTEGER NOT NULL, refused INTEGER NOT NULL,
  last_used_at TEXT NOT NULL, PRIMARY KEY (day, key_id)
) WITHOUT ROWID;
`;

/** Catalogs of older programs lack these columns. */
const LATER_COLUMNS = {
  requests_per_minute: 'INTEGER',
  records_per_minute: 'INTEGER',
  replaces: 'TEXT',
  may_read_metrics: 'INTEGER',
};

/** Must be called within a transaction, since another process may do the same. */
export function createKeyTables(database: DatabaseSync): void {
  database.exec(SCHEMA);
  const columns = database.prepare('PRAGMA table_info(keys)').all();
  for (const [name, type] of Object.entries(LATER_COLUMNS)) {
    if (!columns.some((column) => column['name'] === name))
      database.exec(`ALTER TABLE keys ADD COLUMN ${name} ${type}`);
  }
}

const SELECT_KEYS = `SELECT id, hash, owner, issued_at AS issuedAt, expires_at AS expiresAt, revoked_at AS revokedAt,
  requests_per_minute AS requestsPerMinute, records_per_minute AS recordsPerMinute, replaces,
  may_read_metrics AS mayReadMetrics FROM keys`;

const SELECT_USES = `SELECT day, key_id AS keyId, requests, records, refused, last_used_at AS lastUsedAt
  FROM key_usage ORDER BY day, key_id`;

/** Runs what it is given while nobody else changes the catalog. */
type Transaction = <Value>(act: () => Value) => Value;

export class SqliteKeys implements KeyStore {
  private readonly byId: StatementSync;
  /** The keys that were found since the catalog has changed. */
  private readonly found: UnchangedRead<Map<string, KeyRecord>>;

  constructor(
    private readonly database: DatabaseSync,
    changes: ChangeCounter,
    private readonly transaction: Transaction,
  ) {
    this.byId = database.prepare(`${SELECT_KEYS} WHERE id = ?`);
    this.found = new UnchangedRead(changes, () => new Map<string, KeyRecord>());
  }

  add(key: KeyRecord): Promise<void> {
    const columns =
      'id, hash, owner, issued_at, expires_at, revoked_at, requests_per_minute, records_per_minute, replaces, ' +
      'may_read_metrics';
    const values =
      ':id, :hash, :owner, :issuedAt, :expiresAt, :revokedAt, :requestsPerMinute, :recordsPerMinute, :replaces, ' +
      ':mayReadMetrics';
    const insert = this.database.prepare(`INSERT INTO keys (${columns}) VALUES (${values})`);
    this.transaction(() => insert.run({ ...key, mayReadMetrics: Number(key.mayReadMetrics) }));
    return Promise.resolve();
  }

  find(id: string): Promise<KeyRecord | undefined> {
    const found = this.found.get();
    const known = found.get(id);
    if (known !== undefined) return Promise.resolve(known);
    const row = this.byId.get(id);
    if (row === undefined) return Promise.resolve(undefined);
    const key = keyOf(row);
    found.set(id, key);
    return Promise.resolve(key);
  }

  list(): Promise<readonly KeyRecord[]> {
    return Promise.resolve(this.database.prepare(`${SELECT_KEYS} ORDER BY issued_at, id`).all().map(keyOf));
  }

  revoke(id: string, at: string): Promise<boolean> {
    const update = this.database.prepare('UPDATE keys SET revoked_at = coalesce(revoked_at, ?) WHERE id = ?');
    return Promise.resolve(this.hasChanged(() => update.run(at, id)));
  }

  expire(id: string, at: string): Promise<boolean> {
    const update = this.database.prepare(
      'UPDATE keys SET expires_at = min(coalesce(expires_at, ?1), ?1) WHERE id = ?2',
    );
    return Promise.resolve(this.hasChanged(() => update.run(at, id)));
  }

  limit(id: string, { requestsPerMinute, recordsPerMinute }: KeyLimits): Promise<boolean> {
    const update = this.database.prepare(
      'UPDATE keys SET requests_per_minute = ?, records_per_minute = ? WHERE id = ?',
    );
    return Promise.resolve(this.hasChanged(() => update.run(requestsPerMinute, recordsPerMinute, id)));
  }

  /** Whether a key has changed. */
  private hasChanged(update: () => StatementResultingChanges): boolean {
    return this.transaction(update).changes === 1;
  }
}

export class SqliteUsage implements UsageStore {
  constructor(
    private readonly database: DatabaseSync,
    private readonly transaction: Transaction,
  ) {}

  add(uses: readonly KeyUse[]): Promise<void> {
    const insert = this.database.prepare(`
      INSERT INTO key_usage (day, key_id, requests, records, refused, last_used_at)
        VALUES (:day, :keyId, :requests, :records, :refused, :lastUsedAt)
        ON CONFLICT DO UPDATE SET requests = requests + excluded.requests, records = records + excluded.records,
          refused = refused + excluded.refused, last_used_at = max(last_used_at, excluded.last_used_at)
    `);
    this.transaction(() => {
      for (const use of uses) insert.run({ ...use });
    });
    return Promise.resolve();
  }

  list(): Promise<readonly KeyUse[]> {
    const uses = this.database.prepare(SELECT_USES).all().map(rowObject);
    return Promise.resolve(uses as KeyUse[]); // As SELECT_USES names its columns.
  }
}

function keyOf(row: Row): KeyRecord {
  // As SELECT_KEYS names its columns. Keys of older programs have null.
  return { ...(rowObject(row) as KeyRecord), mayReadMetrics: row['mayReadMetrics'] === 1 };
}
