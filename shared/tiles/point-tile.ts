// A tile of points (ADR 0088). The points in a square become one feature, with their count and their most frequent
// values. A square is one pixel wide, or as many pixels as the client requests. In a tile with few points, a point that
// is alone in its square gets a label. Other tiles have no labels, because labels require reading the texts of the
// points.

import { getRangeStart, numberAt } from '../values/number-arrays';
import { groupPoints, type PointGroups } from './group-points';
import type { Label, PointSource } from './point-source';
import type { TileFeatures } from './tile-features';
import type { TileAddress } from './tile-grid';

/** From this zoom on, each point in a tile with few points is its own feature. */
const DETAIL_ZOOM = 14;

/** A tile with at most this many points has labels. */
const MAX_LABELED = 1000;

/** How points are merged, in pixels. */
export interface PointClusters {
  /** The width of the squares whose points become one feature. */
  readonly cluster: number;
  /** Features of a tile are at least this far apart; 1 means that squares are not merged. */
  readonly spacing: number;
}

/** Groups points as requested. */
export async function addPointFeatures(
  sources: readonly PointSource[],
  address: TileAddress,
  features: TileFeatures,
  { cluster, spacing }: PointClusters,
): Promise<void> {
  const maxSingles = address.zoom >= DETAIL_ZOOM ? MAX_LABELED : 0;
  const groups = await groupPoints(sources, address, { squarePixels: cluster, spacing, maxSingles });
  const hasLabels = groups.pointCount <= MAX_LABELED;
  const labels = hasLabels ? await loadGroupLabels(sources, groups) : new Map<number, Label>();
  for (let group = 0; group < groups.size; group++) features.addPoints(groups, group, labels.get(group));
}

/** Loads the labels of groups of one point, keyed by group. */
async function loadGroupLabels(
  sources: readonly PointSource[],
  { size, ends, releases, points: groupPoint }: PointGroups,
): Promise<ReadonlyMap<number, Label>> {
  const labels = new Map<number, Label>();
  const isSingle = (group: number): boolean => numberAt(ends, group) === getRangeStart(ends, group) + 1;
  const singles = Array.from({ length: size }, (_, group) => group).filter(isSingle);
  for (const [release, { points, loadLabels }] of sources.entries()) {
    const releaseSingles = singles.filter((group) => releases[group] === release);
    if (releaseSingles.length === 0) continue;
    const getItem = (group: number): number => numberAt(points.items, numberAt(groupPoint, group));
    const items = Uint32Array.from(new Set(releaseSingles.map(getItem))).sort();
    const itemLabels = await loadLabels(items);
    const labelByItem = new Map(itemLabels.map((label, index) => [numberAt(items, index), label]));
    for (const group of releaseSingles) {
      const label = labelByItem.get(getItem(group));
      if (label !== undefined) labels.set(group, label);
    }
  }
  return labels;
}
