// The records that a former data version had and a later one has not (D37).

import { conjunctsOfKind, type Condition } from '../query/condition';
import type { DataSetKind } from '../records/data-sets';
import { entryOf, type CatalogState } from '../store/catalog-types';
import { formerState, openFormerEntry } from './former-releases';
import { entriesRead, sliceOf, type Page, type PlannedPage, type ReadRelease } from './plan-page';
import { AllRecords, type RecordSet } from './index/record-set';
import { changesSince } from './release-changes';
import { openEntry } from './release/release-index';
import type { SearchCaches, SearchContext } from './search-caches';

/**
 * The releases of the version that changes are asked since which are not current any more, in the order of D17, each
 * compared with the current one of its data set, if there is one. Throws ReleaseGoneError and FormerVersionGoneError.
 */
export async function openReplaced(
  { store }: SearchContext,
  state: CatalogState,
  dataSet: DataSetKind,
  condition: Condition,
): Promise<readonly ReadRelease[]> {
  const [changes] = conjunctsOfKind(condition, 'changedSince');
  const formerly = await formerState(store, changes?.version ?? state.version);
  const opened = entriesRead(formerly, dataSet, condition).map(async (former): Promise<readonly ReadRelease[]> => {
    const entry = entryOf(state, former);
    if (entry?.releaseId === former.releaseId) return [];
    const reader = await openFormerEntry(store, former);
    return [{ entry: entry ?? former, reader, comparedWith: entry && (await openEntry(store, entry)) }];
  });
  return (await Promise.all(opened)).flat();
}

/** A page of the records that `openReplaced` releases have and the current ones lack. Throws as a search does. */
export async function planRemoved(
  releases: readonly ReadRelease[],
  page: Page,
  caches: SearchCaches,
): Promise<PlannedPage> {
  const found: RecordSet[] = [];
  for (const { reader, comparedWith } of releases) {
    const changes = comparedWith && (await changesSince(reader, comparedWith, caches));
    found.push(changes?.removed ?? new AllRecords(reader.facts.records));
  }
  return sliceOf(releases, found, page, caches);
}
