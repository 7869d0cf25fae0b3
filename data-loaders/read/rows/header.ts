// The header of a submitted file, matched to the declared columns: their own names win over older ones, and letter case
// does not count (submissions.md, 2).

import { column, type FileColumn, type SubmissionFile } from '../../format/column';

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

export const deleteColumn = column('boolean');

/** A declared column and where it stands in the file; -1 for nowhere. */
interface PlacedColumn {
  readonly name: string;
  readonly declared: FileColumn;
  readonly position: number;
}

export class FileHeader {
  readonly columns: readonly PlacedColumn[];
  readonly findings: HeaderFindings;
  /** Where the column Delete stands; -1 where rows cannot delete. */
  readonly deletePosition: number;

  /** `canDelete` is true for a merge, whose rows may have a column Delete. */
  constructor(
    file: SubmissionFile,
    readonly names: readonly string[],
    canDelete: boolean,
  ) {
    this.deletePosition = canDelete ? names.findIndex((name) => folded(name) === DELETE_COLUMN.toLowerCase()) : -1;
    this.columns = placeColumns(file, names);
    this.findings = this.compare();
  }

  /** A file of deletions needs no more than keys; its other rows, if there are any, are rejected one by one. */
  get isReadable(): boolean {
    return this.findings.missing.length === 0 || this.deletePosition !== -1;
  }

  private compare(): HeaderFindings {
    const used = new Set(this.columns.map(({ position }) => position));
    const isIndex = (name: string, position: number): boolean => position === 0 && ['', 'index'].includes(folded(name));
    const isKnown = (name: string, position: number): boolean =>
      used.has(position) || isIndex(name, position) || position === this.deletePosition;
    const unknown = this.names.filter((name, position) => !isKnown(name, position));
    const lacking = this.columns.filter(({ position }) => position === -1);
    return {
      unknown: unknown.map((name) => (name.trim() === '' ? '(unnamed)' : name.trim())),
      absent: lacking.filter(({ declared }) => !declared.isRequired).map(({ name }) => name),
      missing: lacking.filter(({ declared }) => declared.isRequired).map(({ name }) => name),
    };
  }
}

function placeColumns(file: SubmissionFile, header: readonly string[]): readonly PlacedColumn[] {
  const found = header.map(folded);
  return Object.entries(file.columns).map(([name, declared]) => {
    const positions = [name, ...declared.synonyms].map((candidate) => found.indexOf(candidate.toLowerCase()));
    return { name, declared, position: positions.find((candidate) => candidate !== -1) ?? -1 };
  });
}

function folded(name: string): string {
  return name.trim().toLowerCase();
}
