// The text in which an amounts row is staged, and which of the staged rows of one key becomes the record.

import type { CommonAmountRow } from '../format/amount-definitions';
import type { CellValue, RowShape } from '../format/column';
import type { SortedRow } from './run-cursor';

/** The rows of the submission itself come before those of the release that it is laid over (merge). */
export type Generation = 0 | 1;

interface AmountFacts {
  readonly key: string;
  readonly generation: Generation;
  readonly line: number;
  /** The names of their rules, with spaces between them. */
  readonly warnings: string;
}

/** A row to be staged: the JSON of its values, empty for one that deletes the record of its key, and its source. */
export interface NewAmount extends AmountFacts {
  readonly row: string;
  readonly source: string;
}

/** A staged row as it comes back. Its texts stay bytes in UTF-8, which go on to another thread as they are. */
export interface StagedAmount extends AmountFacts {
  readonly row: Buffer;
  readonly source: Buffer;
}

/** The values of the row alone as JSON: the columns are those of its file, always in one order. */
export function stageRow(shape: RowShape, row: Readonly<Record<string, unknown>>): string {
  return JSON.stringify(shape.valuesOf(row));
}

/** Reads what `stageRow` wrote. */
export function unstageRow(shape: RowShape, staged: Buffer): CommonAmountRow {
  return rowOf(shape, JSON.parse(staged.toString()) as readonly CellValue[]); // Written by stageRow.
}

/** The parts of a sorted row that `readAmount` reads. */
export const AMOUNT_PARTS = 3;

export function amountParts({ generation, line, warnings, row, source }: NewAmount): readonly string[] {
  return [`${generation},${line},${warnings}`, row, source];
}

export function readAmount(sorted: SortedRow): StagedAmount {
  const facts = sorted.part(0).toString('latin1');
  const lineStart = facts.indexOf(',') + 1;
  const warningsStart = facts.indexOf(',', lineStart) + 1;
  return {
    key: sorted.key,
    generation: facts.startsWith('0') ? 0 : 1,
    line: Number(facts.slice(lineStart, warningsStart - 1)),
    warnings: facts.slice(warningsStart),
    row: sorted.part(1),
    source: sorted.part(2),
  };
}

/** Reads rows as `stageRow` wrote them, as the items of one list. */
export function unstageJoined(shape: RowShape, joined: string): readonly CommonAmountRow[] {
  const rows = JSON.parse(joined) as readonly (readonly CellValue[])[]; // Written by stageRow.
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
  return row.length === 0;
}
