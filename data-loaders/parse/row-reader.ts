// From the cells of a file to typed rows: the header is matched to the declared columns once, then each row is read cell by
// cell and its shape checked by ajv. ajv sees typed values only; it never reads texts (it would take 0x10 for 16).

import { Ajv, type ValidateFunction } from 'ajv';
import type { RuleName } from '../report/rules';
import { readCell } from './cells';
import { rowSchema, type Column, type RowOf, type SubmissionFile } from './column';
import { rowShapeOf, type RowShape } from './row-shape';

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

  constructor(
    readonly file: File,
    private readonly header: readonly string[],
  ) {
    this.shape = rowShapeOf(file);
    this.names = this.shape.names;
    this.columns = Object.values(file.columns);
    this.positions = matchHeader(file, header);
    this.validate = validatorOf(file);
    this.findings = this.compareHeader();
  }

  read(cells: readonly string[]): ReadRow<File> {
    const row = this.shape.create();
    let problems: CellProblem[] | undefined;
    for (let index = 0; index < this.names.length; index++) {
      const column = this.columns[index];
      const name = this.names[index];
      if (column === undefined || name === undefined) continue;
      const raw = cells[this.positions[index] ?? -1] ?? '';
      const cell = readCell(raw, column);
      row[name] = cell.value;
      if (cell.problem !== undefined && !column.isRequired) {
        (problems ??= []).push({ rule: cell.problem, column: name, value: raw });
      }
    }
    if (!this.validate(row)) return { row: undefined, problems: this.explain(cells) };
    return { row: row as RowOf<File>, problems: problems ?? NO_PROBLEMS }; // The schema is made of the same columns.
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
    const unknown = this.header.filter((name, position) => !used.has(position) && !isIndex(name, position));
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
