// Remembers the spellings of terms in columns of controlled vocabularies, to warn about letter case (ADR 0051).

import { foldText } from '../../shared/values/fold-text';

/** A column with more terms than this is not a vocabulary; no further ones are remembered. */
const MAX_TERMS = 20_000;

/**
 * The terms of the columns of one name in all files, in which uses, for one, are the same. A term in two letter cases
 * is one term (ADR 0051).
 */
export interface ColumnTerms {
  /** The first spelling of each folded term. */
  readonly firstByFoldedTerm: Map<string, string>;
  /** Each spelling seen, with the first spelling of its term. */
  readonly firstBySpelling: Map<string, string>;
}

/** Gives the first spelling of a term that is new in this spelling. */
export function rememberTerm(terms: ColumnTerms, term: string): string {
  const folded = foldText(term);
  const first = terms.firstByFoldedTerm.get(folded) ?? term;
  // White space and accents fold too, but only letter case is a rule.
  const firstInCase = first.toLowerCase() === term.toLowerCase() ? first : term;
  if (terms.firstBySpelling.size < MAX_TERMS) {
    terms.firstByFoldedTerm.set(folded, first);
    terms.firstBySpelling.set(term, firstInCase);
  }
  return firstInCase;
}
