// The staged rows of amounts files: the lookups that they refer to, and which row becomes the record if several have
// the same key.

import type { RuleName } from '../format/rules';
import type { LookupTable } from './staged-lookups';

/** Staged numbers of the lookups to which a row refers. */
export interface AmountReferences {
  readonly organization: number;
  readonly variable: number;
  readonly method: number;
  /** Undefined if the row does not specify a water source. */
  readonly waterSource?: number | undefined;
  /** In the order of the row. */
  readonly places: readonly number[];
}

/** The lookups to which staged amounts refer. Only these become lookups of the release (D24). */
export interface ReferencedLookups {
  readonly uses: Set<string>;
  /** Keyed by staged number: 1 if a row refers to the lookup. */
  readonly marks: Readonly<Record<LookupTable, Uint8Array>>;
}

/** A row without its key and text fields. */
export interface AmountFacts {
  /** Whether the row comes from a release that the submission is merged into. */
  readonly isPrevious: boolean;
  readonly line: number;
  /** The rules of its warnings. */
  readonly warnings: readonly RuleName[];
  /** Missing for a row that deletes. */
  readonly references?: AmountReferences;
}

/**
 * A row to be staged: its source, and its values as written by its RowShape. A row that deletes the record with its key
 * has no values.
 */
export interface NewAmount extends AmountFacts {
  readonly key: string;
  readonly row: string;
  readonly source: string;
}

/** A staged row that is read back. Its text fields are UTF-8 bytes. */
export interface StagedAmount extends AmountFacts {
  readonly key: string;
  readonly row: Buffer;
  readonly source: Buffer;
}

export type KeyOutcome =
  | { readonly kind: 'record'; readonly amount: StagedAmount; readonly references: AmountReferences }
  /** A second row of the submission with the same key as `first`. */
  | { readonly kind: 'duplicate'; readonly amount: StagedAmount; readonly first: StagedAmount }
  /** A row that deletes a previous row. */
  | { readonly kind: 'deleted'; readonly amount: StagedAmount }
  /** A row that deletes, but no previous row has its key. */
  | { readonly kind: 'nothing-to-delete'; readonly amount: StagedAmount };

/**
 * Resolves rows with the same key: the submission's own row wins over a previous row, and the first row over later ones
 * (submissions.md, 4 and 5). `amounts` are in the order of `Staging.readAmounts`.
 */
export function* resolveKeys(amounts: Iterable<StagedAmount>): Iterable<KeyOutcome> {
  let first: StagedAmount | undefined;
  let hasPrevious = false;
  for (const amount of amounts) {
    if (amount.key === first?.key) {
      if (amount.isPrevious) hasPrevious = true;
      else yield { kind: 'duplicate', amount, first };
      continue;
    }
    if (first !== undefined && isDeletion(first)) yield toDeletionOutcome(first, hasPrevious);
    first = amount;
    hasPrevious = false;
    if (amount.references !== undefined) yield { kind: 'record', amount, references: amount.references };
  }
  if (first !== undefined && isDeletion(first)) yield toDeletionOutcome(first, hasPrevious);
}

function toDeletionOutcome(amount: StagedAmount, hasPrevious: boolean): KeyOutcome {
  return { kind: hasPrevious ? 'deleted' : 'nothing-to-delete', amount };
}

function isDeletion({ references }: StagedAmount): boolean {
  return references === undefined;
}
