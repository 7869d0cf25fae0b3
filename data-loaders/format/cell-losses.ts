// Counts the cells with a value in each column, and the cells whose value is lost because it cannot be read or refers
// to something that is not in the submission (D74).

import { getOrAdd } from '../../shared/values/maps';
import type { CellValue } from './column';
import { type Finding, MAX_EXAMPLES_SHOWN } from './report';
import type { RuleName } from './rules';
import { shortenText } from './shorten-text';

interface LostCell {
  readonly line: number;
  readonly value: string;
}

/** The counts of one column. Each item of a list counts as a cell. */
export interface CellCounts {
  /** Cells with a value. */
  read: number;
  /** Cells with text that could not be read. */
  unread: number;
  /** Cells counted in `read` that refer to something that is not in the submission. */
  unknown: number;
  /** The first lost cells. */
  readonly examples: LostCell[];
}

/** Keyed by column. Contains only plain data, because a load saves it in order to resume. */
export type CellCountsByColumn = Map<string, CellCounts>;

/** The lost cells of a column, and how many cells have a value. */
export interface ColumnLoss {
  readonly file: string;
  readonly column: string;
  readonly lost: number;
  readonly filled: number;
  /** Cells counted in `lost` that are readable but refer to something that is not in the submission. */
  readonly unknown: number;
  readonly examples: readonly LostCell[];
}

/** The warnings about dropped references. All other unknown references reject their row, which is counted elsewhere. */
const DROPPED_REFERENCES: ReadonlySet<RuleName> = new Set(['unknown-site-in-list', 'unknown-water-source']);

export function getCellCounts(counts: CellCountsByColumn, column: string): CellCounts {
  return getOrAdd(counts, column, () => ({ read: 0, unread: 0, unknown: 0, examples: [] }));
}

/** The number of cells with a value. */
export function countValues(value: CellValue): number {
  if (value === null) return 0;
  return Array.isArray(value) ? value.length : 1;
}

export function addUnreadCell(counts: CellCountsByColumn, column: string, line: number, value: string): void {
  const cells = getCellCounts(counts, column);
  cells.unread++;
  addExample(cells, line, value);
}

/** Counts the references that were dropped from a row. */
export function addDroppedReferences(
  counts: CellCountsByColumn,
  line: number,
  findings: readonly Pick<Finding, 'rule' | 'column' | 'value'>[],
): void {
  for (const { rule, column, value } of findings) {
    if (column === null || !DROPPED_REFERENCES.has(rule)) continue;
    const cells = getCellCounts(counts, column);
    cells.unknown++;
    addExample(cells, line, value);
  }
}

/** The columns with lost cells. */
export function listColumnLosses(file: string, counts: CellCountsByColumn): readonly ColumnLoss[] {
  return [...counts].flatMap(([column, { read, unread, unknown, examples }]) => {
    const lost = unread + unknown;
    return lost === 0 ? [] : [{ file, column, lost, filled: read + unread, unknown, examples }];
  });
}

function addExample({ examples }: CellCounts, line: number, value: string): void {
  if (examples.length >= MAX_EXAMPLES_SHOWN) return;
  examples.push({ line, value: shortenText(value) });
}
