// What of a submission waits in tables of SQLite, but for its lookups: rejected rows and warnings, for the files beside
// the report, and the relations between points of diversion and places of use.

import type { StatementSync } from 'node:sqlite';
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

/** Prepares a statement once, however often it is asked for. */
type Prepare = (sql: string) => StatementSync;

/** The rejected rows and the warnings of a submission, all of them. */
export class StagedFindings {
  constructor(private readonly prepare: Prepare) {}

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
  warned(file: string): Iterable<StagedWarning> {
    const select = this.prepare(`
      SELECT line, in_column AS "column", rule, value FROM warned
      WHERE file = ? AND line NOT IN (SELECT line FROM rejected WHERE file = ?) ORDER BY warned.rowid`);
    return select.iterate(file, file) as Iterable<unknown> as Iterable<StagedWarning>; // Our schema.
  }
}

/** The relations of a submission (submissions.md, 2), each once. */
export class StagedRelations {
  constructor(private readonly prepare: Prepare) {}

  /** False when the same relation is already there; else its source row is kept with it. */
  add(key: RelationKey, source: string): boolean {
    return this.prepare('INSERT OR IGNORE INTO relations VALUES (?, ?, ?, ?, ?)').run(...key, source).changes === 1;
  }

  /** False when there is none. */
  remove(key: RelationKey): boolean {
    const remove = this.prepare('DELETE FROM relations WHERE pod = ? AND pou = ? AND start = ? AND end = ?');
    return remove.run(...key).changes === 1;
  }

  /** Makes the index from the place of use, once all relations are there. */
  index(): void {
    this.prepare('CREATE INDEX IF NOT EXISTS relations_by_pou ON relations (pou, pod, start, end)').run();
  }

  /** The relations of points of diversion, or of places of use: in the order of these, then in that of D29. */
  of(place: 'pod' | 'pou'): Iterable<PlacedRelation> {
    const site = place === 'pod' ? 'pou' : 'pod';
    const select = this.prepare(
      `SELECT ${place} AS place, ${site} AS site, start, end FROM relations ORDER BY ${place}, ${site}, start, end`,
    );
    return select.iterate() as Iterable<unknown> as Iterable<PlacedRelation>; // Our schema.
  }

  /** The source rows, in the order of the points of diversion. */
  *sources(): Iterable<string> {
    const rows = this.prepare('SELECT source FROM relations ORDER BY pod, pou, start, end').iterate();
    // Our schema.
    for (const { source } of rows as Iterable<unknown> as Iterable<{ readonly source: string }>) yield source;
  }

  hasAny(site: string): boolean {
    return this.prepare('SELECT 1 FROM relations WHERE pod = ? OR pou = ? LIMIT 1').get(site, site) !== undefined;
  }
}
