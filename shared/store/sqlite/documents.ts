// The documents of the service (service-documents.ts) in one table of the catalog database.

import type { DatabaseSync, StatementSync } from 'node:sqlite';
import {
  buildUseId,
  type DocumentKind,
  type DocumentStore,
  HELD_ID,
  type ServiceDocuments,
  type UpdateDocument,
} from '../service-documents';
import { BUSY_TIMEOUT_MS, type Row, type Transaction } from './database';

const SCHEMA = `CREATE TABLE IF NOT EXISTS documents (
  kind TEXT NOT NULL, id TEXT NOT NULL, content TEXT NOT NULL, PRIMARY KEY (kind, id)
) WITHOUT ROWID`;

const SELECT = 'SELECT content FROM documents WHERE kind = ? AND id = ?';
const REMOVE = 'DELETE FROM documents WHERE kind = ? AND id = ?';
const WRITE = 'REPLACE INTO documents (kind, id, content) VALUES (?, ?, ?)';

/**
 * How long a checkpoint waits for readers. It blocks the event loop while it waits. If it gives up, the next checkpoint
 * completes the work.
 */
const WIPE_TIMEOUT_MS = 200;

/** The open catalog. */
interface CatalogDatabase {
  prepare(sql: string): StatementSync;
  exec(sql: string): void;
  readonly transaction: Transaction;
}

export class SqliteDocuments implements DocumentStore {
  constructor(private readonly catalog: CatalogDatabase) {}

  find<Kind extends DocumentKind>(kind: Kind, id: string): Promise<ServiceDocuments[Kind] | undefined> {
    return Promise.resolve(this.read(kind, id));
  }

  list<Kind extends DocumentKind>(kind: Kind): Promise<readonly ServiceDocuments[Kind][]> {
    const rows = this.catalog.prepare('SELECT content FROM documents WHERE kind = ? ORDER BY id').all(kind);
    return Promise.resolve(rows.map((row) => parseContent(row) as ServiceDocuments[Kind])); // Written by `change`.
  }

  change<Kind extends DocumentKind>(
    kind: Kind,
    ids: readonly string[],
    alter: UpdateDocument<Kind>,
  ): Promise<readonly (ServiceDocuments[Kind] | undefined)[]> {
    if (ids.length === 0) return Promise.resolve([]);
    const changed = this.catalog.transaction(() =>
      ids.map((id) => {
        const stored = this.read(kind, id);
        const next = alter(stored, id);
        if (next === undefined) this.catalog.prepare(REMOVE).run(kind, id);
        else if (next !== stored) this.catalog.prepare(WRITE).run(kind, id, JSON.stringify(next));
        return next;
      }),
    );
    return Promise.resolve(changed);
  }

  /** SQLite overwrites deleted content in the file, but the journal keeps old pages until it is truncated. */
  wipe(): Promise<void> {
    this.catalog.exec(`PRAGMA busy_timeout = ${WIPE_TIMEOUT_MS}`);
    try {
      this.catalog.prepare('PRAGMA wal_checkpoint(TRUNCATE)').get();
    } finally {
      this.catalog.exec(`PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS}`);
    }
    return Promise.resolve();
  }

  private read<Kind extends DocumentKind>(kind: Kind, id: string): ServiceDocuments[Kind] | undefined {
    const row = this.catalog.prepare(SELECT).get(kind, id);
    return row === undefined ? undefined : (parseContent(row) as ServiceDocuments[Kind]); // Written by `change`.
  }
}

function parseContent(row: Row): unknown {
  return JSON.parse(String(row['content']));
}

/** A row of a table of older program versions, by member names. */
type Members = Readonly<Record<string, string | number | null>>;

/** Older program versions had a table for each kind. Its rows become documents; keys may lack later columns. */
const LEGACY_TABLES: Readonly<Record<string, (row: Members) => readonly [kind: string, id: string, content: object]>> =
  {
    keys: (key) => ['key', String(key['id']), { ...key, mayReadMetrics: key['mayReadMetrics'] === 1 }],
    key_usage: (use) => ['use', buildUseId({ day: String(use['day']), keyId: String(use['keyId']) }), use],
    held: ({ content }) => ['held', HELD_ID, { held: JSON.parse(String(content)) as unknown }],
    self_service: ({ kind, id, expiresAt, content }) => [
      String(kind),
      String(id),
      { id, expiresAt, content: JSON.parse(String(content)) as unknown },
    ],
  };

/** Creates the table and moves the rows of legacy tables into it. The caller runs this in a transaction. */
export function prepareDocuments(database: DatabaseSync): void {
  database.exec(SCHEMA);
  const findTable = database.prepare("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?");
  const write = database.prepare(WRITE);
  for (const [table, toDocument] of Object.entries(LEGACY_TABLES)) {
    if (findTable.get(table) === undefined) continue;
    for (const row of database.prepare(`SELECT * FROM ${table}`).all()) {
      // `issued_at` becomes `issuedAt`.
      const toMemberName = (column: string): string =>
        column.replace(/_(.)/g, (_, letter: string) => letter.toUpperCase());
      const members = Object.entries(row).map(([column, value]) => [toMemberName(column), value]);
      const [kind, id, content] = toDocument(Object.fromEntries(members) as Members);
      write.run(kind, id, JSON.stringify(content));
    }
    database.exec(`DROP TABLE ${table}`);
  }
}
