// The rejected rows and the warnings of a submission, all of them, for the files beside its report.

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
