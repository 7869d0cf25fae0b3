// Finds the categories of beneficial uses (D13).

import { findUse, type UseCategories } from '../../shared/records/use-categories';
import { foldText } from '../../shared/values/fold-text';
import type { BeneficialUseRow } from '../format/submission-files';

const UNKNOWN_CATEGORIES: UseCategories = { primaryUse: null, usgs: null, naics: null };

/**
 * Looks up the categories of a use term by term: in the submission's own beneficialuses.csv, whose rows are
 * `submitted`, else in our vocabulary table (D13). Terms that differ in letter case only are one term, whose first
 * row counts.
 */
export function createUseCategoryLookup(submitted: Iterable<BeneficialUseRow>): (use: string) => UseCategories {
  const submittedCategories = new Map<string, UseCategories>();
  for (const { BeneficialUseCategory: use, ...row } of submitted) {
    const { PrimaryUseCategory: primaryUse, USGSCategoryNameCV: usgs, NAICSCodeNameCV: naics } = row;
    if (!submittedCategories.has(foldText(use))) submittedCategories.set(foldText(use), { primaryUse, usgs, naics });
  }
  return (use) => submittedCategories.get(foldText(use)) ?? findUse(use) ?? UNKNOWN_CATEGORIES;
}
