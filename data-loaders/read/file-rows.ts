// Reads a file of a submission row by row. Each row is checked as far as possible without other rows. Bad rows are
// rejected, and the others are passed to a visitor.

import { getOrAdd } from '../../shared/values/maps';
import type { RowOf, SubmissionFile } from '../format/column';
import {
  type FileFindings,
  isRejection,
  type RowFinding,
  type SubmissionFindings,
  type Tally,
} from '../format/findings';
import { formatNumber } from '../format/report-numbers';
import type { RuleName } from '../format/rules';
import type { SubmittedFile, SubmittedFiles } from '../format/submitted-files';
import type { LoadProgress } from '../stage/progress';
import type { Staging } from '../stage/staging';
import type { CsvBatch, CsvPosition, CsvRow } from './csv';
import { countNamedCells } from './csv-cells';
import { DELETE_COLUMN } from './match-header';
import { readCsvFile } from './read-csv-file';
import { type DateOrders, RowReader } from './row-reader';
import { type ColumnTerms, rememberTerm } from './vocabulary-terms';

/**
 * Files whose rows are read: the submission's files, or the source rows of a release that the submission is merged
 * into.
 */
export interface RowSource {
  readonly files: SubmittedFiles;
  readonly name: string;
  /** If `previous` is set, the source rows of a release that the submission is merged into are read. */
  readonly role: 'replace' | 'merge' | 'previous';
  readonly findings: SubmissionFindings;
  readonly progress: LoadProgress;
  readonly staging: Staging;
}

/** A row whose cells fit the header and could be read. */
export interface SubmittedRow<File extends SubmissionFile> {
  readonly line: number;
  /** Whether the row deletes a record in a merge. Only its key columns are used; its other cells are not checked. */
  readonly isDeletion: boolean;
  readonly row: RowOf<File>;
  /** The findings about its cells. None of them rejects the row. */
  readonly findings: readonly RowFinding[];
  /** The declared cells as a line of CSV, as stored in the release. */
  readonly source: string;
  /** Whether the row comes from a release that the submission is merged into. */
  readonly isPrevious: boolean;
  /** The raw cell of a column. */
  readonly raw: (column: string) => string;
}

/** Visits a row and adds its outcome to the findings about its file. */
export type Visit<File extends SubmissionFile> = (row: SubmittedRow<File>, fileFindings: FileFindings) => void;

/** Visits each row of a file. Returns the findings about the file, or undefined if the source has no such file. */
export async function visitRows<File extends SubmissionFile>(
  file: File,
  source: RowSource,
  visit: Visit<File>,
): Promise<FileFindings | undefined> {
  const submitted = source.files.file(file.name);
  if (submitted === undefined) return undefined;
  const name = `${source.name}/${file.name}`;
  const state = source.staging.getState<ReadingState>(name, {
    header: undefined,
    rows: 0,
    position: undefined,
    isRead: false,
    tally: {
      read: 0,
      rejected: 0,
      warned: 0,
      counts: new Map(),
      shown: new Map(),
      fileFindings: new Map(),
      cells: new Map(),
    },
    dateOrders: [],
    windows1252: { count: 0, first: [] },
    shortRow: undefined,
  });
  const findings = source.findings.startFile(file.name, state.tally);
  if (state.isRead) return findings;
  source.progress.startFile(file.name, submitted.size);
  await new FileReader({ file, source, findings, visit, state }).read(submitted);
  state.isRead = true;
  source.staging.commit();
  return findings;
}

interface ReadingState {
  /** Undefined until the header is read. */
  header: readonly string[] | undefined;
  rows: number;
  /** The position at which reading resumes; undefined until the header is read. */
  position: CsvPosition | undefined;
  isRead: boolean;
  readonly tally: Tally;
  readonly dateOrders: DateOrders[];
  /** The lines that are not valid UTF-8 and were read as Windows-1252: their number and the first line numbers. */
  readonly windows1252: { count: number; readonly first: number[] };
  /** A row that lacks trailing cells. It is held back until the next row is known. */
  shortRow: CsvRow | undefined;
}

const MAX_LINES_NAMED = 10;

interface ReadingParts<File extends SubmissionFile> {
  readonly file: File;
  readonly source: RowSource;
  readonly findings: FileFindings;
  readonly visit: Visit<File>;
  readonly state: ReadingState;
}

