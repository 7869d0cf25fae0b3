// The categories of a beneficial use, term by term: from the submission's own beneficialuses.csv, else from our vocabulary
// table, else unknown (D13).

import { foldText } from '../../../shared/values/folded-text';
import type { BeneficialUseRow } from '../../format/lookup-files';
import vocabulary from './beneficial-uses.json';

export interface UseCategories {
  readonly primaryUse: string | null;
  readonly usgs: string | null;
  readonly naics: string | null;
}

const UNKNOWN: UseCategories = { primaryUse: null, usgs: null, naics: null };

const TABLE: ReadonlyMap<string, UseCategories> = new Map(
  vocabulary.categories.flatMap(({ primaryUse, usgs, naics, terms }) =>
    terms.map((term): [string, UseCategories] => [foldText(term), { primaryUse, usgs, naics }]),
  ),
);

/** Terms in other letter case are one term. */
export function useCategories(ownRows: Iterable<BeneficialUseRow>): (use: string) => UseCategories {
  const own = new Map<string, UseCategories>();
  for (const row of ownRows) {
    const categories = {
      primaryUse: row.PrimaryUseCategory,
      usgs: row.USGSCategoryNameCV,
      naics: row.NAICSCodeNameCV,
    };
    const folded = foldText(row.BeneficialUseCategory);
    if (!own.has(folded)) own.set(folded, categories);
  }
  return (use) => own.get(foldText(use)) ?? TABLE.get(foldText(use)) ?? UNKNOWN;
}
