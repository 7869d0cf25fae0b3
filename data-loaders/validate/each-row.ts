// Reads a file of a submission row by row: matches its header, rejects what is not a row of it, and hands on the rest.

import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fitsHeader, readCsvFile } from '../parse/csv-file';
import type { CsvRow } from '../parse/csv-row';
import { RowReader } from '../parse/row-reader';
import type { RowOf, SubmissionFile } from '../parse/column';
import { FileFindings, type RowFinding } from '../report/findings';
import type { LoadProgress } from '../report/progress';
import type { LetterCases } from './letter-cases';

export interface ReadingContext {
  readonly folder: string;
  readonly progress: LoadProgress;
  readonly letterCases: LetterCases;
  /** Filled as files are read, in the order of reading. */
  readonly files: FileFindings[];
  readonly notes: string[];
}

/** A row whose cells could be read. Whether it is accepted is for the visitor to say, through `findings`. */
export interface VisitedRow<File extends SubmissionFile> {
  readonly row: RowOf<File>;
  readonly line: number;
  readonly source: string;
  /** What the cells alone gave rise to; the visitor may add to it. */
  readonly warnings: RowFinding[];
  /** The cell of a column as it stands in the file. */
  readonly raw: (column: string) => string;
}

export interface Visitor<File extends SubmissionFile> {
  readonly header?: (source: string) => void;
  readonly row: (visited: VisitedRow<File>, findings: FileFindings) => void;
}

/** Undefined when the submission does not have the file: it then has no rows. */
export async function eachRow<File extends SubmissionFile>(
  file: File,
  context: ReadingContext,
  visitor: Visitor<File>,
): Promise<FileFindings | undefined> {
  const path = join(context.folder, file.name);
  if (!existsSync(path)) return undefined;
  const findings = new FileFindings(file.name);
  context.files.push(findings);
  context.progress.startFile(file.name, statSync(path).size);
  let reader: RowReader<File> | undefined;
  let columns = 0;
  let rows = 0;
  for await (const batch of readCsvFile(path, (bytes) => {
    context.progress.advance(bytes);
  })) {
    for (const csvRow of batch) {
      if (reader === undefined) {
        columns = csvRow.cells?.length ?? 0;
        reader = new RowReader(file, csvRow.cells ?? []);
        reportHeader(reader, findings, context.notes);
        if (reader.findings.missing.length === 0) visitor.header?.(csvRow.source);
        continue;
      }
      rows++;
      context.progress.countRow();
      if (reader.findings.missing.length === 0) visitRow(reader, csvRow, columns, findings, context, visitor);
    }
  }
  if (reader === undefined) context.notes.push(`${file.name} is empty.`);
  else if (reader.findings.missing.length > 0) findings.rejectAll(rows, reader.findings.missing);
  return findings;
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
  const { row, problems } = reader.read(cells);
  if (row === undefined) {
    findings.reject(line, problems);
    return;
  }
  const warnings: RowFinding[] = [...problems];
  context.letterCases.check(reader.file, row, warnings);
  visitor.row({ row, line, source, warnings, raw: (column) => reader.rawCell(cells, column) }, findings);
}