class FileReader<File extends SubmissionFile> {
  /** The columns of controlled vocabularies. */
  private readonly vocabulary: readonly string[];
  private reader: RowReader<File> | undefined;

  constructor(private readonly parts: ReadingParts<File>) {
    const { file, state } = parts;
    const columns = Object.entries(file.columns);
    this.vocabulary = columns.flatMap(([name, { isVocabulary }]) => (isVocabulary ? [name] : []));
    if (state.header !== undefined) this.reader = this.createRowReader(state.header);
  }

  async read(submitted: SubmittedFile): Promise<void> {
    const { file, findings, source, state } = this.parts;
    for await (const batch of readCsvFile(submitted, state.position)) {
      source.progress.advance(batch.bytesRead);
      this.readBatch(batch);
    }
    const { reader } = this;
    const last = state.shortRow;
    state.shortRow = undefined;
    if (last !== undefined && reader !== undefined) this.readWholeRow(last, reader);
    if (reader === undefined) source.findings.note(`${file.name} is empty.`);
    else if (!reader.isReadable) findings.rejectAll(state.rows, reader.header.missing);
    this.noteEncoding();
    findings.addCountedFindings();
    for (const finding of reader?.findDayFirstColumns() ?? []) findings.addFileFinding(finding);
  }

  private noteEncoding(): void {
    const { file, source, state } = this.parts;
    const { count, first } = state.windows1252;
    if (count === 0 || source.role === 'previous') return;
    const more = count > first.length ? ' and others' : '';
    const lines =
      count === 1
        ? `1 line is not valid UTF-8 and was read as Windows-1252 (line ${first.join(', ')})`
        : `${formatNumber(count)} lines are not valid UTF-8 and were read as Windows-1252 (lines ${first.join(', ')}${more})`;
    source.findings.note(`${file.name}: ${lines}. Check the accented letters there, and save the file as UTF-8.`);
  }

  private readBatch({ rows, end, windows1252Lines }: CsvBatch): void {
    const { source, state } = this.parts;
    state.windows1252.count += windows1252Lines.length;
    state.windows1252.first.push(...windows1252Lines.slice(0, MAX_LINES_NAMED - state.windows1252.first.length));
    // Reading can only resume after the header.
    if (rows.length === 0) return;
    const isFirst = this.reader === undefined;
    const reader = this.reader ?? this.readHeader(rows[0]);
    const dataRows = isFirst ? rows.slice(1) : rows;
    state.rows += dataRows.length;
    source.progress.countRows(dataRows.length);
    if (reader.isReadable) {
      for (const row of dataRows) this.readRow(row, reader);
    }
    const bytes = end.offset - (state.position?.offset ?? 0);
    state.position = end;
    source.staging.checkpoint(bytes);
  }

  private readHeader(header: CsvRow | undefined): RowReader<File> {
    const names = header?.cells ?? [];
    this.parts.state.header = names;
    this.reader = this.createRowReader(names);
    this.reportHeader(this.reader);
    return this.reader;
  }

  /**
   * A row with too few cells is held back until the next row is read, because a line break without quotes splits a row
   * into two short rows.
   */
  private readRow(row: CsvRow, reader: RowReader<File>): void {
    const { state } = this.parts;
    const previous = state.shortRow;
    state.shortRow = undefined;
    if (previous !== undefined && areHalves(previous, row, reader)) {
      this.rejectRow(previous, 'cell-count');
      this.rejectRow(row, 'cell-count');
      return;
    }
    if (previous !== undefined) this.readWholeRow(previous, reader);
    if (isShort(row, reader)) state.shortRow = row;
    else this.readWholeRow(row, reader);
  }

  private rejectRow({ line, source }: CsvRow, rule: RuleName, column: string | null = null): void {
    this.parts.findings.addRow(line, [{ rule, column, value: source }]);
  }

