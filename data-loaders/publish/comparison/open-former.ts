// What a comparison reads of the former release: not its records, only what was kept beside them for this.

import type { DataSetKind } from '../../../shared/records/data-sets';
import type { CatalogEntry } from '../../../shared/store/catalog-types';
import { FORMAT_VERSION, type ReleaseReader, type Store } from '../../../shared/store/port';
import { readFingerprints, type Fingerprints } from '../../build/index/fingerprints';
import { readPlacePositions, type PlacePositions } from './place-comparison';
import { readTotals, type Totals } from './totals';

/** The members that are measured: compared for jumps and added up. */
export const measuresOfKind: Readonly<Record<DataSetKind, readonly string[]>> = {
  SiteVariableAmounts: ['Amount'],
  AggregatedAmounts: ['Amount'],
  WaterAllocations: ['AllocationFlow_CFS', 'AllocationVolume_AF'],
};

export interface FormerRelease {
  readonly reader: ReleaseReader;
  readonly fingerprints: Fingerprints;
  /** Undefined where the release was written before these were kept. */
  readonly positions: PlacePositions | undefined;
  readonly totals: Totals | undefined;
}

/** Undefined when there is none, when it is no longer held, or when its format is another one. */
export async function openFormerRelease(
  store: Store,
  entry: CatalogEntry | undefined,
): Promise<FormerRelease | undefined> {
  const reader = entry === undefined ? undefined : await store.openRelease(entry.releaseId);
  if (reader?.facts.formatVersion !== FORMAT_VERSION) return undefined;
  const fingerprints = await reader.artifact('fingerprints');
  if (fingerprints === undefined) return undefined;
  const positions = await reader.artifact('positions');
  const totals = await reader.artifact('totals');
  return {
    reader,
    fingerprints: readFingerprints(fingerprints, measuresOfKind[reader.facts.dataSet].length),
    positions: positions === undefined ? undefined : readPlacePositions(positions),
    totals: totals === undefined ? undefined : readTotals(totals),
  };
}
