// The rows of a submission between reading and publishing: a database of their own on disk, so that memory does not
// grow with the submission. Lookup rows are found by identifier, amount rows come back in the order of their keys.

import { rmSync } from 'node:fs';
import { deserialize, serialize } from 'node:v8';
import { join } from 'node:path';
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { DataSetKind } from '../../shared/records/data-sets';
import { processName } from '../../shared/store/process-names';
import { asBytes } from '../../shared/store/sqlite/database';
import { IdentifierTable } from './identifier-table';
import type { Log } from './progress';
import { SortedRuns, type SavedRuns } from './sorted-runs';
import { amountText, readAmount, type StagedAmount } from './staged-amounts';
import { StagedRelations } from './staged-relations';
import {
  commitStaged,
  createStagingDatabase,
  takeUpStagingDatabase,
  type LookupTable,
  type SavedState,
  type StagedRejection,
  type StagedWarning,
} from './staging-database';
import { removeFoldersOfTheDead } from './work-folder';

/** Filter terms of identifiers, with the ranks of places or the numbers of records that have them. */
export type TermTable = 'place_terms' | 'record_terms';

export interface StagedLookup {
  readonly number: number;
  readonly id: string;
  /** JSON of the row as it was read. */
  readonly row: string;
  /** As encodeGeometry wrote it; null without a usable one. */
  readonly geometry: Uint8Array | null;
}

export class Staging {
  readonly relations: StagedRelations;
  private readonly statements = new Map<string, StatementSync>();
  private readonly identifiers = new Map<LookupTable, IdentifierTable>();
  private readonly amountRuns = new Map<DataSetKind, SortedRuns>();
  private readonly termRuns = new Map<TermTable, SortedRuns>();

  /** `folder` is removed with the staged rows, and everything else that lies in it. */
  private constructor(
    private readonly database: DatabaseSync,
    readonly folder: string,
  ) {
    this.relations = new StagedRelations(database);
  }

  /** `parent` is where staging folders lie; those that dead processes left are removed first. */
  static temporary(parent: string, log: Log): Staging {
    removeFoldersOfTheDead(parent, log);
    const folder = join(parent, processName());
    return new Staging(createStagingDatabase(folder, false), folder);
  }

  /** Opens the rows that were committed in the same folder before, if they can be trusted. */
  static kept(folder: string, log: Log): Staging {
    return new Staging(takeUpStagingDatabase(folder, log) ?? createStagingDatabase(folder, true), folder);
  }

  /** Commits what is staged, so that it is there again when the folder is opened once more. */
  commit(): void {
    for (const [kind, runs] of this.amountRuns) {
      this.saveState(runsName(kind), { state: serialize(runs.save()), isFinal: false });
    }
    commitStaged(this.database);
  }

  saveState(name: string, { state, isFinal }: SavedState): void {
    this.prepare('INSERT OR REPLACE INTO states VALUES (?, ?, ?)').run(name, state, isFinal ? 1 : 0);
  }

  savedState(name: string): SavedState | undefined {
    const row = this.prepare('SELECT state, is_final FROM states WHERE name = ?').get(name);
    return row === undefined ? undefined : { state: asBytes(row['state']), isFinal: row['is_final'] === 1 };
  }

  /** False when the identifier is already there: the first stays. */
  addLookup(table: LookupTable, id: string, row: string, geometry: Uint8Array | null = null): boolean {
    if (this.findNumber(table, id) !== undefined) return false;
    const insert = this.prepare(`INSERT INTO ${table} (id, row, geometry) VALUES (?, ?, ?)`);
    this.identifiersOf(table).add(id, Number(insert.run(id, row, geometry).lastInsertRowid));
    return true;
  }

  /** The staged number of a row; most questions need no more, and a row may carry a polygon of megabytes. */
  findNumber(table: LookupTable, id: string): number | undefined {
    const identifiers = this.identifiersOf(table);
    const number = identifiers.find(id);
    if (number !== undefined || !identifiers.isFull) return number;
    const row = this.prepare(`SELECT number FROM ${table} WHERE id = ?`).get(id);
    return row === undefined ? undefined : Number(row['number']);
  }

  /** The number and the JSON of a row, without its geometry. */
  findLookup(table: LookupTable, id: string): Omit<StagedLookup, 'geometry'> | undefined {
    const select = this.prepare(`SELECT number, id, row FROM ${table} WHERE id = ?`);
    return select.get(id) as unknown as Omit<StagedLookup, 'geometry'> | undefined; // Our schema.
  }

  /** In the order of D17: SQLite compares texts by their UTF-8 bytes. */
  lookups(table: LookupTable): Iterable<StagedLookup> {
    return this.prepare(
      `SELECT number, id, row, geometry FROM ${table} ORDER BY id`,
    ).iterate() as Iterable<unknown> as Iterable<StagedLookup>; // Our schema.
  }

  removeLookup(table: LookupTable, id: string): void {
    this.identifiersOf(table).remove(id);
    this.prepare(`DELETE FROM ${table} WHERE id = ?`).run(id);
  }

  *lookupNumbers(table: LookupTable): Iterable<number> {
    for (const row of this.prepare(`SELECT number FROM ${table} ORDER BY id`).iterate()) yield Number(row['number']);
  }

