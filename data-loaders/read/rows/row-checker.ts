// Checks the rows of files, piece by piece, as far as one row tells: it needs nothing but the text, so that it can work
// in a thread of its own (ADR 0139).

import { RowShape, type SubmissionFile } from '../../format/column';
import { joinFindings } from '../../format/findings';
import { submissionFiles } from '../../format/submission-files';
import { stageRow } from '../../stage/staged-amounts';
import { CsvScan, fitsHeader, type CsvBatch, type CsvPlace } from '../csv/csv-file';
import type { CsvRow } from '../csv/csv-records';
import type { TextEncoding } from '../csv/text-pieces';
import { CheckedBatchWriter, type CheckedBatch } from './checked-batch';
import { DELETE_COLUMN, FileHeader } from './header';
import type { LetterCases } from './letter-cases';
import { preparationOf, type RowPreparation } from './prepare-row';
import { RowReader } from './row-reader';

export interface FileToCheck {
  /** The name of a file of the format. */
  readonly name: string;
  readonly encoding: TextEncoding;
  /** Whether its rows may delete. */
  readonly canDelete: boolean;
  /** Where an earlier process came to, and the header that it read. */
  readonly from: CsvPlace | undefined;
  readonly header: readonly string[] | undefined;
}

export class RowChecker {
  private readonly scan: CsvScan;
  private readonly file: SubmissionFile;
  private readonly shape: RowShape;
  private readonly preparation: RowPreparation;
  /** Undefined before the header. */
  private header: FileHeader | undefined;
  private reader: RowReader<SubmissionFile> | undefined;

  constructor(
    private readonly input: FileToCheck,
    private readonly letterCases: LetterCases,
  ) {
    const { name, encoding, from, header } = input;
    const file = submissionFiles.find((each) => each.name === name);
    if (file === undefined) throw new Error(`${name} is not a file of a submission`);
    this.file = file;
    this.shape = new RowShape(file);
    this.preparation = preparationOf(file);
    this.scan = new CsvScan(encoding, from);
    if (header !== undefined) this.takeHeader(header);
  }

  /** The rows that end in a piece of UTF-8, with which `bytes` of the file are read; `memory` is an earlier batch's. */
  take(piece: Buffer, bytes: number, memory?: ArrayBuffer): CheckedBatch {
    return this.check(this.scan.take(piece, bytes), memory);
  }

  /** The rows behind the last piece. */
  finish(bytes: number, memory?: ArrayBuffer): CheckedBatch {
    return this.check(this.scan.finish(bytes), memory);
  }

  private check({ rows, end }: CsvBatch, memory: ArrayBuffer | undefined): CheckedBatch {
    const writer = new CheckedBatchWriter(memory);
    const header = this.header === undefined ? rows[0] : undefined;
    if (header !== undefined) this.takeHeader(header.cells ?? []);
    for (const row of rows) {
      if (row !== header && this.header?.isReadable === true) this.checkRow(row, writer);
    }
    const read = rows.length - (header === undefined ? 0 : 1);
    const names = header === undefined ? undefined : (header.cells ?? []);
    return writer.finish({ header: names, read, end, learned: this.letterCases.takeLearned() });
  }

  private takeHeader(names: readonly string[]): void {
    this.header = new FileHeader(this.file, names, this.input.canDelete);
    this.reader = new RowReader(this.file, this.header);
  }

  private checkRow({ line, cells, source: text }: CsvRow, writer: CheckedBatchWriter): void {
    const { header, reader } = this;
    if (header === undefined || reader === undefined) throw new Error('a row came before the header');
    if (cells === undefined || !fitsHeader(cells, header.names.length)) {
      const rule = cells === undefined ? 'broken-csv' : 'cell-count';
      writer.reject(line, [{ rule, column: null, value: text }]);
      return;
    }
    const isDeletion = reader.isDeletion(cells);
    if (isDeletion === undefined) {
      writer.reject(line, [{ rule: 'unreadable-delete', column: DELETE_COLUMN, value: text }]);
      return;
    }
    const source = reader.sourceRow(cells, text);
    if (isDeletion) {
      writer.addDeletion({ line, values: stageRow(this.shape, reader.readUnchecked(cells)), source });
      return;
    }
    const checked = reader.read(cells);
    if (checked.kind === 'rejected') {
      writer.reject(line, checked.reasons);
      return;
    }
    const { row } = checked;
    const ofCells = joinFindings(checked.warnings, this.letterCases.check(this.file, row));
    const prepared = this.preparation.prepare(row, (name) => reader.rawCell(cells, name));
    const warnings = joinFindings(ofCells, prepared.warnings);
    writer.add({ line, values: stageRow(this.shape, prepared.row), source }, { ...prepared, warnings });
  }
}
