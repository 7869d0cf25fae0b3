// What points that stand alone are called: the identifier of the feature (D48) and a name for people. Few points of a
// tile have labels, since their texts are read for it.

import type { WaterAllocation } from '../records/allocations';
import type { Site } from '../records/lookups';
import { lookupRange } from '../search/release/release-index';
import { listText } from '../store/fragments';
import type { ReleaseReader } from '../store/port';
import { numberAt } from '../values/numbers';
import type { Label, PointSource } from './found-points';

/** A point that is a feature of its own. */
export interface SinglePoint {
  /** What its label is found by. */
  readonly group: number;
  /** The index of its release, and its index among the points of the release. */
  readonly release: number;
  readonly point: number;
}

export async function labelsOf(
  sources: readonly PointSource[],
  singles: readonly SinglePoint[],
): Promise<ReadonlyMap<number, Label>> {
  const labels = new Map<number, Label>();
  for (const [release, { points, labelsOf: labelItems }] of sources.entries()) {
    const items = singles
      .filter((single) => single.release === release)
      .map(({ group, point }) => ({ group, item: numberAt(points.items, point) }));
    if (items.length === 0) continue;
    const numbers = Uint32Array.from(new Set(items.map(({ item }) => item))).sort();
    const read = await labelItems(numbers);
    const byItem = new Map(read.map((label, index) => [numberAt(numbers, index), label]));
    for (const { group, item } of items) {
      const label = byItem.get(item);
      if (label !== undefined) labels.set(group, label);
    }
  }
  return labels;
}

/** `records` are ascending, as `ranks` of sites are. */
export async function labelsOfRights(reader: ReleaseReader, records: Uint32Array): Promise<readonly Label[]> {
  const texts = listText(await reader.records(records));
  const rights = JSON.parse(texts) as readonly WaterAllocation[]; // The loader wrote them.
  return rights.map((right) => ({
    id: idOf(reader, right.AllocationUUID ?? right.AllocationNativeID),
    name: right.AllocationOwner ?? right.AllocationNativeID,
    amounts: { flow: right.AllocationFlow_CFS, volume: right.AllocationVolume_AF },
  }));
}

export async function labelsOfSites(reader: ReleaseReader, ranks: Uint32Array): Promise<readonly Label[]> {
  const [first] = lookupRange(reader, 'Sites');
  const texts = listText(await reader.lookups(ranks.map((rank) => first + rank)));
  const sites = JSON.parse(texts) as readonly Site[]; // The loader wrote them.
  return sites.map(({ SiteUUID, SiteName }) => ({ id: idOf(reader, SiteUUID), name: SiteName }));
}

/** As D48 says. */
export function idOf(reader: ReleaseReader, id: string | null): string {
  return `${reader.facts.organization.OrganizationUUID}~${id ?? ''}`;
}