  lastNumber(table: LookupTable): number {
    return Number(this.prepare(`SELECT coalesce(max(number), 0) AS n FROM ${table}`).get()?.['n']);
  }

  /** Stores an accepted row of a lookup file for a later merge or rebuild; `id` is what a deletion names. */
  addSource(file: string, id: string, source: string): void {
    this.prepare('INSERT INTO sources (file, id, source) VALUES (?, ?, ?)').run(file, id, source);
  }

  removeSource(file: string, id: string): void {
    this.prepare('DELETE FROM sources WHERE file = ? AND id = ?').run(file, id);
  }

  sources(): Iterable<{ readonly file: string; readonly source: string }> {
    const select = this.prepare('SELECT file, source FROM sources ORDER BY file, id');
    return select.iterate() as Iterable<unknown> as ReturnType<Staging['sources']>; // Our schema.
  }

  /** Stores a rejected row for the file of rejected rows; line WHOLE_FILE stands for all rows of the file. */
  addRejected(file: string, { line, rule, reason }: StagedRejection): void {
    this.prepare('INSERT INTO rejected VALUES (?, ?, ?, ?)').run(file, line, rule, reason);
  }

  /** By line. */
  rejected(file: string): Iterable<StagedRejection> {
    const select = this.prepare('SELECT line, rule, reason FROM rejected WHERE file = ? ORDER BY line');
    return select.iterate(file) as Iterable<unknown> as Iterable<StagedRejection>; // Our schema.
  }

  addWarned(file: string, { line, column, rule, value }: StagedWarning): void {
    this.prepare('INSERT INTO warned VALUES (?, ?, ?, ?, ?)').run(file, line, column, rule, value);
  }

  /** In the order of the file, without those of rows that were rejected later. */
  *warned(file: string): Iterable<StagedWarning> {
    const select = this.prepare(`
      SELECT line, in_column AS "column", rule, value FROM warned
      WHERE file = ? AND line NOT IN (SELECT line FROM rejected WHERE file = ?) ORDER BY warned.rowid`);
    yield* select.iterate(file, file) as Iterable<unknown> as Iterable<StagedWarning>; // Our schema.
  }

  addAmount(kind: DataSetKind, amount: StagedAmount): void {
    this.runsOf(kind).add(amount.key, amountText(amount));
  }

  /** By key, then as they were added: the rows of the submission come before those that it is laid over. */
  *amounts(kind: DataSetKind): Iterable<StagedAmount> {
    for (const { key, text } of this.runsOf(kind).rows()) yield readAmount(key, text);
  }

  clearTerms(table: TermTable): void {
    this.termRuns.get(table)?.close();
    this.termRuns.set(table, new SortedRuns(join(this.folder, table)));
  }

  addTerm(table: TermTable, term: string, number: number): void {
    this.termsOf(table).add(term, String(number));
  }

  /** By term, its numbers as they were added: two identifiers that differ in letter case only are one term. */
  *terms(table: TermTable): Iterable<{ readonly term: string; readonly numbers: readonly number[] }> {
    let term: string | undefined;
    let numbers: number[] = [];
    for (const { key, text } of this.termsOf(table).rows()) {
      if (key !== term) {
        if (term !== undefined) yield { term, numbers };
        term = key;
        numbers = [];
      }
      numbers.push(Number(text));
    }
    if (term !== undefined) yield { term, numbers };
  }

  /** Closes the database; what was committed stays. */
  close(): void {
    for (const runs of [...this.amountRuns.values(), ...this.termRuns.values()]) runs.close();
    this.statements.clear();
    this.database.close();
  }

  remove(): void {
    this.close();
    rmSync(this.folder, { recursive: true, force: true });
  }

  /** What an earlier process staged is read into it when it is first asked. */
  private identifiersOf(table: LookupTable): IdentifierTable {
    const known = this.identifiers.get(table);
    if (known !== undefined) return known;
    const identifiers = new IdentifierTable();
    for (const row of this.prepare(`SELECT id, number FROM ${table}`).iterate()) {
      identifiers.add(String(row['id']), Number(row['number']));
    }
    this.identifiers.set(table, identifiers);
    return identifiers;
  }

  private runsOf(kind: DataSetKind): SortedRuns {
    const known = this.amountRuns.get(kind);
    if (known !== undefined) return known;
    const saved = this.savedState(runsName(kind));
    // Written by `commit`.
    const opened = new SortedRuns(join(this.folder, kind), saved && (deserialize(saved.state) as SavedRuns));
    this.amountRuns.set(kind, opened);
    return opened;
  }

  private termsOf(table: TermTable): SortedRuns {
    const runs = this.termRuns.get(table);
    if (runs === undefined) throw new Error(`${table} were used before they were cleared`);
    return runs;
  }

  private prepare(sql: string): StatementSync {
    const known = this.statements.get(sql);
    if (known !== undefined) return known;
    const prepared = this.database.prepare(sql);
    this.statements.set(sql, prepared);
    return prepared;
  }
}

function runsName(kind: DataSetKind): string {
  return `rows of ${kind}`;
}
