// Reads a file of a submission row by row: matches its header, rejects what is not a row of it, and hands on the rest.

import { statSync } from 'node:fs';
import { join } from 'node:path';
import { fitsHeader, readCsvFile, type CsvPlace } from './csv-file';
import type { CsvRow } from './csv-row';
import { DELETE_COLUMN, RowReader } from './row-reader';
import type { RowOf, SubmissionFile } from '../format/column';
import { FileFindings, type RowFinding } from '../format/findings';
import type { LoadProgress } from '../stage/progress';
import type { Checkpoints, Resumable } from '../stage/checkpoints';
import type { LetterCases } from './letter-cases';

export interface ReadingContext {
  readonly folder: string;
  /** Tells it from the other contexts of its load. */
  readonly name: string;
  /** `former` reads what a release kept: rows that a merge lays the submission over. */
  readonly role: 'replace' | 'merge' | 'former';
  readonly onRejected: (file: string, line: number, reasons: readonly RowFinding[]) => void;
  readonly progress: LoadProgress;
  readonly checkpoints: Checkpoints;
  readonly letterCases: LetterCases;
  /** Filled as files are read, in the order of reading. */
  readonly files: FileFindings[];
  readonly notes: string[];
}

/** A row whose cells could be read. Whether it is accepted is for the visitor to say, through `findings`. */
export interface VisitedRow<File extends SubmissionFile> {
  readonly row: RowOf<File>;
  readonly line: number;
  /** The row as it is kept beside the release. */
  readonly source: string;
  readonly isFormer: boolean;
  /** What the cells alone gave rise to; the visitor may add to it. */
  readonly warnings: RowFinding[];
  /** The cell of a column as it stands in the file. */
  readonly raw: (column: string) => string;
}

export interface Visitor<File extends SubmissionFile> {
  /** A row of a merge that deletes; its cells are not checked, and only key columns may be looked at. */
  readonly deletion: (visited: VisitedRow<File>, findings: FileFindings) => void;
  readonly row: (visited: VisitedRow<File>, findings: FileFindings) => void;
}

/** The line of what concerns all rows of a file. */
export const WHOLE_FILE = 0;

/** Undefined when the submission does not have the file: it then has no rows. */
export async function eachRow<File extends SubmissionFile>(
  file: File,
  context: ReadingContext,
  visitor: Visitor<File>,
): Promise<FileFindings | undefined> {
  const path = join(context.folder, file.name);
  if (statSync(path, { throwIfNoEntry: false })?.isFile() !== true) return undefined;
  const findings = new FileFindings(file.name, (line, reasons) => {
    context.onRejected(file.name, line, reasons);
  });
  context.files.push(findings);
  const reading = new FileReading(findings);
  const name = `${context.name}/${file.name}`;
  if (context.checkpoints.attach(name, reading) === 'ended') return findings;
  context.progress.startFile(file.name, statSync(path).size);
  const canDelete = context.role === 'merge';
  let reader = reading.header === undefined ? undefined : new RowReader(file, reading.header, canDelete);
  const onBytes = (bytes: number): void => {
    context.progress.advance(bytes);
  };
  for await (const { rows, end } of readCsvFile(path, onBytes, reading.place)) {
    for (const csvRow of rows) {
      if (reader === undefined) {
        reading.header = csvRow.cells ?? [];
        reader = new RowReader(file, reading.header, canDelete);
        reportHeader(reader, findings, context.notes);
        continue;
      }
      reading.rows++;
      context.progress.countRow();
      if (isReadable(reader)) visitRow(reader, csvRow, reading.header?.length ?? 0, findings, context, visitor);
    }
    context.checkpoints.pass(reading.advance(end));
  }
  if (reader === undefined) context.notes.push(`${file.name} is empty.`);
  else if (!isReadable(reader)) rejectFile(reader, reading.rows, findings, context);
  context.checkpoints.finish(name);
  return findings;
}

/** How far the reading of a file has come. */
class FileReading implements Resumable {
  header: readonly string[] | undefined;
  /** Behind the header. */
  rows = 0;
  place: CsvPlace | undefined;

  constructor(private readonly findings: FileFindings) {}

  save(): SavedReading {
    const { header, rows, place, findings } = this;
    return { header, rows, place, findings: findings.save() };
  }

  restore(saved: unknown): void {
    const { header, rows, place, findings } = saved as SavedReading; // Of `save`.
    [this.header, this.rows, this.place] = [header, rows, place];
    this.findings.restore(findings);
  }

  /** Gives the bytes of the file since the last place. */
  advance(place: CsvPlace): number {
    const bytes = place.bytes - (this.place?.bytes ?? 0);
    this.place = place;
    return bytes;
  }
}

interface SavedReading {
  readonly header: readonly string[] | undefined;
  readonly rows: number;
  readonly place: CsvPlace | undefined;
  readonly findings: unknown;
}

/** A file of deletions needs no more than keys; its other rows, if there are any, are rejected one by one. */
function isReadable(reader: RowReader<SubmissionFile>): boolean {
  return reader.findings.missing.length === 0 || reader.hasDeletions;
}

function rejectFile(
  reader: RowReader<SubmissionFile>,
  rows: number,
  findings: FileFindings,
  context: ReadingContext,
): void {
  const reasons = reader.findings.missing.map((name) => ({ rule: 'missing-column', column: name, value: '' }) as const);
  findings.rejectAll(rows, reader.findings.missing);
  context.onRejected(findings.file, WHOLE_FILE, reasons);
}

function reportHeader(reader: RowReader<SubmissionFile>, findings: FileFindings, notes: string[]): void {
  const { unknown, absent } = reader.findings;
  if (unknown.length > 0)
    notes.push(`${findings.file}: columns that are not known and not read: ${unknown.join(', ')}.`);
  if (absent.length > 0) findings.note({ rule: 'absent-column', column: null, value: absent.join(', ') });
}

function visitRow<File extends SubmissionFile>(
  reader: RowReader<File>,
  { line, cells, source }: CsvRow,
  columns: number,
  findings: FileFindings,
  context: ReadingContext,
  visitor: Visitor<File>,
): void {
  if (cells === undefined || !fitsHeader(cells, columns)) {
    const rule = cells === undefined ? 'broken-csv' : 'cell-count';
    findings.reject(line, [{ rule, column: null, value: source }]);
    return;
  }
  const isDeletion = reader.isDeletion(cells);
  if (isDeletion === undefined) {
    findings.reject(line, [{ rule: 'unreadable-delete', column: DELETE_COLUMN, value: source }]);
    return;
  }
  const { row, problems } = isDeletion ? { row: reader.readUnchecked(cells), problems: [] } : reader.read(cells);
  if (row === undefined) {
    findings.reject(line, problems);
    return;
  }
  const warnings: RowFinding[] = [...problems];
  const raw = (column: string): string => reader.rawCell(cells, column);
  const isFormer = context.role === 'former';
  const visited = { row, line, source: reader.keptSource(cells, source), isFormer, warnings, raw };
  if (isDeletion) {
    visitor.deletion(visited, findings);
    return;
  }
  context.letterCases.check(reader.file, row, warnings);
  visitor.row(visited, findings);
}
