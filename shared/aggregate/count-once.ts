// Selects the values of a record that count if each record counts once (D78): of several uses, the primary one if there
// is one.

import type { FieldCodes } from '../search/index/field-codes';
import { loadColumnDirectory } from '../search/index/release-index';
import type { SearchableRelease } from '../search/index/search-caches';

/**
 * The lists of a field, reduced to the items that count. A list of uses is reduced to its primary use or, without one,
 * to the uses that name a use, unlike "Unspecified" (D63); if none does, it stays as it is. Other lists stay as they
 * are.
 */
export async function reduceLists(
  { lists, primaryItems }: Pick<FieldCodes, 'lists' | 'primaryItems'>,
  release: SearchableRelease,
): Promise<FieldCodes['lists']> {
  if (primaryItems === undefined) return lists;
  const { use } = (await loadColumnDirectory(release)).values;
  const namesUse = (item: number): boolean => (use.useCategory?.[item] ?? 0) > 0;
  return lists.map((list, index) => {
    const primary = (primaryItems[index] ?? 0) - 1;
    if (primary >= 0 && namesUse(primary)) return [primary];
    const named = list.filter(namesUse);
    return named.length === 0 ? list : named;
  });
}
