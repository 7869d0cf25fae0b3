// The points of a release that a tile may show.

import type { WaterAllocation } from '../records/allocations';
import type { Site } from '../records/lookups';
import { lookupRange } from '../search/index/release-index';
import { listText } from '../store/fragments';
import type { ReleaseReader } from '../store/port';
import type { BitSet } from '../values/bytes/bit-set';
import { numberAt } from '../values/numbers';
import type { ReleasePoints } from './point-values';

export interface Label {
  readonly id: string;
  readonly name: string | null;
  /** Cubic feet per second and acre-feet; rights alone have them. */
  readonly amounts?: Readonly<Record<'flow' | 'volume', number | null>>;
}

/** The points of a release, and which of their items were found. */
export interface FoundPoints {
  readonly reader: ReleaseReader;
  readonly points: ReleasePoints;
  /** Undefined when all were. */
  readonly found: BitSet | undefined;
  /** What items are called, in their order; each stands once. */
  readonly labelsOf: (items: Uint32Array) => Promise<readonly Label[]>;
}

/** Classes are numbered over all releases of a tile. */
export interface PointSource extends FoundPoints {
  readonly firstClass: number;
}

export function numberClasses<Found extends FoundPoints>(releases: readonly Found[]): readonly (Found & PointSource)[] {
  let count = 0;
  return releases.map((release) => {
    const firstClass = count;
    count += release.points.classCount;
    return { ...release, firstClass };
  });
}

// What points that stand alone are called: the identifier of the feature (D48) and a name for people. Few points of a
// tile have labels, since their texts are read for it.

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
