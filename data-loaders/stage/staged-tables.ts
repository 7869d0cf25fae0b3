// What of a submission waits in tables of SQLite, but for its lookups: rejected rows and warnings, for the files beside
// the report; source rows of lookups; and the relations between points of diversion and places of use.

import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { RowFinding } from '../format/findings';

/** A rejected row: the names of the rules that it breaks, and their sentences. */
export interface StagedRejection {
  readonly line: number;
  readonly rule: string;
  readonly reason: string;
}

/** Its value is cut as in the report. */
export interface StagedWarning extends RowFinding {
  readonly line: number;
}

/** Missing dates are empty texts. */
export interface StagedRelation {
  readonly site: string;
  readonly start: string;
  readonly end: string;
}

/** A relation beside the site whose it is. */
export interface PlacedRelation extends StagedRelation {
  readonly place: string;
}

/** The identifiers of both sites, and the dates; missing dates are empty texts. */
export type RelationKey = readonly [pod: string, pou: string, start: string, end: string];

type RelationValues = readonly [place: string, site: string, start: string, end: string];

/** The rejected rows and the warnings of a submission, all of them. */
export class StagedFindings {
  private readonly insertRejected: StatementSync;
  private readonly insertWarned: StatementSync;
  private readonly selectRejected: StatementSync;
  private readonly selectWarned: StatementSync;

  constructor(database: DatabaseSync) {
    this.insertRejected = database.prepare('INSERT INTO rejected VALUES (?, ?, ?, ?)');
    this.insertWarned = database.prepare('INSERT INTO warned VALUES (?, ?, ?, ?, ?)');
    this.selectRejected = database.prepare('SELECT line, rule, reason FROM rejected WHERE file = ? ORDER BY line');
    this.selectWarned = database.prepare(`
      SELECT line, in_column AS "column", rule, value FROM warned
      WHERE file = ? AND line NOT IN (SELECT line FROM rejected WHERE file = ?) ORDER BY warned.rowid`);
  }

  /** Stores a rejected row for the file of rejected rows; line WHOLE_FILE stands for all rows of the file. */
  addRejected(file: string, { line, rule, reason }: StagedRejection): void {
    this.insertRejected.run(file, line, rule, reason);
  }

  /** By line. */
  rejected(file: string): Iterable<StagedRejection> {
    return this.selectRejected.iterate(file) as Iterable<unknown> as Iterable<StagedRejection>; // Our schema.
  }

  addWarned(file: string, { line, column, rule, value }: StagedWarning): void {
    this.insertWarned.run(file, line, column, rule, value);
  }

  /** In the order of the file, without those of rows that were rejected later. */
  warned(file: string): Iterable<StagedWarning> {
    return this.selectWarned.iterate(file, file) as Iterable<unknown> as Iterable<StagedWarning>; // Our schema.
  }
}

/**
 * The accepted rows of the lookup files as they were submitted, but for those of places and of relations, which are
 * stored with them: a release has them for a later merge or rebuild.
 */
export class StagedSources {
  private readonly insert: StatementSync;
  private readonly delete: StatementSync;
  private readonly select: StatementSync;

  constructor(database: DatabaseSync) {
    this.insert = database.prepare('INSERT INTO sources (file, id, source) VALUES (?, ?, ?)');
    this.delete = database.prepare('DELETE FROM sources WHERE file = ? AND id = ?');
    this.select = database.prepare('SELECT file, source FROM sources ORDER BY file, id');
    // A row as a list of values takes two thirds of the time of one as an object.
    this.select.setReturnArrays(true);
  }

  /** `id` is what a deletion names. */
  add(file: string, id: string, source: string): void {
    this.insert.run(file, id, source);
  }

  remove(file: string, id: string): void {
    this.delete.run(file, id);
  }

  /** File by file. */
  *all(): Iterable<{ readonly file: string; readonly source: string }> {
    const rows = this.select.iterate() as Iterable<unknown> as Iterable<readonly [string, string]>; // Our schema.
    for (const [file, source] of rows) yield { file, source };
  }
}

/** The relations of a submission (submissions.md, 2), each once. */
export class StagedRelations {
  private readonly insert: StatementSync;
  private readonly delete: StatementSync;
  private readonly selectAny: StatementSync;

  constructor(private readonly database: DatabaseSync) {
    this.insert = database.prepare('INSERT OR IGNORE INTO relations VALUES (?, ?, ?, ?, ?)');
    this.delete = database.prepare('DELETE FROM relations WHERE pod = ? AND pou = ? AND start = ? AND end = ?');
    this.selectAny = database.prepare('SELECT 1 FROM relations WHERE pod = ? OR pou = ? LIMIT 1');
  }

  /** False when the same relation is already there; else its source row is kept with it. */
  add(key: RelationKey, source: string): boolean {
    return this.insert.run(...key, source).changes === 1;
  }

  /** False when there is none. */
  remove(key: RelationKey): boolean {
    return this.delete.run(...key).changes === 1;
  }

  /** Makes the index from the place of use, once all relations are there. */
  index(): void {
    this.database.exec('CREATE INDEX IF NOT EXISTS relations_by_pou ON relations (pou, pod, start, end)');
  }

  /** In the order of the places of use, then in that of D29. */
  podsOfPous(): Iterable<PlacedRelation> {
    return this.relationsBy('pou', 'pod');
  }

  /** In the order of the points of diversion, then in that of D29. */
  pousOfPods(): Iterable<PlacedRelation> {
    return this.relationsBy('pod', 'pou');
  }

  /** The source rows, in the order of the points of diversion. */
  *sources(): Iterable<string> {
    const select = this.database.prepare('SELECT source FROM relations ORDER BY pod, pou, start, end');
    select.setReturnArrays(true);
    const rows = select.iterate() as Iterable<unknown> as Iterable<readonly [string]>; // Our schema.
    for (const [source] of rows) yield source;
  }

  hasAny(site: string): boolean {
    return this.selectAny.get(site, site) !== undefined;
  }

  private *relationsBy(place: 'pod' | 'pou', other: 'pod' | 'pou'): Iterable<PlacedRelation> {
    const select = this.database.prepare(
      `SELECT ${place}, ${other}, start, end FROM relations ORDER BY ${place}, ${other}, start, end`,
    );
    // A row as a list of values takes two thirds of the time of one as an object.
    select.setReturnArrays(true);
    const rows = select.iterate() as Iterable<unknown> as Iterable<RelationValues>; // Our schema.
    for (const [ofPlace, site, start, end] of rows) yield { place: ofPlace, site, start, end };
  }
}
