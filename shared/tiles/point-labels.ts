// The labels of rights and sites in a tile: the identifier of the feature (D48), and a human-readable name.

import { buildFeatureId, buildRightId } from '../records/feature-ids';
import type { Site } from '../records/lookups';
import type { WaterAllocation } from '../records/records';
import { readLookups } from '../search/index/release-lookups';
import { parseItems } from '../store/joined-fragments';
import { type ReleaseReader } from '../store/port';
import type { Label } from './point-source';

/** `records` are ascending. */
export async function loadRightLabels(reader: ReleaseReader, records: Uint32Array): Promise<readonly Label[]> {
  const { OrganizationUUID } = reader.facts.organization;
  // The loader wrote them.
  const rights = parseItems(await reader.texts('records', records)) as readonly WaterAllocation[];
  return rights.map((right): Label => ({
    id: buildRightId(OrganizationUUID, right),
    name: right.AllocationOwner ?? right.AllocationNativeID,
    right: {
      flow: right.AllocationFlow_CFS,
      volume: right.AllocationVolume_AF,
      priority: right.AllocationPriorityDate?.slice(0, 10) ?? null,
    },
  }));
}

/** `ranks` are ascending. */
export async function loadSiteLabels(reader: ReleaseReader, ranks: Uint32Array): Promise<readonly Label[]> {
  const { OrganizationUUID } = reader.facts.organization;
  const sites = (await readLookups(reader, 'Sites', ranks)) as readonly Site[]; // The loader wrote them.
  return sites.map(({ SiteUUID, SiteName }): Label => ({
    id: buildFeatureId(OrganizationUUID, SiteUUID),
    name: SiteName,
  }));
}
