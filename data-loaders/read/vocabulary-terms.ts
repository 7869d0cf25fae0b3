// Remembers the spellings of terms in columns with controlled vocabularies, to warn about letter case (ADR 0051).

import { ownText } from '../../shared/values/bytes/own-bytes';
import { foldText } from '../../shared/values/fold-text';

/** A column with more terms is not a vocabulary, so further terms are not remembered. */
const MAX_TERMS = 20_000;

/**
 * The terms in all columns with the same name, in all files, because files share columns such as uses. Letter case is
 * ignored (ADR 0051).
 */
export interface ColumnTerms {
  /** The first spelling of each folded term. */
  readonly firstByFoldedTerm: Map<string, string>;
  /** The first spelling of each term, keyed by any of its spellings. */
  readonly firstBySpelling: Map<string, string>;
}

/** Returns the first spelling of a term if the given spelling is new and different. */
export function rememberTerm(terms: ColumnTerms, cell: string): string {
  const term = ownText(cell);
  const folded = foldText(term);
  const first = terms.firstByFoldedTerm.get(folded) ?? term;
  // Folding also ignores white space and accents, but the rule is only about letter case.
  const firstInCase = first.toLowerCase() === term.toLowerCase() ? first : term;
  if (terms.firstBySpelling.size < MAX_TERMS) {
    terms.firstByFoldedTerm.set(folded, first);
    terms.firstBySpelling.set(term, firstInCase);
  }
  return firstInCase;
}
