// From cells to typed rows: the header is matched to the declared columns once, then each row is read cell by cell.

import type { Cell, CellReader } from '../../format/cells';
import {
  column,
  RowShape,
  type CellValue,
  type FileColumn,
  type RowOf,
  type SubmissionFile,
} from '../../format/column';
import { NO_FINDINGS, type CheckedRow, type RowFinding } from '../../format/findings';
import { csvLine } from '../../format/submission-files';

export interface HeaderFindings {
  /** Columns of the file that no declaration names, reported once. */
  readonly unknown: readonly string[];
  /** Declared columns that may be missing and are. */
  readonly absent: readonly string[];
  /** R columns that are missing: the file is rejected. */
  readonly missing: readonly string[];
}

/** A true value in this column of a merge removes the record of the row's key (submissions.md, 5). */
export const DELETE_COLUMN = 'Delete';

const deleteColumn = column('boolean');

/** A declared column and where it stands in the file; -1 for nowhere. */
interface PlacedColumn {
  readonly name: string;
  readonly declared: FileColumn;
  readonly position: number;
  /** The last cell, as it stood in the file and as it was read: nine cells of ten are as in the row before. */
  lastRaw: string | undefined;
  lastCell: Cell | undefined;
}

export class RowReader<File extends SubmissionFile> {
  readonly findings: HeaderFindings;
  private readonly shape: RowShape;
  private readonly columns: readonly PlacedColumn[];
  /** Where the column Delete stands; -1 where rows cannot delete. */
  private readonly deletePosition: number;

  /** `canDelete` is true for a merge, whose rows may have a column Delete. */
  constructor(
    readonly file: File,
    readonly header: readonly string[],
    canDelete: boolean,
    private readonly cells: CellReader,
  ) {
    this.deletePosition = canDelete ? header.findIndex((name) => folded(name) === DELETE_COLUMN.toLowerCase()) : -1;
    this.shape = new RowShape(file);
    this.columns = placeColumns(file, header);
    this.findings = this.compareHeader();
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
      if (placed.declared.isRequired) {
        if (value !== null) continue;
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

  /** Whether the file has a column Delete, so that its rows may be deletions, which need no more than a key. */
  get hasDeletions(): boolean {
    return this.deletePosition !== -1;
  }

  /** The value of the cell Delete; undefined when it cannot be read. */
  isDeletion(cells: readonly string[]): boolean | undefined {
    if (this.deletePosition === -1) return false;
    const cell = this.cells.read(cells[this.deletePosition] ?? '', deleteColumn);
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
    const declared = this.columns.map(({ position }) => cells[position] ?? '');
    // A line without a quote has no cell that needs quotes.
    return source.includes('"') || source.includes('\r') ? csvLine(declared) : declared.join();
  }

  /** The cell of a declared column as it stands in the file, for a finding. */
  rawCell(cells: readonly string[], name: string): string {
    return cells[this.columns.find((placed) => placed.name === name)?.position ?? -1] ?? '';
  }

  private readCell(placed: PlacedColumn, raw: string): Cell {
    if (placed.lastCell !== undefined && raw === placed.lastRaw) return placed.lastCell;
    const cell = this.cells.read(raw, placed.declared);
    placed.lastRaw = raw;
    placed.lastCell = cell;
    return cell;
  }

  private compareHeader(): HeaderFindings {
    const used = new Set(this.columns.map(({ position }) => position));
    const isIndex = (name: string, position: number): boolean => position === 0 && ['', 'index'].includes(folded(name));
    const isKnown = (name: string, position: number): boolean =>
      used.has(position) || isIndex(name, position) || position === this.deletePosition;
    const unknown = this.header.filter((name, position) => !isKnown(name, position));
    const lacking = this.columns.filter(({ position }) => position === -1);
    return {
      unknown: unknown.map((name) => (name.trim() === '' ? '(unnamed)' : name.trim())),
      absent: lacking.filter(({ declared }) => !declared.isRequired).map(({ name }) => name),
      missing: lacking.filter(({ declared }) => declared.isRequired).map(({ name }) => name),
    };
  }
}

/** A declared column's own name wins over its older names. */
function placeColumns(file: SubmissionFile, header: readonly string[]): readonly PlacedColumn[] {
  const found = header.map(folded);
  return Object.entries(file.columns).map(([name, declared]) => {
    const positions = [name, ...declared.synonyms].map((candidate) => found.indexOf(candidate.toLowerCase()));
    const position = positions.find((candidate) => candidate !== -1) ?? -1;
    return { name, declared, position, lastRaw: undefined, lastCell: undefined };
  });
}

function folded(name: string): string {
  return name.trim().toLowerCase();
}
