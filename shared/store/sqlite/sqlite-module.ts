// node:sqlite, loaded only when something needs it: a process on the Cosmos store never does (design.md, section 2).

import type { DatabaseSync, DatabaseSyncOptions } from 'node:sqlite';

/** Waits this long for another process's lock before it fails with "database is locked". */
const BUSY_TIMEOUT_MS = 10_000;

export function openDatabase(location: string | URL, options: DatabaseSyncOptions = {}): DatabaseSync {
  const sqlite = process.getBuiltinModule('node:sqlite');
  return new sqlite.DatabaseSync(location, { timeout: BUSY_TIMEOUT_MS, ...options });
}

/** A column that the schema declares as BLOB. */
export function asBytes(value: unknown): Uint8Array {
  if (value instanceof Uint8Array) return value;
  throw new TypeError('the column does not hold bytes');
}

export function asText(value: unknown): string {
  if (typeof value === 'string') return value;
  throw new TypeError('the column does not hold text');
}

export function asNumber(value: unknown): number {
  if (typeof value === 'number') return value;
  throw new TypeError('the column does not hold a number');
}
