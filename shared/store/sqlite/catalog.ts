// The small catalog database: catalog states, newest last, leases on releases that wait for their publish, keys and
// their use. Several processes share it (WAL), and what was published survives a power cut (synchronous=FULL).

import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { DatabaseSync, SQLOutputValue, StatementSync } from 'node:sqlite';
import { EMPTY_STATE, type CatalogEntry, type CatalogState } from '../catalog-types';
import type { HeldDataSet, KeyRecord, KeyUse, SelfServiceKind, SelfServiceRecord } from '../catalog-types';
import type { HeldStore, KeyStore, PublishOutcome, SelfServiceStore, UsageStore } from '../port';
import { isOwnerAlive, processName } from '../process-names';
import { BUSY_TIMEOUT_MS, openDatabase, rowObject, writing, type Row } from './database';

const SCHEMA = `
CREATE TABLE IF NOT EXISTS states (
  sequence INTEGER PRIMARY KEY AUTOINCREMENT, version TEXT NOT NULL, entries TEXT NOT NULL, since TEXT, cause TEXT NOT NULL
);
CREATE INDEX IF NOT EXISTS states_by_version ON states (version, sequence);
CREATE TABLE IF NOT EXISTS finished_releases (
  release_id TEXT NOT NULL, holder TEXT NOT NULL, finished_at INTEGER NOT NULL, PRIMARY KEY (release_id, holder)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS keys (
  id TEXT PRIMARY KEY, hash TEXT NOT NULL, owner TEXT NOT NULL, issued_at TEXT NOT NULL, expires_at TEXT, revoked_at TEXT
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS key_usage (
  day TEXT NOT NULL, key_id TEXT NOT NULL, requests INTEGER NOT NULL, records INTEGER NOT NULL, refused INTEGER NOT NULL,
  last_used_at TEXT NOT NULL, PRIMARY KEY (day, key_id)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS held (list INTEGER PRIMARY KEY, content TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS self_service (
  kind TEXT NOT NULL, id TEXT NOT NULL, expires_at TEXT NOT NULL, content TEXT NOT NULL, PRIMARY KEY (kind, id)
) WITHOUT ROWID;
`;

/** Columns of `keys` that catalogs of older programs lack. */
const LATER_KEY_COLUMNS = {
  requests_per_minute: 'INTEGER',
  records_per_minute: 'INTEGER',
  replaces: 'TEXT',
  may_read_metrics: 'INTEGER',
  replaced_by: 'TEXT',
  email: 'TEXT',
};

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
  readonly keys: KeyStore;
  readonly usage: UsageStore;
  readonly held: HeldStore;
  readonly selfService: SelfServiceStore;
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
      this.addLaterColumns();
    });
    this.newest = this.database.prepare('SELECT max(sequence) AS sequence FROM states');
    this.bySequence = this.database.prepare('SELECT * FROM states WHERE sequence = ?');
    const transaction = <Value>(act: () => Value): Value => this.transaction(act);
    this.keys = new SqliteKeys(this.database, transaction);
    this.usage = new SqliteUsage(this.database, transaction);
    this.held = new SqliteHeld(this.database, transaction);
    this.selfService = new SqliteSelfService(this.database, transaction);
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

  private addLaterColumns(): void {
    const columns = this.database.prepare('PRAGMA table_info(keys)').all();
    for (const [name, type] of Object.entries(LATER_KEY_COLUMNS)) {
      if (columns.some((column) => column['name'] === name)) continue;
      this.database.exec(`ALTER TABLE keys ADD COLUMN ${name} ${type}`);
    }
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

/** The columns of `keys` by the members of a record. */
const KEY_COLUMNS: Readonly<Record<keyof KeyRecord, string>> = {
  id: 'id',
  hash: 'hash',
  owner: 'owner',
  issuedAt: 'issued_at',
  expiresAt: 'expires_at',
  revokedAt: 'revoked_at',
  requestsPerMinute: 'requests_per_minute',
  recordsPerMinute: 'records_per_minute',
  replaces: 'replaces',
  replacedBy: 'replaced_by',
  mayReadMetrics: 'may_read_metrics',
  email: 'email',
};

const SELECTED_KEY = Object.entries(KEY_COLUMNS).map(([member, column]) => `${column} AS ${member}`);
const SELECT_KEYS = `SELECT ${SELECTED_KEY.join()} FROM keys`;

const WRITTEN_KEY = Object.keys(KEY_COLUMNS).map((member) => `:${member}`);
const WRITE_KEY = `INTO keys (${Object.values(KEY_COLUMNS).join()}) VALUES (${WRITTEN_KEY.join()})`;

const SELECT_USES = `SELECT day, key_id AS keyId, requests, records, refused, last_used_at AS lastUsedAt
  FROM key_usage`;

/** Runs what it is given while nobody else changes the catalog. */
type Transaction = <Value>(act: () => Value) => Value;

class SqliteKeys implements KeyStore {
  private readonly byId: StatementSync;

  constructor(
    private readonly database: DatabaseSync,
    private readonly transaction: Transaction,
  ) {
    this.byId = database.prepare(`${SELECT_KEYS} WHERE id = ?`);
  }

  add(key: KeyRecord): Promise<void> {
    const insert = this.database.prepare(`INSERT ${WRITE_KEY}`);
    this.transaction(() => insert.run(valuesOf(key)));
    return Promise.resolve();
  }

  find(id: string): Promise<KeyRecord | undefined> {
    const row = this.byId.get(id);
    return Promise.resolve(row === undefined ? undefined : keyOf(row));
  }

  list(): Promise<readonly KeyRecord[]> {
    return Promise.resolve(this.database.prepare(`${SELECT_KEYS} ORDER BY issued_at, id`).all().map(keyOf));
  }

  change(id: string, alter: (key: KeyRecord) => KeyRecord): Promise<boolean> {
    const replace = this.database.prepare(`REPLACE ${WRITE_KEY}`);
    const isChanged = this.transaction(() => {
      const row = this.byId.get(id);
      if (row !== undefined) replace.run(valuesOf(alter(keyOf(row))));
      return row !== undefined;
    });
    return Promise.resolve(isChanged);
  }
}

class SqliteUsage implements UsageStore {
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
    const uses = this.database.prepare(`${SELECT_USES} ORDER BY day, key_id`).all().map(rowObject);
    return Promise.resolve(uses as KeyUse[]); // As SELECT_USES names its columns.
  }

  ofKey(keyId: string, days: readonly string[]): Promise<readonly KeyUse[]> {
    const select = this.database.prepare(`${SELECT_USES} WHERE day = ? AND key_id = ?`);
    const uses = days.flatMap((day) => select.all(day, keyId).map(rowObject));
    return Promise.resolve(uses as KeyUse[]); // As above.
  }
}

