// Matches the header of a file to the declared columns. A column's own name takes precedence over its older names, and
// letter case is ignored (submissions.md, 2).

import { findNearestNames } from '../../shared/values/nearest-names';
import { trimInvisible } from '../format/cells';
import { type FileColumn, type SubmissionFile } from '../format/column';
import { type RowFinding } from '../format/findings';
import { countNamedCells } from './csv-cells';
import { REASON_COLUMNS } from './rejected-rows';

/** The differences between a file's header and the declared columns. */
export interface HeaderFindings {
  /** Columns of the file that are not read. Each is reported once. */
  readonly unknown: readonly string[];
  /** Optional declared columns that are missing. */
  readonly absent: readonly string[];
  /**
   * Missing R columns, which cause the file to be rejected. The value is the unknown column that is probably meant, or
   * empty.
   */
  readonly missing: readonly RowFinding[];
  /** Unknown columns with a name similar to that of a missing column. */
  readonly near: readonly RowFinding[];
}

/** In a merge, a true value in this column deletes the record with the row's key (submissions.md, 5). */
export const DELETE_COLUMN = 'Delete';

/** A declared column and its position in the file; -1 if it is missing. */
export interface PositionedColumn {
  readonly name: string;
  readonly declared: FileColumn;
  readonly position: number;
}

export function positionColumns(file: SubmissionFile, header: readonly string[]): readonly PositionedColumn[] {
  const foldedNames = header.map(foldName);
  return Object.entries(file.columns).map(([name, declared]) => {
    const positions = [name, ...declared.synonyms].map((candidate) => foldedNames.indexOf(candidate.toLowerCase()));
    return { name, declared, position: positions.find((candidate) => candidate !== -1) ?? -1 };
  });
}

export function matchHeader(
  names: readonly string[],
  columns: readonly PositionedColumn[],
  deletePosition: number,
): HeaderFindings {
  const used = new Set([...columns.map(({ position }) => position), deletePosition]);
  const isIndex = (name: string, position: number): boolean => position === 0 && ['', 'index'].includes(foldName(name));
  const isKnown = (name: string, position: number): boolean =>
    used.has(position) || isIndex(name, position) || REASON_COLUMNS.includes(name.trim());
  const namedCells = names.slice(0, countNamedCells(names));
  const unknown = namedCells.filter((name, position) => !isKnown(name, position)).map((name) => name.trim());
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

/** Unknown columns with a similar name, keyed by missing column. */
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

export function foldName(name: string): string {
  return trimInvisible(name).toLowerCase();
}
