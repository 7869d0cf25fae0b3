// From the lines of a file to typed rows. The header is matched to the declared columns: their own names win over older
// ones, and letter case does not count (submissions.md, 2). Then each row is read cell by cell, as the header says.

import { findNearestNames } from '../../shared/values/nearest-names';
import {
  type Cell,
  type CellValue,
  column,
  type DateOrder,
  type FileColumn,
  readCell,
  type RowOf,
  RowShape,
  type SubmissionFile,
} from '../format/column';
import { appendHint, type RowFinding } from '../format/findings';
import { formatCsvLine } from '../format/submission-files';

/** What a file's header has beside the declared columns, or instead of them. */
interface HeaderFindings {
  /** Columns of the file that are not read, reported once. */
  readonly unknown: readonly string[];
  /** Declared columns that may be missing and are. */
  readonly absent: readonly string[];
  /** R columns that are missing: the file is rejected. The value is the unknown column that may be meant, or empty. */
  readonly missing: readonly RowFinding[];
  /** Unknown columns that have nearly the name of an absent one. */
  readonly near: readonly RowFinding[];
}

/** A true value in this column of a merge removes the record of the row's key (submissions.md, 5). */
export const DELETE_COLUMN = 'Delete';

const deleteColumn = column('boolean');

/** A declared column and where it stands in the file; -1 for nowhere. */
interface PositionedColumn {
  readonly name: string;
  readonly declared: FileColumn;
  readonly position: number;
}

interface ReadColumn extends PositionedColumn {
  /** The last cell, as it stood in the file and as it was read: nine cells of ten are as in the row before. */
  lastRaw: string | undefined;
  lastCell: Cell | undefined;
  readonly orders: DateOrders;
}

/** How many dates of a column have which order of day and month, counted cell by cell. */
export type DateOrders = Record<DateOrder, number>;

export class RowReader<File extends SubmissionFile> {
  readonly header: HeaderFindings;
  private readonly shape: RowShape<File>;
  private readonly columns: readonly ReadColumn[];
  /** Where the column Delete stands; -1 where rows cannot delete. */
  private readonly deletePosition: number;

  /**
   * `names` are the cells of the header; `canDelete` is true for a merge, whose rows may have a column Delete. Goes on
   * with the `orders` of the columns that were counted before.
   */
  constructor(
    file: File,
    readonly names: readonly string[],
    canDelete: boolean,
    orders: DateOrders[] = [],
  ) {
    this.shape = new RowShape(file);
    this.deletePosition = canDelete ? names.findIndex((name) => foldName(name) === DELETE_COLUMN.toLowerCase()) : -1;
    this.columns = positionColumns(file, names).map((column, index) => ({
      ...column,
      lastRaw: undefined,
      lastCell: undefined,
      orders: (orders[index] ??= { 'day first': 0, 'month first': 0, either: 0 }),
    }));
    this.header = matchHeader(names, this.columns, this.deletePosition);
  }

  /** A file of deletions needs no more than keys; its other rows, if there are any, are rejected one by one. */
  get isReadable(): boolean {
    return this.header.missing.length === 0 || this.deletePosition !== -1;
  }

  /** R cells that cannot be read are reasons to reject the row; other such cells are null, with a warning. */
  read(cells: readonly string[]): { readonly row: RowOf<File>; readonly findings: readonly RowFinding[] } {
    const values: CellValue[] = [];
    const findings: RowFinding[] = [];
    for (const column of this.columns) {
      const raw = cells[column.position] ?? '';
      const { value, problem, hint } = this.readCell(column, raw);
      values.push(value);
      let rule = problem;
      if (column.declared.isRequired && value === null) {
        rule = raw.trim() === '' ? 'required-empty' : 'required-unreadable';
      }
      if (rule !== undefined) findings.push({ rule, column: column.name, value: appendHint(raw, hint) });
    }
    return { row: this.shape.toRow(values), findings };
  }

  /** The value of the cell Delete; undefined when it cannot be read. */
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

  /** The cell of a declared column as it stands in the file, for a finding. */
  getRawCell(cells: readonly string[], name: string): string {
    return cells[this.columns.find((column) => column.name === name)?.position ?? -1] ?? '';
  }

  /** Columns whose dates have the day first, as some can only have, although others were read with the month first. */
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

function positionColumns(file: SubmissionFile, header: readonly string[]): readonly PositionedColumn[] {
  const foldedNames = header.map(foldName);
  return Object.entries(file.columns).map(([name, declared]) => {
    const positions = [name, ...declared.synonyms].map((candidate) => foldedNames.indexOf(candidate.toLowerCase()));
    return { name, declared, position: positions.find((candidate) => candidate !== -1) ?? -1 };
  });
}

function matchHeader(
  names: readonly string[],
  columns: readonly PositionedColumn[],
  deletePosition: number,
): HeaderFindings {
  const used = new Set([...columns.map(({ position }) => position), deletePosition]);
  const isIndex = (name: string, position: number): boolean => position === 0 && ['', 'index'].includes(foldName(name));
  const isKnown = (name: string, position: number): boolean => used.has(position) || isIndex(name, position);
  const unknown = names.filter((name, position) => !isKnown(name, position)).map((name) => name.trim());
  const spellings = new Set(columns.flatMap(({ name, declared }) => [name, ...declared.synonyms].map(foldName)));
  const missingColumns = columns.filter(({ position }) => position === -1);
  const missing = missingColumns.filter(({ declared }) => declared.isRequired);
  const near = findNearColumns(unknown, missingColumns);
  return {
    unknown: unknown.map((name) => (spellings.has(foldName(name)) ? `${name} (a second time)` : name || '(unnamed)')),
    absent: missingColumns.filter(({ declared }) => !declared.isRequired).map(({ name }) => name),
    missing: missing.map(({ name }) => ({ rule: 'missing-column', column: name, value: near.get(name) ?? '' })),
    near: [...near].flatMap(([column, value]): readonly RowFinding[] =>
      missing.some(({ name }) => name === column) ? [] : [{ rule: 'near-column', column, value }],
    ),
  };
}

/** By the columns that the file lacks: the unknown column whose name is nearly theirs. */
function findNearColumns(
  unknown: readonly string[],
  missingColumns: readonly PositionedColumn[],
): ReadonlyMap<string, string> {
  const near = new Map<string, string>();
  const names = missingColumns.map(({ name }) => name);
  for (const name of unknown) {
    const [nearest] = findNearestNames(name, names, 1);
    if (nearest !== undefined && !near.has(nearest)) near.set(nearest, name);
  }
  return near;
}

function foldName(name: string): string {
  return name.trim().toLowerCase();
}
