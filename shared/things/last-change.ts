// When records last changed: with which of the releases that are still held, by the comparison that ChangedSince goes
// by (D37).

import { allOf, type Condition } from '../query/condition';
import { FormerVersionGoneError, openFormerEntry, type ReadRelease } from '../search/plan-page';
import type { SearchContext } from '../search/index/search-caches';
import { evaluate } from '../search/evaluate';
import { entryOf, type CatalogState } from '../store/catalog-types';

/** With so many former releases the current one is compared; each comparison stays in memory for all records. */
const MOST_FORMERS = 5;

/** Times are ISO 8601, UTC. */
export type LastChange =
  /** The release before that of `publishedAt` has them otherwise, or not at all. */
  | { readonly kind: 'changed'; readonly publishedAt: string }
  /** All releases since have them as they are. */
  | { readonly kind: 'unchanged'; readonly publishedAt: string }
  | { readonly kind: 'nothing older' };

/** The last change of the records of which the condition is true in a release of the state that is shown. */
export async function lastChangeOf(
  { entry, reader }: ReadRelease,
  condition: Condition,
  shown: CatalogState,
  { store, caches }: SearchContext,
): Promise<LastChange> {
  const compared = new Set([entry.releaseId]);
  let { publishedAt } = entry;
  const history = await store.history();
  // A former state is shown by its version: what was published after it is not older.
  const older = history.slice(1 + history.findIndex(({ version }) => version === shown.version));
  for (const state of older) {
    const former = entryOf(state, entry);
    if (former === undefined || compared.has(former.releaseId)) continue;
    if (compared.size > MOST_FORMERS) break;
    try {
      const comparedWith = await openFormerEntry(store, former);
      const asked = allOf([condition, { kind: 'changedSince', version: state.version }]);
      const found = await evaluate(asked, { reader, comparedWith }, caches);
      compared.add(former.releaseId);
      if (found.size > 0) return { kind: 'changed', publishedAt };
    } catch (error) {
      // Nothing older is held, or only a former program can read it.
      if (error instanceof FormerVersionGoneError) break;
      throw error;
    }
    publishedAt = former.publishedAt;
  }
  return compared.size === 1 ? { kind: 'nothing older' } : { kind: 'unchanged', publishedAt };
}
