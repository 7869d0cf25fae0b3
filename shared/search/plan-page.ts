// A page over all releases of a catalog state: totals are sizes, the page is a slice by rank (D17, D18, D20).

import type { DataSetKind } from '../records/data-sets';
import type { CatalogEntry, CatalogState } from '../store/catalog-types';
import { FORMAT_VERSION, ReleaseGoneError, UnknownFormatError, type ReleaseReader, type Store } from '../store/port';
import { foldText } from '../values/folded-text';
import { criteriaKey, type Criteria } from './criteria';
import type { RecordSet } from './record-set';
import type { SearchCaches } from './search-caches';
import { searchRelease } from './search-release';

export interface PageSlice {
  readonly reader: ReleaseReader;
  /** Record numbers of the page in this release, ascending. */
  readonly numbers: Uint32Array;
}

export interface PlannedPage {
  readonly total: number;
  /** In the order of D17; releases without a record on the page have none. */
  readonly slices: readonly PageSlice[];
}

/** The releases of a catalog state that a query reads, in the order of D17. */
function entriesRead(
  { entries }: CatalogState,
  dataSet: DataSetKind,
  { organizations }: Criteria,
): readonly CatalogEntry[] {
  return entries.filter(
    (entry) => entry.dataSet === dataSet && (organizations?.includes(foldText(entry.organizationUuid)) ?? true),
  );
}

/** Throws ReleaseGoneError when a release of the state is no longer held. */
export async function planPage(
  store: Store,
  state: CatalogState,
  dataSet: DataSetKind,
  criteria: Criteria,
  page: { readonly startIndex: number; readonly recordCount: number },
  caches: SearchCaches,
): Promise<PlannedPage> {
  const key = criteriaKey(criteria);
  const entries = entriesRead(state, dataSet, criteria);
  const found = await Promise.all(
    entries.map(async ({ releaseId }): Promise<{ reader: ReleaseReader; records: RecordSet }> => {
      const reader = await store.openRelease(releaseId);
      if (reader === undefined) throw new ReleaseGoneError();
      // Another program can publish while this one runs; what it does not know it must not read.
      if (reader.facts.formatVersion !== FORMAT_VERSION) throw new UnknownFormatError(releaseId);
      return { reader, records: await searchRelease(reader, criteria, key, caches) };
    }),
  );
  const slices: PageSlice[] = [];
  let before = 0;
  for (const { reader, records } of found) {
    const from = Math.max(0, page.startIndex - before);
    const to = Math.min(records.size, page.startIndex + page.recordCount - before);
    if (from < to) slices.push({ reader, numbers: records.slice(from, to) });
    before += records.size;
  }
  return { total: before, slices };
}
