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

/** Marks the lookups that staged amounts refer to: only those become lookups of the release (D24). */
export class ReferencedLookups {
  readonly uses = new Set<string>();
  private readonly marks = new Map<LookupTable, Uint8Array>();

  save(): { readonly uses: ReadonlySet<string>; readonly marks: ReadonlyMap<LookupTable, Uint8Array> } {
    return { uses: this.uses, marks: this.marks };
  }

  restore(saved: unknown): void {
    const { uses, marks } = saved as ReturnType<ReferencedLookups['save']>; // Written by `save`.
    for (const use of uses) this.uses.add(use);
    for (const [table, marked] of marks) this.marks.set(table, marked);
  }

  mark(table: LookupTable, stagedNumber: number): void {
    let marks = this.marks.get(table);
    if (marks === undefined || stagedNumber >= marks.length) {
      const grown = new Uint8Array(Math.max(1024, stagedNumber * 2));
      if (marks !== undefined) grown.set(marks);
      marks = grown;
      this.marks.set(table, marks);
    }
    marks[stagedNumber] = 1;
  }

  has(table: LookupTable, stagedNumber: number): boolean {
    return this.marks.get(table)?.[stagedNumber] === 1;
  }
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

const NUMBER_BYTES = 4;

/** Stands for no water source: staged numbers begin with 1. */
const NONE = 0;

/** The numbers before those of the places. */
const SINGLE_NUMBERS = 4;

function written({ organization, variable, method, waterSource, places }: AmountReferences): Buffer {
  const bytes = Buffer.allocUnsafe((SINGLE_NUMBERS + places.length) * NUMBER_BYTES);
  let at = 0;
  for (const number of [organization, variable, method, waterSource ?? NONE]) at = bytes.writeUInt32LE(number, at);
  for (const place of places) at = bytes.writeUInt32LE(place, at);
  return bytes;
}

export function readReferences({ references: bytes }: StagedAmount): AmountReferences {
  const numberAt = (index: number): number => bytes.readUInt32LE(index * NUMBER_BYTES);
  const places: number[] = [];
  for (let index = SINGLE_NUMBERS; index * NUMBER_BYTES < bytes.length; index++) places.push(numberAt(index));
  const waterSource = numberAt(3);
  return {
    ...{ organization: numberAt(0), variable: numberAt(1), method: numberAt(2), places },
    waterSource: waterSource === NONE ? undefined : waterSource,
  };
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
    references: sorted.part(3),
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
