// From cells to typed rows: each row is read cell by cell, as the header says.

import {
  RowShape,
  readCell,
  type Cell,
  type CellValue,
  type FileColumn,
  type RowOf,
  type SubmissionFile,
} from '../../format/column';
import { NO_FINDINGS, type CheckedRow, type RowFinding } from '../../format/findings';
import { csvLine, isCsvLine } from '../../format/submission-files';
import { deleteColumn, type FileHeader } from './header';

interface ReadColumn {
  readonly name: string;
  readonly declared: FileColumn;
  readonly position: number;
  /** The last cell, as it stood in the file and as it was read: nine cells of ten are as in the row before. */
  lastRaw: string | undefined;
  lastCell: Cell | undefined;
}

export class RowReader<File extends SubmissionFile> {
  private readonly shape: RowShape;
  private readonly columns: readonly ReadColumn[];
  /** Whether the file has the declared columns and no others, in their order. */
  private readonly isAsDeclared: boolean;

  constructor(
    file: File,
    private readonly header: FileHeader,
  ) {
    this.shape = new RowShape(file);
    this.columns = header.columns.map((placed) => ({ ...placed, lastRaw: undefined, lastCell: undefined }));
    const { names } = header;
    this.isAsDeclared =
      names.length === this.columns.length && this.columns.every(({ position }, index) => position === index);
  }

  /** Rejects a row whose R cells cannot all be read; other cells that cannot are null, with a warning. */
  read(cells: readonly string[]): CheckedRow<RowOf<File>> {
    const values: CellValue[] = [];
    let warnings: RowFinding[] | undefined;
    let reasons: RowFinding[] | undefined;
    for (const placed of this.columns) {
      const raw = cells[placed.position] ?? '';
      const { value, problem } = this.readCell(placed, raw);
      values.push(value);
      if (placed.declared.isRequired && value === null) {
        const rule = raw.trim() === '' ? 'required-empty' : 'required-unreadable';
        (reasons ??= []).push({ rule, column: placed.name, value: raw });
      } else if (problem !== undefined) {
        (warnings ??= []).push({ rule: problem, column: placed.name, value: raw });
      }
    }
    if (reasons !== undefined) return { kind: 'rejected', reasons };
    // The shape has the columns of the same file, and no R cell is null.
    return { kind: 'accepted', row: this.shape.rowOf(values) as RowOf<File>, warnings: warnings ?? NO_FINDINGS };
  }

  /** The value of the cell Delete; undefined when it cannot be read. */
  isDeletion(cells: readonly string[]): boolean | undefined {
    const { deletePosition } = this.header;
    if (deletePosition === -1) return false;
    const cell = readCell(cells[deletePosition] ?? '', deleteColumn);
    return cell.problem === undefined ? cell.value === true : undefined;
  }

  /** Reads a row that deletes, of which only the key is needed: no cell is checked. */
  readUnchecked(cells: readonly string[]): RowOf<File> {
    const values = this.columns.map((placed) => this.readCell(placed, cells[placed.position] ?? '').value);
    // R cells may be null; the visitor of a deletion reads key columns alone.
    return this.shape.rowOf(values) as RowOf<File>;
  }

  /** The cells of the declared columns as a line of CSV; `source` is the whole row as it stands in the file. */
  sourceRow(cells: readonly string[], source: string): string {
    const isWhole = !hasOuterReturn(cells);
    // A line without a quote has no cell that needs quotes.
    const isBare = isWhole && !source.includes('"') && !source.includes('\r');
    const stands = this.isAsDeclared && cells.length === this.columns.length && isWhole;
    if (stands && (isBare || isCsvLine(source))) return source;
    const declared = this.columns.map(({ position }) => cells[position] ?? '');
    return isBare ? declared.join() : csvLine(declared);
  }

  /** The cell of a declared column as it stands in the file, for a finding. */
  rawCell(cells: readonly string[], name: string): string {
    return cells[this.columns.find((placed) => placed.name === name)?.position ?? -1] ?? '';
  }

  private readCell(placed: ReadColumn, raw: string): Cell {
    if (placed.lastCell !== undefined && raw === placed.lastRaw) return placed.lastCell;
    const cell = readCell(raw, placed.declared);
    placed.lastRaw = raw;
    placed.lastCell = cell;
    return cell;
  }
}

/** The text of a row may lack such a carriage return, which counts as a part of a line end there. */
function hasOuterReturn(cells: readonly string[]): boolean {
  return cells[0]?.startsWith('\r') === true || cells.at(-1)?.endsWith('\r') === true;
}
