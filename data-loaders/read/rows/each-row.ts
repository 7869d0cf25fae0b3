// Reads a file of a submission row by row: matches its header, rejects what is not a row of it, and hands on the rest.

import { RowShape, type SubmissionFile } from '../../format/column';
import type { FileFindings, SubmissionFindings } from '../../format/findings';
import type { SubmittedFile, SubmittedFiles } from '../../format/submitted-files';
import type { Checkpoints, Resumable } from '../../stage/checkpoints';
import type { LoadProgress } from '../../stage/progress';
import { PendingResults } from '../../threads/pending-results';
import { readEncoding, namingFile, type CsvPlace } from '../csv/csv-file';
import { readPieces } from '../csv/text-pieces';
import type { CheckedBatch } from './checked-batch';
import { FileHeader } from './header';
import type { LetterCases } from './letter-cases';
import type { RowCheckers } from './row-checkers';
import { VisitedRow } from './visited-row';

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
  readonly checkers: RowCheckers;
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
  private readonly shape: RowShape;
  private rows = 0;
  private place: CsvPlace | undefined;
  /** Undefined before it was read. */
  private header: FileHeader | undefined;

  constructor(
    private readonly file: File,
    private readonly source: RowSource,
    private readonly findings: FileFindings,
    private readonly visitor: Visitor<File>,
  ) {
    this.shape = new RowShape(file);
  }

  save() {
    const { header, rows, place, findings } = this;
    return { header: header?.names, rows, place, findings: findings.save() };
  }

  restore(saved: unknown): void {
    const { header, rows, place, findings } = saved as ReturnType<this['save']>; // Written by `save`.
    [this.rows, this.place] = [rows, place];
    if (header !== undefined) this.header = this.headerOf(header);
    this.findings.restore(findings);
  }

  async read(submitted: SubmittedFile): Promise<void> {
    const { file, findings, source } = this;
    try {
      await this.takeBatches(submitted);
    } catch (error) {
      throw namingFile(submitted, error);
    }
    const { header } = this;
    if (header === undefined) source.findings.note(`${file.name} is empty.`);
    else if (!header.isReadable) findings.rejectAll(this.rows, header.findings.missing);
  }

  /** Rows are checked some pieces ahead of those that are taken. */
  private async takeBatches(submitted: SubmittedFile): Promise<void> {
    const { source, place: from } = this;
    const encoding = from?.encoding ?? (await readEncoding(submitted));
    const header = this.header?.names;
    const toCheck = { name: this.file.name, encoding, canDelete: this.canDelete, from, header };
    const checker = source.checkers.start(toCheck, submitted.size, source.letterCases);
    const batches = new PendingResults<CheckedBatch>();
    const takeNext = async (): Promise<void> => {
      const batch = await batches.next();
      this.takeBatch(batch);
      checker.release(batch);
    };
    let read = from?.bytes ?? 0;
    for await (const { piece, bytes } of readPieces(submitted, encoding, read)) {
      source.progress.advance(bytes - read);
      read = bytes;
      batches.add(checker.take(piece, bytes));
      while (batches.count > checker.ahead) await takeNext();
    }
    batches.add(checker.finish(read));
    while (batches.count > 0) await takeNext();
  }

  private takeBatch(batch: CheckedBatch): void {
    const { source, findings } = this;
    // A place before the header is none to go on from.
    if (batch.header === undefined && batch.read === 0) return;
    if (batch.header !== undefined) {
      this.header = this.headerOf(batch.header);
      this.reportHeader(this.header);
    }
    this.rows += batch.read;
    source.progress.countRows(batch.read);
    source.letterCases.learn(batch.learned);
    let taken = 0;
    for (const { before, line, reasons } of batch.rejected) {
      for (; taken < before; taken++) this.visit(batch, taken);
      findings.reject(line, reasons);
    }
    for (; taken < batch.lines.length; taken++) this.visit(batch, taken);
    const bytes = batch.end.bytes - (this.place?.bytes ?? 0);
    this.place = batch.end;
    source.checkpoints.pass(bytes);
  }

  private visit(batch: CheckedBatch, index: number): void {
    const { source, findings, visitor } = this;
    const row = new VisitedRow<File>(this.shape, batch, index, source.role === 'former');
    if (batch.deletions.has(index)) visitor.deletion(row, findings);
    else visitor.row(row, findings);
  }

  private get canDelete(): boolean {
    return this.source.role === 'merge';
  }

  private headerOf(names: readonly string[]): FileHeader {
    return new FileHeader(this.file, names, this.canDelete);
  }

  private reportHeader({ findings: { unknown, absent } }: FileHeader): void {
    const { file, source, findings } = this;
    if (unknown.length > 0) {
      source.findings.note(`${file.name}: columns that are not known and not read: ${unknown.join(', ')}.`);
    }
    if (absent.length > 0) findings.note({ rule: 'absent-column', column: null, value: absent.join(', ') });
  }
}
