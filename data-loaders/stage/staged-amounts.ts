// The text in which an amounts row is staged, which lookups the staged rows refer to, and which of the rows of one key
// becomes the record.

import type { CommonAmountRow } from '../format/amount-definitions';
import type { CellValue, RowShape } from '../format/column';
import type { SortedRow } from './sorted-runs';
import type { LookupTable } from './staged-lookups';

/** The rows of the submission itself come before those of the release that it is laid over (merge). */
export type Generation = 0 | 1;

/** Staged numbers of the lookups to which a row refers. */
export interface AmountReferences {
  readonly organization: number;
  readonly variable: number;
  readonly method: number;
  /** Undefined without one of its own. */
  readonly waterSource: number | undefined;
  /** In the order of the row. */
  readonly places: readonly number[];
}

/** The lookups that staged amounts refer to: only those become lookups of the release (D24). */
export interface ReferencedLookups {
  readonly uses: Set<string>;
  /** By staged number 1 for those that are referred to. */
  readonly marks: Map<LookupTable, Uint8Array>;
}

export function noReferences(): ReferencedLookups {
  return { uses: new Set(), marks: new Map() };
}

export function markReferenced({ marks }: ReferencedLookups, table: LookupTable, stagedNumber: number): void {
  let marked = marks.get(table) ?? new Uint8Array(1024);
  if (stagedNumber >= marked.length) {
    const grown = new Uint8Array(stagedNumber * 2);
    grown.set(marked);
    marked = grown;
  }
  marked[stagedNumber] = 1;
  marks.set(table, marked);
}

export function isReferenced({ marks }: ReferencedLookups, table: LookupTable, stagedNumber: number): boolean {
  return marks.get(table)?.[stagedNumber] === 1;
}

interface AmountFacts {
  readonly key: string;
  readonly generation: Generation;
  readonly line: number;
  /** The names of their rules, with spaces between them. */
  readonly warnings: string;
}

/** A row to be staged: the JSON of its values, empty for one that deletes the record of its key, and its source. */
export interface NewAmount extends AmountFacts {
  readonly row: string | Uint8Array;
  readonly source: string | Uint8Array;
  /** Undefined for a row that deletes. */
  readonly references: AmountReferences | undefined;
}

/** A staged row as it comes back. Its texts stay bytes in UTF-8. */
export interface StagedAmount extends AmountFacts {
  readonly row: Buffer;
  readonly source: Buffer;
  /** For `readReferences`; empty for a row that deletes. */
  readonly references: Buffer;
}

/** The values of the row alone as JSON: the columns are those of its file, always in one order. */
export function stageRow(shape: RowShape, row: Readonly<Record<string, unknown>>): string {
  return JSON.stringify(shape.valuesOf(row));
}

/** Reads what `stageRow` wrote. */
export function unstageRow(shape: RowShape, staged: Buffer): CommonAmountRow {
  const values = JSON.parse(staged.toString()) as readonly CellValue[]; // Written by stageRow.
  return shape.rowOf(values) as CommonAmountRow; // The values were taken from such a row.
}

/** The parts of a sorted row that `readAmount` reads. */
export const AMOUNT_PARTS = 4;

export function amountParts(amount: NewAmount): readonly (string | Uint8Array)[] {
  const { generation, line, warnings, row, source, references } = amount;
  return [`${generation},${line},${warnings}`, row, source, references === undefined ? '' : written(references)];
}

/** Stands for no water source: staged numbers begin with 1. */
const NONE = 0;

function written({ organization, variable, method, waterSource = NONE, places }: AmountReferences): string {
  return [organization, variable, method, waterSource, ...places].join();
}

export function readReferences({ references }: StagedAmount): AmountReferences {
  const numbers = references.toString('latin1').split(',').map(Number);
  const [organization = NaN, variable = NaN, method = NaN, waterSource = NONE, ...places] = numbers;
  return { organization, variable, method, waterSource: waterSource === NONE ? undefined : waterSource, places };
}

export function readAmount(sorted: SortedRow): StagedAmount {
  const [generation, line, warnings = ''] = sorted.part(0).toString('latin1').split(',');
  return {
    ...{ key: sorted.key, generation: generation === '0' ? 0 : 1, line: Number(line), warnings },
    ...{ row: sorted.part(1), source: sorted.part(2), references: sorted.part(3) },
  };
}

export type KeyOutcome =
  | { readonly kind: 'record'; readonly amount: StagedAmount }
  /** A second row of the submission with the key of `first`. */
  | { readonly kind: 'duplicate'; readonly amount: StagedAmount; readonly first: StagedAmount }
  /** A deletion of a former row. */
  | { readonly kind: 'deleted'; readonly amount: StagedAmount }
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
    if (first !== undefined && isDeletion(first)) yield deletionOutcome(first, hasFormer);
    first = amount;
    hasFormer = false;
    if (!isDeletion(amount)) yield { kind: 'record', amount };
  }
  if (first !== undefined && isDeletion(first)) yield deletionOutcome(first, hasFormer);
}

function deletionOutcome(amount: StagedAmount, hasFormer: boolean): KeyOutcome {
  return { kind: hasFormer ? 'deleted' : 'nothing-to-delete', amount };
}

function isDeletion({ row }: StagedAmount): boolean {
  return row.length === 0;
}
