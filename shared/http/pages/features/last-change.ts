// Determines when the records of a feature last changed, by comparing its release with earlier ones.

import { type Condition, joinAll } from '../../../query/condition';
import { evaluate } from '../../../search/evaluate';
import type { SearchContext } from '../../../search/index/search-caches';
import { type CatalogRelease, openPreviousEntry, PreviousVersionGoneError } from '../../../search/open-releases';
import { listPastReleases } from '../../../search/release-history';
import type { CatalogState } from '../../../store/catalog-types';

/**
 * The maximum number of releases to compare with. The result of each comparison covers all records, and stays in
 * memory.
 */
const MAX_PREVIOUS_RELEASES = 5;

/** Times are in ISO 8601, UTC. */
export type LastChange =
  /** The records were different, or missing, in the release before the one published at `publishedAt`. */
  | { readonly kind: 'changed'; readonly publishedAt: string }
  /** The records are the same in all compared releases, the oldest of which was published at `publishedAt`. */
  | { readonly kind: 'unchanged'; readonly publishedAt: string }
  | { readonly kind: 'nothing older' };

/** The release of a feature, and the condition that matches its records there. */
interface SearchedFeature {
  readonly release: CatalogRelease;
  readonly condition: Condition;
}

/** Finds the last change of a feature's records, as of the displayed state. */
export async function findLastChange(
  { release, condition }: SearchedFeature,
  shownState: CatalogState,
  context: SearchContext,
): Promise<LastChange> {
  const { entry } = release;
  const comparedReleases = new Set([entry.releaseId]);
  let { publishedAt } = entry;
  const history = await context.store.history();
  // If an older state is displayed, later publishes are ignored.
  const shownPosition = history.findIndex(({ version }) => version === shownState.version);
  for (const past of await listPastReleases(context, entry.organizationUuid, [entry.dataSet])) {
    const { entry: previous, state, position } = past;
    if (position <= shownPosition || comparedReleases.has(previous.releaseId)) continue;
    if (comparedReleases.size > MAX_PREVIOUS_RELEASES) break;
    try {
      const comparedWith = await openPreviousEntry(context.store, previous);
      const changedCondition = joinAll([condition, { kind: 'changedSince', version: state.version }]);
      const changed = await evaluate(changedCondition, { ...release, comparedWith });
      comparedReleases.add(previous.releaseId);
      if (changed.size > 0) return { kind: 'changed', publishedAt };
    } catch (error) {
      // No earlier release is kept, or this program cannot read it.
      if (error instanceof PreviousVersionGoneError) break;
      throw error;
    }
    publishedAt = previous.publishedAt;
  }
  return comparedReleases.size === 1 ? { kind: 'nothing older' } : { kind: 'unchanged', publishedAt };
}
