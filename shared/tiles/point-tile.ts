// A tile of points: each square that has several is one feature with their count and what most of them have. A square
// is a pixel (ADR 0088), or as many as the client asks for (ADR 0088). Points that stand alone have labels (the
// identifier of the feature, D48, and a name for people) where they are few, since their texts are read for it.

import { buildFeatureId, buildRightId } from '../records/feature-ids';
import type { Site } from '../records/lookups';
import type { WaterAllocation } from '../records/records';
import { readLookups } from '../search/index/release-lookups';
import { parseItems } from '../store/joined-fragments';
import type { ReleaseReader } from '../store/port';
import { getRangeStart, numberAt } from '../values/number-arrays';
import type { Label, PointSource } from './release-points';
import { groupPoints, type PointGroups } from './shown-points';
import type { TileFeatures } from './tile-features';
import type { TileAddress } from './tile-grid';

/** From here on points stand by themselves, where they are few enough to be told apart. */
const DETAIL_ZOOM = 14;

/** A tile with so many points or fewer names those that stand alone. */
const MAX_LABELED = 1000;

/** `squarePixels` is the width of a square. */
export async function addPointFeatures(
  sources: readonly PointSource[],
  address: TileAddress,
  features: TileFeatures,
  squarePixels = 1,
): Promise<void> {
  const mostAlone = address.zoom >= DETAIL_ZOOM ? MAX_LABELED : 0;
  const groups = await groupPoints(sources, address, { squarePixels, maxSingles: mostAlone });
  const isLabelled = groups.pointCount <= MAX_LABELED;
  const labels = isLabelled ? await loadGroupLabels(sources, groups) : new Map<number, Label>();
  for (let group = 0; group < groups.size; group++) features.addPoints(groups, group, labels.get(group));
}

/** The label of each group that is one point, by group. */
async function loadGroupLabels(
  sources: readonly PointSource[],
  groups: PointGroups,
): Promise<ReadonlyMap<number, Label>> {
  const { size, ends, releases: releaseOf, points: pointOf } = groups;
  const labels = new Map<number, Label>();
  const isSingle = (group: number): boolean => numberAt(ends, group) === getRangeStart(ends, group) + 1;
  const singles = Array.from({ length: size }, (_, group) => group).filter(isSingle);
  for (const [release, { points, loadLabels: labelItems }] of sources.entries()) {
    const ofRelease = singles.filter((group) => releaseOf[group] === release);
    if (ofRelease.length === 0) continue;
    const itemOf = (group: number): number => numberAt(points.items, numberAt(pointOf, group));
    const items = Uint32Array.from(new Set(ofRelease.map(itemOf))).sort();
    const read = await labelItems(items);
    const byItem = new Map(read.map((label, index) => [numberAt(items, index), label]));
    for (const group of ofRelease) {
      const label = byItem.get(itemOf(group));
      if (label !== undefined) labels.set(group, label);
    }
  }
  return labels;
}

/** `records` are ascending, as `ranks` of sites are. */
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

export async function loadSiteLabels(reader: ReleaseReader, ranks: Uint32Array): Promise<readonly Label[]> {
  const { OrganizationUUID } = reader.facts.organization;
  const sites = (await readLookups(reader, 'Sites', ranks)) as readonly Site[]; // The loader wrote them.
  return sites.map(({ SiteUUID, SiteName }): Label => ({
    id: buildFeatureId(OrganizationUUID, SiteUUID),
    name: SiteName,
  }));
}