/** So long a checkpoint waits for readers, who hold the event loop up with it; the next one does what it could not. */
const WIPE_TIMEOUT_MS = 200;

class SqliteSelfService implements SelfServiceStore {
  constructor(
    private readonly database: DatabaseSync,
    private readonly transaction: Transaction,
  ) {}

  change<Kind extends SelfServiceKind>(
    kind: Kind,
    id: string,
    alter: (stored: SelfServiceRecord<Kind> | undefined) => SelfServiceRecord<Kind> | undefined,
  ): Promise<SelfServiceRecord<Kind> | undefined> {
    const changed = this.transaction(() => {
      const row = this.database.prepare('SELECT * FROM self_service WHERE kind = ? AND id = ?').get(kind, id);
      const stored = row === undefined ? undefined : recordOf<Kind>(row);
      const next = alter(stored);
      if (next === stored) return next;
      if (next === undefined) {
        this.database.prepare('DELETE FROM self_service WHERE kind = ? AND id = ?').run(kind, id);
      } else {
        const write = this.database.prepare('REPLACE INTO self_service VALUES (?, ?, ?, ?)');
        write.run(kind, id, next.expiresAt, JSON.stringify(next.content));
      }
      return next;
    });
    return Promise.resolve(changed);
  }

  list<Kind extends SelfServiceKind>(kind: Kind): Promise<readonly SelfServiceRecord<Kind>[]> {
    const rows = this.database.prepare('SELECT * FROM self_service WHERE kind = ? ORDER BY id').all(kind);
    return Promise.resolve(rows.map((row) => recordOf<Kind>(row)));
  }

  removeExpired(now: string): Promise<void> {
    const remove = this.database.prepare('DELETE FROM self_service WHERE expires_at <= ?');
    this.transaction(() => remove.run(now));
    return Promise.resolve();
  }

  /** The file itself is overwritten at once, but its journal keeps former pages until it is emptied. */
  wipe(): Promise<void> {
    this.database.exec(`PRAGMA busy_timeout = ${WIPE_TIMEOUT_MS}`);
    try {
      this.database.prepare('PRAGMA wal_checkpoint(TRUNCATE)').get();
    } finally {
      this.database.exec(`PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS}`);
    }
    return Promise.resolve();
  }
}

function recordOf<Kind extends SelfServiceKind>(row: Row): SelfServiceRecord<Kind> {
  const { id, expires_at: expiresAt, content } = row as Record<string, string>; // As the schema has it.
  const written: unknown = JSON.parse(content ?? '');
  return { id, expiresAt, content: written } as SelfServiceRecord<Kind>; // Written by `change`.
}

/** One row holds the whole list. */
class SqliteHeld implements HeldStore {
  constructor(
    private readonly database: DatabaseSync,
    private readonly transaction: Transaction,
  ) {}

  list(): Promise<readonly HeldDataSet[]> {
    return Promise.resolve(this.read());
  }

  change(alter: (held: readonly HeldDataSet[]) => readonly HeldDataSet[]): Promise<void> {
    const write = this.database.prepare('REPLACE INTO held (list, content) VALUES (1, ?)');
    this.transaction(() => {
      const held = this.read();
      const altered = alter(held);
      if (altered !== held) write.run(JSON.stringify(altered));
    });
    return Promise.resolve();
  }

  private read(): readonly HeldDataSet[] {
    const content = this.database.prepare('SELECT content FROM held').get()?.['content'];
    return typeof content === 'string' ? (JSON.parse(content) as readonly HeldDataSet[]) : []; // Written by `change`.
  }
}

function valuesOf(key: KeyRecord): Record<keyof KeyRecord, SQLOutputValue> {
  return { ...key, mayReadMetrics: Number(key.mayReadMetrics) };
}

function keyOf(row: Row): KeyRecord {
  // As SELECT_KEYS names its columns. Keys of older programs have null.
  return { ...(rowObject(row) as KeyRecord), mayReadMetrics: row['mayReadMetrics'] === 1 };
}
