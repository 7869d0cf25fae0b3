// The vocabulary of beneficial uses: for each term, its categories (D13), and the plain category that makes uses
// comparable across states (D63). The assignment of terms is our interpretation; docs/parameters.md lists it.

import { foldText } from '../values/fold-text';
import vocabulary from './beneficial-uses.json';

/** The categories of a beneficial use; null where they are unknown. */
export interface UseCategories {
  readonly primaryUse: string | null;
  readonly usgs: string | null;
  readonly naics: string | null;
}

interface CategorizedTerm extends UseCategories {
  readonly category: string;
}

const CATEGORIZED_TERMS: ReadonlyMap<string, CategorizedTerm> = new Map(
  vocabulary.categories.flatMap(({ terms, ...categories }) =>
    terms.map((term): [string, CategorizedTerm] => [foldText(term), categories]),
  ),
);

/** The terms that submissions use for an unknown use. */
export const NO_USE_TERMS: readonly string[] = vocabulary.noUse;

const FOLDED_NO_USE_TERMS: ReadonlySet<string> = new Set(NO_USE_TERMS.map(foldText));

const OTHER = 'Other';

/** Returns the categories of a term, ignoring letter case; undefined if the vocabulary does not contain the term. */
export function findUse(use: string): CategorizedTerm | undefined {
  return CATEGORIZED_TERMS.get(foldText(use));
}

/** Returns the plain category of a use (D63): Other for an unknown term, null for a term that means an unknown use. */
export function categorizeUse(use: string): string | null {
  if (FOLDED_NO_USE_TERMS.has(foldText(use))) return null;
  return findUse(use)?.category ?? OTHER;
}

/** Lists every category with its terms, for documentation. */
export function listUseCategoryTerms(): ReadonlyMap<string, readonly string[]> {
  const categories = Map.groupBy(vocabulary.categories, ({ category }) => category);
  return new Map(Array.from(categories, ([name, rows]) => [name, rows.flatMap(({ terms }) => terms)]));
}
