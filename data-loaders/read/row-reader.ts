// Turns the cells of a file into typed rows, cell by cell, as the header says.

import { type Cell, type DateOrder, readCell } from '../format/cells';
import { type CellValue, column, type RowOf, type SubmissionFile } from '../format/column';
import { formatCsvLine } from '../format/csv-line';
import { appendHint, type RowFinding } from '../format/findings';
import { RowShape } from '../format/row-shape';
import {
  DELETE_COLUMN,
  foldName,
  type HeaderFindings,
  matchHeader,
  positionColumns,
  type PositionedColumn,
} from './match-header';

const deleteColumn = column('boolean');

interface ReadColumn extends PositionedColumn {
  /** The last cell, raw and as read: nine of ten cells equal the cell above. */
  lastRaw: string | undefined;
  lastCell: Cell | undefined;
  readonly orders: DateOrders;
}

/** The number of dates of a column with each order of day and month, counted cell by cell. */
export type DateOrders = Record<DateOrder, number>;

export class RowReader<File extends SubmissionFile> {
  readonly header: HeaderFindings;
  private readonly shape: RowShape<File>;
  private readonly columns: readonly ReadColumn[];
  /** The position of the column Delete; -1 if rows cannot delete. */
  private readonly deletePosition: number;

  /**
   * `names` are the header cells. `canDelete` is true for a merge, whose rows may have a column Delete. `orders`
   * continues the counts of an earlier process.
   */
  constructor(
    file: File,
    readonly names: readonly string[],
    canDelete: boolean,
    orders: DateOrders[] = [],
  ) {
    this.shape = new RowShape(file);
    this.deletePosition = canDelete ? names.findIndex((name) => foldName(name) === DELETE_COLUMN.toLowerCase()) : -1;
    this.columns = positionColumns(file, names).map((column, index) => {
      const columnOrders = orders[index] ?? { 'day first': 0, 'month first': 0, either: 0 };
      orders[index] = columnOrders;
      return { ...column, lastRaw: undefined, lastCell: undefined, orders: columnOrders };
    });
    this.header = matchHeader(names, this.columns, this.deletePosition);
  }

  /** A file of deletions needs only keys. Its other rows, if any, are rejected one by one. */
  get isReadable(): boolean {
    return this.header.missing.length === 0 || this.deletePosition !== -1;
  }

  /** How many cells a row needs at least: those up to the last column that every row needs. */
  get requiredCells(): number {
    const positions = this.columns.map(({ declared, position }) => (declared.isRequired ? position : -1));
    return Math.max(...positions) + 1;
  }

  /** The raw cell of the first column that every row needs; empty in a file without one. */
  getFirstRequiredCell(cells: readonly string[]): string {
    const column = this.columns.find(({ declared, position }) => declared.isRequired && position !== -1);
    return cells[column?.position ?? -1] ?? '';
  }

  /** An R cell that cannot be read rejects the row. Any other such cell is null, with a warning. */
  read(cells: readonly string[]): { readonly row: RowOf<File>; readonly findings: readonly RowFinding[] } {
    const values: CellValue[] = [];
    const findings: RowFinding[] = [];
    for (const column of this.columns) {
      const raw = cells[column.position] ?? '';
      const { value, problem, hint } = this.readCell(column, raw);
      values.push(value);
      let rule = problem;
      if (column.declared.isRequired && value === null) {
        rule = raw.trim() === '' || problem === 'missing-text' ? 'required-empty' : 'required-unreadable';
      }
      if (rule !== undefined) findings.push({ rule, column: column.name, value: appendHint(raw, hint) });
    }
    return { row: this.shape.toRow(values), findings };
  }

  /** The value of the cell Delete; undefined if it cannot be read. */
  isDeletion(cells: readonly string[]): boolean | undefined {
    const { deletePosition } = this;
    if (deletePosition === -1) return false;
    const cell = readCell(cells[deletePosition] ?? '', deleteColumn);
    return cell.problem === undefined ? cell.value === true : undefined;
  }

  /** The cells of the declared columns as a line of CSV. */
  formatSource(cells: readonly string[]): string {
    return formatCsvLine(this.columns.map(({ position }) => cells[position] ?? ''));
  }

  /** The raw cell of a declared column, for a finding. */
  getRawCell(cells: readonly string[], name: string): string {
    return cells[this.columns.find((column) => column.name === name)?.position ?? -1] ?? '';
  }

  /** Columns with some dates that can only have the day first, and others that were read with the month first. */
  findDayFirstColumns(): readonly RowFinding[] {
    return this.columns.flatMap(({ name, orders }): readonly RowFinding[] => {
      const { 'day first': dayFirst, 'month first': monthFirst, either } = orders;
      if (dayFirst === 0 || monthFirst > 0 || either === 0) return [];
      const value = `${dayFirst} with a day above 12, ${either} that could be either`;
      return [{ rule: 'day-first-column', column: name, value }];
    });
  }

  private readCell(column: ReadColumn, raw: string): Cell {
    let cell = column.lastCell;
    if (cell === undefined || raw !== column.lastRaw) {
      cell = readCell(raw, column.declared);
      column.lastRaw = raw;
      column.lastCell = cell;
    }
    const { dateOrder } = cell;
    if (dateOrder !== undefined) column.orders[dateOrder]++;
    return cell;
  }
}
