// A sample submission: tables of rows, some of which break a rule on purpose and say which.

import type { Cells } from '../generate/csv-lines';

export interface Flaw {
  readonly outcome: 'rejected' | 'warned';
  /** A sentence part for people: what is wrong with the row. */
  readonly rule: string;
}

export interface SampleRow {
  readonly cells: Cells;
  readonly flaw?: Flaw;
}

export interface SampleTable {
  readonly file: string;
  /** In the order of the file. */
  readonly columns: readonly string[];
  readonly rows: readonly SampleRow[];
  /** How the bytes are written; UTF-8 with LF where nothing is said. */
  readonly form?: 'UTF-8 with BOM and CRLF' | 'Windows-1252';
}

export interface SampleSubmission {
  readonly folder: string;
  /** What it holds, for people. */
  readonly description: string;
  readonly tables: readonly SampleTable[];
  /** The text of a submission.json, if it has one. */
  readonly instructions?: string;
}

export function soundRows(cells: readonly Cells[]): SampleRow[] {
  return cells.map((row) => ({ cells: row }));
}

/** Changes one sound row so that it is accepted with a warning. Rows are counted from 0. */
export function withWarning(rows: readonly SampleRow[], index: number, changes: Cells, rule: string): SampleRow[] {
  const row = { cells: { ...soundCells(rows, index), ...changes }, flaw: { outcome: 'warned', rule } } as const;
  return rows.with(index, row);
}

/** Adds a row after a sound one: its copy with changes, which is to be rejected. Rows are counted from 0. */
export function withRejected(rows: readonly SampleRow[], index: number, changes: Cells, rule: string): SampleRow[] {
  const row = { cells: { ...soundCells(rows, index), ...changes }, flaw: { outcome: 'rejected', rule } } as const;
  return rows.toSpliced(index + 1, 0, row);
}

function soundCells(rows: readonly SampleRow[], index: number): Cells {
  const row = rows[index];
  if (row === undefined || row.flaw !== undefined) throw new Error(`Row ${index} is no sound row to begin from.`);
  return row.cells;
}
