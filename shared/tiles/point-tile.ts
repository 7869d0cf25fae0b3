// A tile of points: each square that has several is one feature with their count and what most of them have. A square
// is a pixel (ADR 0088), or as many as the client asks for (ADR 0126).

import { numberAt } from '../values/numbers';
import type { Label, PointSource } from './found-points';
import { labelsOf, type SinglePoint } from './labels';
import { shownPoints, type PointGroups } from './shown-points';
import type { TileFeatures } from './tile-features';
import type { TileAddress } from './tile-grid';

/** From here on points stand by themselves, where they are few enough to be told apart. */
const DETAIL_ZOOM = 14;

/** A tile with so many points or fewer names those that stand alone. */
const MOST_LABELLED = 1000;

/** `squarePixels` is the width of a square. False when there are no points. */
export async function addPointFeatures(
  sources: readonly PointSource[],
  address: TileAddress,
  features: TileFeatures,
  squarePixels = 1,
): Promise<boolean> {
  const mostAlone = address.zoom >= DETAIL_ZOOM ? MOST_LABELLED : 0;
  const groups = await shownPoints(sources, address, { squarePixels, mostAlone });
  const isLabelled = groups.points <= MOST_LABELLED;
  const labels = isLabelled ? await labelsOf(sources, singlePoints(groups)) : new Map<number, Label>();
  for (let group = 0; group < groups.size; group++) features.addPoints(groups, group, labels.get(group));
  return groups.size > 0;
}

function singlePoints({ size, ends, release, point }: PointGroups): readonly SinglePoint[] {
  const groups = Array.from({ length: size }, (_, group) => group);
  const isSingle = (group: number): boolean => numberAt(ends, group) === (ends[group - 1] ?? 0) + 1;
  return groups
    .filter(isSingle)
    .map((group) => ({ group, release: numberAt(release, group), point: numberAt(point, group) }));
}
