// What is staged of an accepted row: its values alone as JSON, since the columns are those of its file, always in one order.

import type { CellValue } from '../format/cells';
import type { RowShape } from '../format/row-shape';
import type { CommonAmountRow } from '../format/amount-definitions';

export function stagedRow(shape: RowShape, row: CommonAmountRow): string {
  return JSON.stringify(shape.valuesOf(row));
}

/** Reads what `stagedRow` wrote. */
export function unstageRow(shape: RowShape, staged: string): CommonAmountRow {
  return rowOf(shape, JSON.parse(staged) as readonly CellValue[]); // Written by stagedRow.
}

/** Many rows as one text, which threads hand over at a fraction of what many cost. */
export function joinStaged(rows: readonly string[]): string {
  return `[${rows.join()}]`;
}

export function unstageJoined(shape: RowShape, joined: string): readonly CommonAmountRow[] {
  const rows = JSON.parse(joined) as readonly (readonly CellValue[])[]; // Written by joinStaged.
  return rows.map((values) => rowOf(shape, values));
}

function rowOf(shape: RowShape, values: readonly CellValue[]): CommonAmountRow {
  return shape.ofValues(values) as CommonAmountRow; // The values were taken from such a row.
}
