// What points that stand alone are called: the identifier of the feature (D48) and a name for people. Few points of a
// tile have labels, since their texts are read for it.

import type { WaterAllocation } from '../records/allocations';
import { dataSetLayouts } from '../records/data-sets';
import type { ReportingUnit, Site } from '../records/lookups';
import { lookupRange } from '../search/release-index';
import { listText } from '../store/fragments';
import type { ReleaseReader } from '../store/port';
import { numberAt } from '../values/numbers';
import type { PointSource } from './shared-members';

export interface Label {
  readonly id: string;
  readonly name: string | null;
}

/** A point that is a feature of its own. */
export interface SinglePoint {
  /** What its label is found by. */
  readonly at: number;
  /** The index of its release, and its index among the points of the release. */
  readonly release: number;
  readonly point: number;
}

export async function labelsOf(
  sources: readonly PointSource[],
  singles: readonly SinglePoint[],
): Promise<ReadonlyMap<number, Label>> {
  const labels = new Map<number, Label>();
  for (const [release, { points, kind, reader }] of sources.entries()) {
    const items = singles
      .filter((single) => single.release === release)
      .map(({ at, point }) => ({ at, item: numberAt(points.items, point) }));
    if (items.length === 0) continue;
    const numbers = Uint32Array.from(new Set(items.map(({ item }) => item))).sort();
    const read = await (kind === 'rights' ? labelsOfRights : labelsOfPlaces)(reader, numbers);
    const byItem = new Map(read.map((label, index) => [numberAt(numbers, index), label]));
    for (const { at, item } of items) {
      const label = byItem.get(item);
      if (label !== undefined) labels.set(at, label);
    }
  }
  return labels;
}

async function labelsOfRights(reader: ReleaseReader, records: Uint32Array): Promise<readonly Label[]> {
  const texts = listText(await reader.records(records));
  const rights = JSON.parse(texts) as readonly WaterAllocation[]; // The loader wrote them.
  return rights.map(({ AllocationUUID, AllocationNativeID, AllocationOwner }) => ({
    id: idOf(reader, AllocationUUID ?? AllocationNativeID),
    name: AllocationOwner ?? AllocationNativeID,
  }));
}

/** Sites and reporting units alike. `ranks` are ascending. */
export async function labelsOfPlaces(reader: ReleaseReader, ranks: Uint32Array): Promise<readonly Label[]> {
  const { placeKind } = dataSetLayouts[reader.facts.dataSet];
  const [first] = lookupRange(reader, placeKind);
  const texts = listText(await reader.lookups(ranks.map((rank) => first + rank)));
  if (placeKind === 'ReportingUnits') {
    const units = JSON.parse(texts) as readonly ReportingUnit[]; // The loader wrote them.
    return units.map((unit) => ({ id: idOf(reader, unit.ReportingUnitUUID), name: unit.ReportingUnitName }));
  }
  const sites = JSON.parse(texts) as readonly Site[]; // The loader wrote them.
  return sites.map(({ SiteUUID, SiteName }) => ({ id: idOf(reader, SiteUUID), name: SiteName }));
}

/** As D48 says. */
function idOf(reader: ReleaseReader, id: string | null): string {
  return `${reader.facts.organization.OrganizationUUID}~${id ?? ''}`;
}
