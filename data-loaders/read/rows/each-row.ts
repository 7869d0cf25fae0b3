// Reads a file of a submission row by row: matches its header, rejects what is not a row of it, and hands on the rest.

import type { CellReader } from '../../format/cells';
import type { RowOf, SubmissionFile } from '../../format/column';
import { joinFindings, NO_FINDINGS } from '../../format/findings';
import type { FileFindings, RowFinding, SubmissionFindings } from '../../format/findings';
import type { SubmittedFile, SubmittedFiles } from '../../format/submitted-files';
import type { Checkpoints, Resumable } from '../../stage/checkpoints';
import type { LoadProgress } from '../../stage/progress';
import { fitsHeader, readCsvFile, type CsvPlace } from '../csv/csv-file';
import type { CsvRow } from '../csv/csv-rows';
import type { LetterCases } from './letter-cases';
import { DELETE_COLUMN, RowReader } from './row-reader';

/** Files whose rows are read: the submission's own, or the source rows of a release that a merge lays it over. */
export interface RowSource {
  readonly files: SubmittedFiles;
  readonly name: string;
  /** `former` reads the source rows of a release: rows that a merge lays the submission over. */
  readonly role: 'replace' | 'merge' | 'former';
  readonly findings: SubmissionFindings;
  readonly progress: LoadProgress;
  readonly checkpoints: Checkpoints;
  readonly letterCases: LetterCases;
  readonly cells: CellReader;
}

/** A row whose cells could be read. Whether it is accepted is for the visitor to say, through `findings`. */
export interface VisitedRow<File extends SubmissionFile> {
  readonly row: RowOf<File>;
  readonly line: number;
  /** The row as it stands beside the release. */
  readonly source: string;
  readonly isFormer: boolean;
  /** The warnings that follow from the cells alone. */
  readonly warnings: readonly RowFinding[];
  /** The cell of a column as it stands in the file. */
  readonly raw: (column: string) => string;
}

export interface Visitor<File extends SubmissionFile> {
  /** Takes a row of a merge that deletes; its cells are not checked, and only key columns may be looked at. */
  deletion(visited: VisitedRow<File>, findings: FileFindings): void;
  row(visited: VisitedRow<File>, findings: FileFindings): void;
}

/** The findings of the file; undefined when the source does not have it, and so has no rows of it. */
export async function eachRow<File extends SubmissionFile>(
  file: File,
  source: RowSource,
  visitor: Visitor<File>,
): Promise<FileFindings | undefined> {
  const submitted = source.files.file(file.name);
  if (submitted === undefined) return undefined;
  const findings = source.findings.startFile(file.name);
  const reading = new FileReading(file, source, findings, visitor);
  const name = `${source.name}/${file.name}`;
  if (source.checkpoints.attach(name, reading)) return findings;
  source.progress.startFile(file.name, submitted.size);
  await reading.read(submitted);
  source.checkpoints.finish(name);
  return findings;
}

class FileReading<File extends SubmissionFile> implements Resumable {
  private rows = 0;
  private place: CsvPlace | undefined;
  /** Undefined before the header. */
  private reader: RowReader<File> | undefined;

  constructor(
    private readonly file: File,
    private readonly source: RowSource,
    private readonly findings: FileFindings,
    private readonly visitor: Visitor<File>,
  ) {}

  save() {
    const { reader, rows, place, findings } = this;
    return { header: reader?.header, rows, place, findings: findings.save() };
  }

  restore(saved: unknown): void {
    const { header, rows, place, findings } = saved as ReturnType<this['save']>; // Written by `save`.
    [this.rows, this.place] = [rows, place];
    if (header !== undefined) this.reader = this.readerOf(header);
    this.findings.restore(findings);
  }

  async read(submitted: SubmittedFile): Promise<void> {
    const { file, findings, source } = this;
    for await (const { rows, end } of readCsvFile(submitted, source.progress.advance, this.place)) {
      for (const row of rows) this.take(row);
      const bytes = end.bytes - (this.place?.bytes ?? 0);
      this.place = end;
      source.checkpoints.pass(bytes);
    }
    const { reader } = this;
    if (reader === undefined) source.findings.note(`${file.name} is empty.`);
    else if (!isReadable(reader)) findings.rejectAll(this.rows, reader.findings.missing);
  }

  private take(row: CsvRow): void {
    if (this.reader === undefined) {
      this.reader = this.readerOf(row.cells ?? []);
      this.reportHeader(this.reader);
      return;
    }
    this.rows++;
    this.source.progress.countRow();
    if (isReadable(this.reader)) this.visit(this.reader, row);
  }

  private readerOf(header: readonly string[]): RowReader<File> {
    const { file, source } = this;
    return new RowReader(file, header, source.role === 'merge', source.cells);
  }

  private reportHeader({ findings: { unknown, absent } }: RowReader<File>): void {
    const { file, source, findings } = this;
    if (unknown.length > 0) {
      source.findings.note(`${file.name}: columns that are not known and not read: ${unknown.join(', ')}.`);
    }
    if (absent.length > 0) findings.note({ rule: 'absent-column', column: null, value: absent.join(', ') });
  }

  private visit(reader: RowReader<File>, { line, cells, source: text }: CsvRow): void {
    const { file, source, findings, visitor } = this;
    if (cells === undefined || !fitsHeader(cells, reader.header.length)) {
      const rule = cells === undefined ? 'broken-csv' : 'cell-count';
      findings.reject(line, [{ rule, column: null, value: text }]);
      return;
    }
    const isDeletion = reader.isDeletion(cells);
    if (isDeletion === undefined) {
      findings.reject(line, [{ rule: 'unreadable-delete', column: DELETE_COLUMN, value: text }]);
      return;
    }
    const raw = (name: string): string => reader.rawCell(cells, name);
    const found = { line, source: reader.sourceRow(cells, text), isFormer: source.role === 'former', raw };
    if (isDeletion) {
      visitor.deletion({ ...found, row: reader.readUnchecked(cells), warnings: NO_FINDINGS }, findings);
      return;
    }
    const checked = reader.read(cells);
    if (checked.kind === 'rejected') {
      findings.reject(line, checked.reasons);
      return;
    }
    const warnings = joinFindings(checked.warnings, source.letterCases.check(file, checked.row));
    visitor.row({ ...found, row: checked.row, warnings }, findings);
  }
}

/** A file of deletions needs no more than keys; its other rows, if there are any, are rejected one by one. */
function isReadable(reader: RowReader<SubmissionFile>): boolean {
  return reader.findings.missing.length === 0 || reader.hasDeletions;
}
