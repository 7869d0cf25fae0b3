// Of the staged rows of one key only one can be a record: the submission's own before a former one, the first before the next
// (submissions.md, 4 and 5). A row that deletes takes the former one with it.

import type { StagedAmount } from './staging';

export type KeyOutcome =
  | { readonly kind: 'record'; readonly amount: StagedAmount }
  /** A second row of the submission with the key of `first`. */
  | { readonly kind: 'duplicate'; readonly amount: StagedAmount; readonly first: StagedAmount }
  /** A deletion whose key no former row has. */
  | { readonly kind: 'nothing-to-delete'; readonly amount: StagedAmount };

/** `amounts` come by key, then generation, then line, as `Staging.amounts` gives them. */
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
