// The file of one release: what stands in it and where it lies. Written once, then read with immutable=1 for ever.

import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import { DIGEST_NAME } from '../../values/digest';
import { openDatabase, openPrivateDatabase } from './sqlite-module';

const SCHEMA = `
CREATE TABLE artifacts (name TEXT PRIMARY KEY, content BLOB NOT NULL);
CREATE TABLE records (first INTEGER PRIMARY KEY, content BLOB NOT NULL, header BLOB NOT NULL);
CREATE TABLE lookups (first INTEGER PRIMARY KEY, content BLOB NOT NULL, header BLOB NOT NULL);
CREATE TABLE geometries (first INTEGER PRIMARY KEY, content BLOB NOT NULL, header BLOB NOT NULL);
CREATE TABLE postings (term TEXT PRIMARY KEY, content BLOB NOT NULL) WITHOUT ROWID;
CREATE TABLE sources (file TEXT NOT NULL, piece INTEGER NOT NULL, content BLOB NOT NULL, PRIMARY KEY (file, piece));
`;

/** Two blocks of records fit a page and most reads need one page; see fragment-block.ts for the measurement. */
const PAGE_BYTES = 4096;

/** Records are written in order and postings in any; more is no faster. */
const WRITE_CACHE_KILOBYTES = 8192;

export type BlockTable = 'records' | 'lookups' | 'geometries';

export const BLOCK_TABLES: readonly BlockTable[] = ['records', 'lookups', 'geometries'];

export function releaseFolder(dataDirectory: string): string {
  return join(dataDirectory, 'releases');
}

export function releasePath(dataDirectory: string, releaseId: string): string {
  return join(releaseFolder(dataDirectory), `${releaseId}.sqlite`);
}

export function releaseIdsIn(dataDirectory: string): readonly string[] {
  const folder = releaseFolder(dataDirectory);
  if (!existsSync(folder)) return [];
  const names = readdirSync(folder).filter((name) => name.endsWith('.sqlite'));
  return names.map((name) => name.slice(0, -'.sqlite'.length)).filter((name) => DIGEST_NAME.test(name));
}

export function createReleaseFile(path: string): DatabaseSync {
  const options = { pageBytes: PAGE_BYTES, cacheKilobytes: WRITE_CACHE_KILOBYTES, isJournaled: false };
  const database = openPrivateDatabase(path, options);
  database.exec(SCHEMA);
  return database;
}

/** Nothing changes an immutable file, so SQLite needs neither locks nor change counters. */
export function openReleaseFile(path: string): DatabaseSync {
  const location = pathToFileURL(path);
  location.searchParams.set('immutable', '1');
  const database = openDatabase(location, { readOnly: true });
  database.exec('PRAGMA cache_size = -8192');
  return database;
}
