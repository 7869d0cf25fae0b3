// Selects which values of a record count if each record counts only once (D78): if it has several uses, the primary
// one, if known.

import type { FieldCodes } from '../search/index/field-codes';
import { loadColumnDirectory } from '../search/index/release-index';
import type { SearchableRelease } from '../search/index/search-caches';

/**
 * Reduces the lists of a field to the items that count. A list of uses is reduced to its primary use. Without a primary
 * use, it is reduced to the uses in a real category, unlike "Unspecified" (D63), or stays as it is if none has one.
 * Lists of other fields stay as they are.
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
