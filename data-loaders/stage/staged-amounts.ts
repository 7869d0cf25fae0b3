// The staged rows of amounts files: the lookups that they refer to, and which of the rows with the same key becomes the
// record.

import type { RuleName } from '../format/rules';
import type { LookupTable } from './staged-lookups';

/** Staged numbers of the lookups to which a row refers. */
export interface AmountReferences {
  readonly organization: number;
  readonly variable: number;
  readonly method: number;
  /** Undefined without one of its own. */
  readonly waterSource?: number | undefined;
  /** In the order of the row. */
  readonly places: readonly number[];
}

/** The lookups that staged amounts refer to: only those become lookups of the release (D24). */
export interface ReferencedLookups {
  readonly uses: Set<string>;
  /** By staged number 1 for those that are referred to. */
  readonly marks: Readonly<Record<LookupTable, Uint8Array>>;
}

/** A row without its key and its texts. */
export interface AmountFacts {
  /** Whether it is of a release that a merge is laid over. */
  readonly isPrevious: boolean;
  readonly line: number;
  /** Their rules. */
  readonly warnings: readonly RuleName[];
  /** Left out for a row that deletes. */
  readonly references?: AmountReferences;
}

/** A row to be staged, as its RowShape writes it, empty for one that deletes the record of its key; and its source. */
export interface NewAmount extends AmountFacts {
  readonly key: string;
  readonly row: string;
  readonly source: string;
}

/** A staged row as it comes back. Its texts stay bytes in UTF-8. */
export interface StagedAmount extends AmountFacts {
  readonly key: string;
  readonly row: Buffer;
  readonly source: Buffer;
}

export type KeyOutcome =
  | { readonly kind: 'record'; readonly amount: StagedAmount; readonly references: AmountReferences }
  /** A second row of the submission with the key of `first`. */
  | { readonly kind: 'duplicate'; readonly amount: StagedAmount; readonly first: StagedAmount }
  /** A deletion of a former row. */
  | { readonly kind: 'deleted'; readonly amount: StagedAmount }
  /** A deletion whose key no former row has. */
  | { readonly kind: 'nothing-to-delete'; readonly amount: StagedAmount };

/**
 * Only one of the rows of a key can be a record: the submission's own before a former one, the first before the next
 * (submissions.md, 4 and 5). `amounts` come as `Staging.amounts` gives them.
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