  private readWholeRow(csvRow: CsvRow, reader: RowReader<File>): void {
    const { findings: fileFindings, source, visit, file } = this.parts;
    const { line, cells } = csvRow;
    const reject = (rule: RuleName, column: string | null): void => {
      this.rejectRow(csvRow, rule, column);
    };
    if (cells === undefined) {
      reject('broken-csv', null);
      return;
    }
    const isTooShort = isShort(csvRow, reader) && (csvRow.isUnended === true || cells.length < reader.requiredCells);
    if (isTooShort || hasExtraCells(cells, reader.names.length)) {
      reject('cell-count', null);
      return;
    }
    if (hasExtraCells(cells, countNamedCells(reader.names))) {
      source.findings.note(`${file.name}: columns that are not read: (unnamed).`);
    }
    const isDeletion = reader.isDeletion(cells);
    if (isDeletion === undefined) {
      reject('unreadable-delete', DELETE_COLUMN);
      return;
    }
    const { row, findings: cellFindings } = isDeletion ? reader.read(cells) : reader.readAndCount(cells, line);
    const findings = isShort(csvRow, reader) ? [...cellFindings, describeShortRow(line)] : cellFindings;
    if (!isDeletion && findings.some(isRejection)) {
      fileFindings.addRow(line, findings);
      return;
    }
    const raw = (column: string): string => reader.getRawCell(cells, column);
    const warnings = isDeletion ? [] : [...findings, ...this.findLetterCaseWarnings(row)];
    const isPrevious = source.role === 'previous';
    visit(
      { line, isDeletion, row, findings: warnings, source: reader.formatSource(cells), isPrevious, raw },
      fileFindings,
    );
  }

  private createRowReader(names: readonly string[]): RowReader<File> {
    const { file, source, state } = this.parts;
    return new RowReader(file, names, source.role === 'merge', { orders: state.dateOrders, cells: state.tally.cells });
  }

  private reportHeader({ header: { unknown, absent, near } }: RowReader<File>): void {
    const { file, source, findings } = this.parts;
    if (unknown.length > 0) {
      source.findings.note(`${file.name}: columns that are not read: ${unknown.join(', ')}.`);
    }
    for (const finding of near) findings.addFileFinding(finding);
    if (absent.length > 0) findings.addFileFinding({ rule: 'absent-column', column: null, value: absent.join(', ') });
  }

  /** Warns about each cell whose term first occurred in another letter case. Previous rows cause no warnings. */
  private findLetterCaseWarnings(row: Readonly<Record<string, unknown>>): readonly RowFinding[] {
    const { staging, role } = this.parts.source;
    if (role === 'previous') return [];
    const cases = staging.getState<Map<string, ColumnTerms>>('letter cases', new Map());
    const warnings: RowFinding[] = [];
    for (const column of this.vocabulary) {
      const value = row[column];
      if (typeof value !== 'string' && !Array.isArray(value)) continue;
      const terms = getOrAdd<string, ColumnTerms>(cases, column, () => ({
        firstByFoldedTerm: new Map(),
        firstBySpelling: new Map(),
      }));
      for (const term of typeof value === 'string' ? [value] : (value as readonly string[])) {
        // The list contains strings.
        const first = terms.firstBySpelling.get(term) ?? rememberTerm(terms, term);
        if (first !== term) warnings.push({ rule: 'letter-case', column, value: `${term} (first: ${first})` });
      }
    }
    return warnings;
  }
}

type AnyRowReader = Pick<RowReader<SubmissionFile>, 'names' | 'getFirstRequiredCell'>;

/** Whether a row lacks trailing cells, as in rows that Excel writes if the last cells are empty (D73). */
function isShort({ cells }: CsvRow, { names }: Pick<AnyRowReader, 'names'>): boolean {
  return cells !== undefined && cells.length < countNamedCells(names);
}

function hasExtraCells(cells: readonly string[], expected: number): boolean {
  return cells.slice(expected).some((cell) => cell.trim() !== '');
}

function describeShortRow(line: number): RowFinding {
  return { rule: 'short-row', column: null, value: `first on line ${line}` };
}

/**
 * Whether two short rows are one row that was split by a line break without quotes: together they have as many cells as
 * the header, and the second row does not start with anything that looks like an identifier.
 */
function areHalves(first: CsvRow, second: CsvRow, reader: AnyRowReader): boolean {
  if (first.cells === undefined || second.cells === undefined || !isShort(second, reader)) return false;
  if (second.line !== first.line + 1) return false;
  if (first.cells.length + second.cells.length - 1 !== countNamedCells(reader.names)) return false;
  return (
    describeShape(reader.getFirstRequiredCell(first.cells)) !== describeShape(reader.getFirstRequiredCell(second.cells))
  );
}

/** The sequence of character types in an identifier, which is the same for `EX_S10` and `EX_S9`. */
function describeShape(identifier: string): string {
  return identifier
    .trim()
    .replace(/\p{L}+/gu, 'a')
    .replace(/\p{N}+/gu, '9');
}
