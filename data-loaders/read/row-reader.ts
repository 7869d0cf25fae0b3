// Converts the cells of a file to typed rows, based on its header.

import { formatCsvLine } from '../../shared/values/csv-line';
import {
  addUnreadCell,
  type CellCounts,
  type CellCountsByColumn,
  countValues,
  getCellCounts,
} from '../format/cell-losses';
import { type Cell, type DateOrder, readCell } from '../format/cells';
import { type CellValue, column, type ColumnType, type RowOf, type SubmissionFile } from '../format/column';
import { appendHint, type RowFinding } from '../format/findings';
import { formatCount } from '../format/report-numbers';
import { RowShape } from '../format/row-shape';
import { type RuleName, rules } from '../format/rules';
import {
  DELETE_COLUMN,
  foldName,
  type HeaderFindings,
  matchHeader,
  positionColumns,
  type PositionedColumn,
} from './match-header';

const deleteColumn = column('boolean');

/** Column types for which every text is a valid value. Geometries are read later, with their place. */
const TEXT_TYPES: ReadonlySet<ColumnType> = new Set(['text', 'geometry', 'stateName']);

interface ReadColumn extends PositionedColumn {
  /** The last cell, raw and parsed. It is reused, because nine of ten cells equal the cell above. */
  lastRaw: string | undefined;
  lastCell: Cell | undefined;
  readonly orders: DateOrders;
  /** Undefined for a column in which every text is a valid value. */
  readonly cells: CellCounts | undefined;
}

/** The number of dates in a column for each possible order of day and month, counted cell by cell. */
export type DateOrders = Record<DateOrder, number>;

/** The counts of a reader. A resumed load continues with the counts of the earlier process. */
export interface ReaderCounts {
  /** Date orders, keyed by column index. */
  readonly orders: DateOrders[];
  readonly cells: CellCountsByColumn;
}

export class RowReader<File extends SubmissionFile> {
  readonly header: HeaderFindings;
  private readonly shape: RowShape<File>;
  private readonly columns: readonly ReadColumn[];
  /** The position of the Delete column; -1 if rows cannot delete. */
  private readonly deletePosition: number;

  /** `names` are the header cells. `canDelete` is true for a merge, whose rows may have a column Delete. */
  constructor(
    file: File,
    readonly names: readonly string[],
    canDelete: boolean,
    private readonly counts: ReaderCounts = { orders: [], cells: new Map() },
  ) {
    this.shape = new RowShape(file);
    this.deletePosition = canDelete ? names.findIndex((name) => foldName(name) === DELETE_COLUMN.toLowerCase()) : -1;
    this.columns = positionColumns(file, names).map((column, index) => {
      const orders = counts.orders[index] ?? { 'day first': 0, 'month first': 0, either: 0 };
      counts.orders[index] = orders;
      const isCounted = column.position !== -1 && !TEXT_TYPES.has(column.declared.type);
      const cells = isCounted ? getCellCounts(counts.cells, column.name) : undefined;
      return { ...column, lastRaw: undefined, lastCell: undefined, orders, cells };
    });
    this.header = matchHeader(names, this.columns, this.deletePosition);
  }

  /**
   * Whether the header has the required columns. A file of deletions needs only the key columns; any other rows in it
   * are rejected one by one.
   */
  get isReadable(): boolean {
    return this.header.missing.length === 0 || this.deletePosition !== -1;
  }

  /** The minimum number of cells in a row: up to the last required column. */
  get requiredCells(): number {
    const positions = this.columns.map(({ declared, position }) => (declared.isRequired ? position : -1));
    return Math.max(...positions) + 1;
  }

  /** The raw cell of the first required column; empty in a file without one. */
  getFirstRequiredCell(cells: readonly string[]): string {
    const column = this.columns.find(({ declared, position }) => declared.isRequired && position !== -1);
    return cells[column?.position ?? -1] ?? '';
  }

  /** A required cell that cannot be read rejects the row. Any other unreadable cell becomes null, with a warning. */
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

  /** Parses the row on a line, and counts which of its cells could be read. */
  readAndCount(cells: readonly string[], line: number): ReturnType<typeof this.read> {
    const result = this.read(cells);
    // The row has a member for each declared column.
    const row = result.row as Readonly<Record<string, CellValue>>;
    for (const column of this.columns) {
      if (column.cells !== undefined) column.cells.read += countValues(row[column.name] ?? null);
    }
    for (const { column, value, rule } of result.findings) {
      if (column === null || row[column] !== null || !isUnread(rule)) continue;
      addUnreadCell(this.counts.cells, column, line, value);
    }
    return result;
  }

  /** The value of the Delete cell; undefined if it cannot be read. */
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

  /** Columns in which some dates can only be day-first, while others were read as month-first. */
  findDayFirstColumns(): readonly RowFinding[] {
    return this.columns.flatMap(({ name, orders }): readonly RowFinding[] => {
      const { 'day first': dayFirst, 'month first': monthFirst, either } = orders;
      if (dayFirst === 0 || monthFirst > 0 || either === 0) return [];
      const value = `${formatCount(dayFirst, 'date')} with a day above 12, ${either} that could have the day or the month first`;
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

/**
 * Whether a null cell with this finding contains a text that was meant as a value, rather than one that means
 * "missing".
 */
function isUnread(rule: RuleName): boolean {
  return rule !== 'required-empty' && rules[rule].severity !== 'noted';
}
