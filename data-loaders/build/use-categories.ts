// Finds the categories of beneficial uses (D13).

import { findUse, type UseCategories } from '../../shared/records/use-categories';
import { foldText } from '../../shared/values/fold-text';
import type { BeneficialUseRow } from '../format/submission-files';

const UNKNOWN_CATEGORIES: UseCategories = { primaryUse: null, usgs: null, naics: null };

/**
 * Creates a function that looks up the categories of a use: first in the submission's own beneficialuses.csv
 * (`submitted`), then in our vocabulary table (D13). Letter case is ignored, and the first row of a term counts.
 */
export function createUseCategoryLookup(submitted: Iterable<BeneficialUseRow>): (use: string) => UseCategories {
  const submittedCategories = new Map<string, UseCategories>();
  for (const { BeneficialUseCategory: use, ...row } of submitted) {
    const { PrimaryUseCategory: primaryUse, USGSCategoryNameCV: usgs, NAICSCodeNameCV: naics } = row;
    if (!submittedCategories.has(foldText(use))) submittedCategories.set(foldText(use), { primaryUse, usgs, naics });
  }
  return (use) => submittedCategories.get(foldText(use)) ?? findUse(use) ?? UNKNOWN_CATEGORIES;
}
