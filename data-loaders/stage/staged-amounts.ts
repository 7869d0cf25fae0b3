// The text in which an amounts row is staged, and which of the staged rows of one key becomes the record.

import type { CommonAmountRow } from '../format/amount-definitions';
import type { CellValue, RowShape } from '../format/column';

/** The rows of the submission itself come before those of the release that it is laid over (merge). */
export type Generation = 0 | 1;

export interface StagedAmount {
  readonly key: string;
  readonly generation: Generation;
  readonly line: number;
  /** JSON of the row's values; empty for a row that deletes the record of its key. */
  readonly row: string;
  readonly source: string;
  /** The names of their rules, with spaces between them. */
  readonly warnings: string;
}

/** The values of the row alone as JSON: the columns are those of its file, always in one order. */
export function stageRow(shape: RowShape, row: CommonAmountRow): string {
  return JSON.stringify(shape.valuesOf(row));
}

/** Reads what `stageRow` wrote. */
export function unstageRow(shape: RowShape, staged: string): CommonAmountRow {
  return rowOf(shape, JSON.parse(staged) as readonly CellValue[]); // Written by stageRow.
}

/** A staged row but for its key. */
export function amountText({ generation, line, warnings, row, source }: StagedAmount): string {
  return `${generation},${line},${warnings},${row.length},${row}${source}`;
}

/** Reads what `amountText` wrote. */
export function readAmount(key: string, text: string): StagedAmount {
  const lineStart = text.indexOf(',') + 1;
  const warningsStart = text.indexOf(',', lineStart) + 1;
  const lengthStart = text.indexOf(',', warningsStart) + 1;
  const rowStart = text.indexOf(',', lengthStart) + 1;
  const rowEnd = rowStart + Number(text.slice(lengthStart, rowStart - 1));
  return {
    key,
    generation: text.startsWith('0') ? 0 : 1,
    line: Number(text.slice(lineStart, warningsStart - 1)),
    warnings: text.slice(warningsStart, lengthStart - 1),
    row: text.slice(rowStart, rowEnd),
    source: text.slice(rowEnd),
  };
}

/** Many staged rows as one text, which goes to another thread at a fraction of the cost of many texts. */
export function joinStaged(rows: readonly string[]): string {
  return `[${rows.join()}]`;
}

/** Reads what `joinStaged` wrote. */
export function unstageJoined(shape: RowShape, joined: string): readonly CommonAmountRow[] {
  const rows = JSON.parse(joined) as readonly (readonly CellValue[])[]; // Written by joinStaged.
  return rows.map((values) => rowOf(shape, values));
}

function rowOf(shape: RowShape, values: readonly CellValue[]): CommonAmountRow {
  return shape.rowOf(values) as CommonAmountRow; // The values were taken from such a row.
}

export type KeyOutcome =
  | { readonly kind: 'record'; readonly amount: StagedAmount }
  /** A second row of the submission with the key of `first`. */
  | { readonly kind: 'duplicate'; readonly amount: StagedAmount; readonly first: StagedAmount }
  /** A deletion whose key no former row has. */
  | { readonly kind: 'nothing-to-delete'; readonly amount: StagedAmount };

/**
 * Only one of the rows of a key can be a record: the submission's own before a former one, the first before the next
 * (submissions.md, 4 and 5). `amounts` come by key, generation and line, as `Staging.amounts` gives them.
 */
export function* resolveKeys(amounts: Iterable<StagedAmount>): Iterable<KeyOutcome> {
  let first: StagedAmount | undefined;
  let hasFormer = false;
  for (const amount of amounts) {
    if (amount.key === first?.key) {
      if (amount.generation === 0) yield { kind: 'duplicate', amount, first };
      else hasFormer = true;
      continue;
    }
    if (first !== undefined && isDeletion(first) && !hasFormer) yield { kind: 'nothing-to-delete', amount: first };
    first = amount;
    hasFormer = false;
    if (!isDeletion(amount)) yield { kind: 'record', amount };
  }
  if (first !== undefined && isDeletion(first) && !hasFormer) yield { kind: 'nothing-to-delete', amount: first };
}

function isDeletion({ row }: StagedAmount): boolean {
  return row === '';
}
