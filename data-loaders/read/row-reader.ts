// From the cells of a file to typed rows: the header is matched to the declared columns once, then each row is read cell by
// cell and its shape checked by ajv. ajv sees typed values only; it never reads texts (it would take 0x10 for 16).

import { Ajv, type ValidateFunction } from 'ajv';
import type { RuleName } from '../format/rules';
import { readCell, type Cell, type CellValue } from '../format/cells';
import { column, rowSchema, type Column, type RowOf, type SubmissionFile } from '../format/column';
import { rowShapeOf, type RowShape } from '../format/row-shape';
import { csvLine } from '../format/csv-line';

export interface CellProblem {
  readonly rule: RuleName;
  readonly column: string;
  /** As it stands in the file. */
  readonly value: string;
}

export interface ReadRow<File extends SubmissionFile> {
  /** Undefined when the row is rejected. */
  readonly row: RowOf<File> | undefined;
  readonly problems: readonly CellProblem[];
}

export interface HeaderFindings {
  /** Columns of the file that no declaration names, reported once. */
  readonly unknown: readonly string[];
  /** Declared columns that may be missing and are. */
  readonly absent: readonly string[];
  /** R columns that are missing: the file is rejected. */
  readonly missing: readonly string[];
}

/** submissions.md, 5: in a merge, a true value removes the record of the row's key. */
export const DELETE_COLUMN = 'Delete';

const NO_PROBLEMS: readonly CellProblem[] = [];

const ajv = new Ajv({ allErrors: true, allowUnionTypes: true });
const validators = new Map<string, ValidateFunction>();

export class RowReader<File extends SubmissionFile> {
  readonly findings: HeaderFindings;
  private readonly shape: RowShape;
  private readonly names: readonly string[];
  private readonly columns: readonly Column[];
  /** Where each declared column stands in the file, -1 for nowhere. */
  private readonly positions: readonly number[];
  private readonly validate: ValidateFunction;
  /** The last cell of each column, as it stood in the file and as it was read: most cells are as in the row before. */
  private readonly lastRaw: (string | undefined)[] = [];
  private readonly lastCell: Cell[] = [];
  /** Of the row that is being read. */
  private readonly values: CellValue[] = [];

  /** Where the column Delete stands; -1 where rows cannot delete. */
  private readonly deletePosition: number;

  /** `canDelete` is true for a merge, whose rows may have a column Delete. */
  constructor(
    readonly file: File,
    private readonly header: readonly string[],
    canDelete: boolean,
  ) {
    this.deletePosition = canDelete ? header.findIndex((name) => folded(name) === DELETE_COLUMN.toLowerCase()) : -1;
    this.shape = rowShapeOf(file);
    this.names = this.shape.names;
    this.columns = Object.values(file.columns);
    this.positions = matchHeader(file, header);
    this.validate = validatorOf(file);
    this.findings = this.compareHeader();
  }

  read(cells: readonly string[]): ReadRow<File> {
    const values = this.values;
    let problems: CellProblem[] | undefined;
    for (let index = 0; index < this.names.length; index++) {
      const declared = this.columns[index];
      const name = this.names[index];
      if (declared === undefined || name === undefined) continue;
      const raw = cells[this.positions[index] ?? -1] ?? '';
      const cell = this.readOnce(index, raw, declared);
      values[index] = cell.value;
      if (cell.problem !== undefined && !declared.isRequired) {
        (problems ??= []).push({ rule: cell.problem, column: name, value: raw });
      }
    }
    const row = this.shape.ofValues(values);
    if (!this.validate(row)) return { row: undefined, problems: this.explain(cells) };
    return { row: row as RowOf<File>, problems: problems ?? NO_PROBLEMS }; // The schema is made of the same columns.
  }

  private readOnce(index: number, raw: string, declared: Column): Cell {
    const last = this.lastCell[index];
    if (last !== undefined && raw === this.lastRaw[index]) return last;
    const cell = readCell(raw, declared);
    this.lastRaw[index] = raw;
    this.lastCell[index] = cell;
    return cell;
  }

  /** Whether the file has a column Delete, so that its rows may be deletions, which need no more than a key. */
  get hasDeletions(): boolean {
    return this.deletePosition !== -1;
  }

  /** What the cell Delete says; undefined when it cannot be read. */
  isDeletion(cells: readonly string[]): boolean | undefined {
    if (this.deletePosition === -1) return false;
    const cell = readCell(cells[this.deletePosition] ?? '', column('boolean'));
    return cell.problem === undefined ? cell.value === true : undefined;
  }

  /** A row of which only the key is needed: no cell is checked. */
  readUnchecked(cells: readonly string[]): RowOf<File> {
    const read = Object.entries(this.file.columns).map(
      ([name, declared]) => readCell(this.rawCell(cells, name), declared).value,
    );
    return this.shape.ofValues(read) as RowOf<File>; // Its R cells may be null; the visitor of a deletion looks at key columns alone.
  }

  /** The row as it is kept: the declared columns' cells as submitted. `source` is the row as it stands in the file. */
  keptSource(cells: readonly string[], source: string): string {
    const kept = this.positions.map((position) => cells[position] ?? '');
    // A line without a quote has no cell that needs quotes.
    return source.includes('"') || source.includes('\r') ? csvLine(kept) : kept.join();
  }

  /** The raw cell of a declared column, for a finding. */
  rawCell(cells: readonly string[], name: string): string {
    return cells[this.positions[this.names.indexOf(name)] ?? -1] ?? '';
  }

  /** Which R cells are why the row was refused. */
  private explain(cells: readonly string[]): readonly CellProblem[] {
    const problems: CellProblem[] = [];
    for (const error of this.validate.errors ?? []) {
      const column = error.instancePath.slice(1);
      if (problems.some((problem) => problem.column === column)) continue;
      const value = this.rawCell(cells, column);
      problems.push({ rule: value.trim() === '' ? 'required-empty' : 'required-unreadable', column, value });
    }
    return problems;
  }

  private compareHeader(): HeaderFindings {
    const used = new Set(this.positions);
    const isIndex = (name: string, position: number): boolean => position === 0 && ['', 'index'].includes(folded(name));
    const isKnown = (name: string, position: number): boolean =>
      used.has(position) || isIndex(name, position) || position === this.deletePosition;
    const unknown = this.header.filter((name, position) => !isKnown(name, position));
    const lacking = this.names.filter((_, index) => this.positions[index] === -1);
    const isRequired = (name: string): boolean => this.columns[this.names.indexOf(name)]?.isRequired ?? false;
    return {
      unknown: unknown.map((name) => (name.trim() === '' ? '(unnamed)' : name.trim())),
      absent: lacking.filter((name) => !isRequired(name)),
      missing: lacking.filter(isRequired),
    };
  }
}

/** A declared column's own name wins over its older names. */
function matchHeader(file: SubmissionFile, header: readonly string[]): readonly number[] {
  const found = header.map(folded);
  return Object.entries(file.columns).map(([name, { synonyms }]) => {
    const positions = [name, ...synonyms].map((candidate) => found.indexOf(candidate.toLowerCase()));
    return positions.find((position) => position !== -1) ?? -1;
  });
}

function folded(name: string): string {
  return name.trim().toLowerCase();
}

/** Compiled once a file kind, not once a file. */
function validatorOf(file: SubmissionFile): ValidateFunction {
  const known = validators.get(file.name);
  if (known !== undefined) return known;
  const compiled = ajv.compile(rowSchema(file));
  validators.set(file.name, compiled);
  return compiled;
}
