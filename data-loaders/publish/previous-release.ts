// Opens the parts of the previous release that a comparison needs.

import { type Fingerprints, readFingerprints, readPlaceCounts } from '../../shared/search/fingerprints';
import { type PeriodColumn, readPeriodColumn } from '../../shared/search/index/period-column';
import type { CatalogEntry } from '../../shared/store/catalog-types';
import type { ReleaseReader, Store } from '../../shared/store/port';
import { findReleaseFault } from '../../shared/store/readable-releases';
import { type PlacePositions, readPlacePositions } from './place-positions';
import { measureNames, readTotals, type Totals } from './totals';

/**
 * The parts of the previous release that a comparison reads. They are stored for this purpose; the records are not
 * read.
 */
export interface PreviousRelease {
  readonly reader: ReleaseReader;
  readonly fingerprints: Fingerprints;
  /** The number of places of each record; empty if the release was written before this number was stored. */
  readonly placeCounts: Uint32Array;
  /** Undefined if the release was written before positions and totals were stored. */
  readonly positions: PlacePositions | undefined;
  readonly totals: Totals | undefined;
  /** The priority dates of rights. */
  readonly priorities: PeriodColumn | undefined;
}

/**
 * Undefined if there is no previous release, or if it cannot be read because it was deleted, is damaged, or has another
 * format.
 */
export async function openPreviousRelease(store: Store, entry?: CatalogEntry): Promise<PreviousRelease | undefined> {
  if (entry === undefined || (await findReleaseFault(store, entry.releaseId, 'full')) !== undefined) return undefined;
  const reader = await store.openRelease(entry.releaseId);
  const fingerprints = await reader?.artifact('fingerprints');
  if (reader === undefined || fingerprints === undefined) return undefined;
  const positions = await reader.artifact('positions');
  const totals = await reader.artifact('totals');
  const { dataSet } = reader.facts;
  const periods = dataSet === 'WaterAllocations' ? await reader.artifact('periods') : undefined;
  return {
    reader,
    fingerprints: readFingerprints(fingerprints, measureNames[dataSet].length),
    placeCounts: readPlaceCounts(fingerprints, measureNames[dataSet].length),
    positions: positions && readPlacePositions(positions),
    totals: totals && readTotals(totals),
    priorities: periods && readPeriodColumn(periods),
  };
}
