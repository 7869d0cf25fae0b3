// Collects which sites of a release of rights have what rights do not repeat of them.

import { writeSiteDetails } from '../../../shared/render/features';
import type { DataSetKind } from '../../../shared/records/data-sets';
import type { ReleaseWriter } from '../../../shared/store/port';
import { BitSet } from '../../../shared/values/bytes/bit-set';

export class SiteDetailsWriter {
  private readonly detailed: BitSet;
  private count = 0;

  constructor(
    private readonly kind: DataSetKind,
    places: number,
  ) {
    this.detailed = new BitSet(places);
  }

  /** Places come in the order of their ranks. */
  addPlace(isDetailed: boolean): void {
    const rank = this.count++;
    if (isDetailed) this.detailed.add(rank);
  }

  finish(writer: Pick<ReleaseWriter, 'addArtifact'>): void {
    if (this.kind === 'WaterAllocations') writer.addArtifact('siteDetails', writeSiteDetails(this.detailed));
  }
}
