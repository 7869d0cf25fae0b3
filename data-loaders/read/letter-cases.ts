// A vocabulary term that stands in a submission in two letter cases is one term, and gives a warning (ADR 0051).

import { getOrAdd } from '../../shared/values/maps';
import { foldText } from '../../shared/values/text';
import type { RowFinding } from '../format/findings';

/** A column with more terms than this is not a vocabulary; no further ones are remembered. */
const MAX_TERMS = 20_000;

/** The terms of the columns of one name in all files, in which uses, for one, are the same. */
interface ColumnTerms {
  /** The first spelling of each folded term. */
  readonly first: Map<string, string>;
  /** Each spelling seen, with the first spelling of its term. */
  readonly spelled: Map<string, string>;
}

/** The terms seen so far, by column. */
export type LetterCases = Map<string, ColumnTerms>;

/** A warning for each cell whose term was first seen in another letter case. */
export function letterCaseWarnings(
  cases: LetterCases,
  columns: readonly string[],
  row: Readonly<Record<string, unknown>>,
): readonly RowFinding[] {
  const warnings: RowFinding[] = [];
  for (const column of columns) {
    const value = row[column];
    if (typeof value !== 'string' && !Array.isArray(value)) continue;
    const terms = getOrAdd<string, ColumnTerms>(cases, column, () => ({ first: new Map(), spelled: new Map() }));
    for (const term of typeof value === 'string' ? [value] : (value as readonly string[])) {
      // A list has texts.
      const first = terms.spelled.get(term) ?? learn(terms, term);
      if (first !== term) warnings.push({ rule: 'letter-case', column, value: `${term} (first: ${first})` });
    }
  }
  return warnings;
}

/** Gives the first spelling of a term that is new in this spelling. */
function learn(terms: ColumnTerms, term: string): string {
  const folded = foldText(term);
  const first = terms.first.get(folded) ?? term;
  // White space and accents fold too, but only letter case is a rule.
  const known = first.toLowerCase() === term.toLowerCase() ? first : term;
  if (terms.spelled.size < MAX_TERMS) {
    terms.first.set(folded, first);
    terms.spelled.set(term, known);
  }
  return known;
}
