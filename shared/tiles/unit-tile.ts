// A tile of reporting units: their areas, with units smaller than a pixel drawn as points (ADR 0088). A unit is counted
// in the tile that contains the center of its bounding box.

import { BitSet } from '../values/bytes/bit-set';
import { numberAt } from '../values/number-arrays';
import { findPointRange } from './morton-order';
import type { PointSource } from './point-source';
import { addPointFeatures } from './point-tile';
import type { CountedShape, TileFeatures } from './tile-features';
import { getShownBox, isInBox, TILE_PIXELS, type TileAddress } from './tile-grid';
import type { UnitShapes } from './unit-shapes';

/** The points are the centers of the units' bounding boxes. */
export interface UnitSource extends PointSource {
  readonly shapes: UnitShapes;
}

/** Units smaller than a pixel are drawn as points, and units in the same pixel become one feature. */
const ONE_PIXEL = { cluster: 1, spacing: 1 };

export async function addUnitFeatures(
  sources: readonly UnitSource[],
  address: TileAddress,
  features: TileFeatures,
): Promise<void> {
  const drawn = sources.map((source) => {
    const middles = findMiddlesInTile(source, address);
    return { source, middles, shapes: listDrawnShapes(source, address, middles) };
  });
  const pointSources = drawn.map(({ source, middles, shapes }): PointSource => ({
    ...source,
    matches: findUnitsDrawnAsPoints(source, address, shapes, middles),
  }));
  await addPointFeatures(pointSources, address, features, ONE_PIXEL);
  for (const { source, shapes } of drawn) {
    const labels = await source.loadLabels(Uint32Array.from(shapes, ({ shape }) => shape.rank));
    shapes.forEach((shape, index) => {
      features.addShape(shape, labels[index]);
    });
  }
}

/** Finds the points of the matching units that are counted in the tile. */
function findMiddlesInTile({ points, matches }: UnitSource, address: TileAddress): ReadonlySet<number> {
  const box = getShownBox(address, 0);
  const [from, to] = findPointRange(points, box);
  const middles = new Set<number>();
  for (let point = from; point < to; point++) {
    const isInside = isInBox(box, numberAt(points.x, point), numberAt(points.y, point));
    if (isInside && matches?.has(numberAt(points.items, point)) !== false) middles.add(point);
  }
  return middles;
}

function listDrawnShapes(
  { points, matches, shapes, firstClass }: UnitSource,
  { zoom, row, column }: TileAddress,
  middles: ReadonlySet<number>,
): readonly CountedShape[] {
  const pointByRank = new Map(Array.from(points.items, (rank, point) => [rank, point]));
  return shapes.getShapes(zoom, row, column).flatMap((shape) => {
    const point = pointByRank.get(shape.rank);
    if (point === undefined || matches?.has(shape.rank) === false || isTiny(shapes, shape.rank, zoom)) return [];
    return [{ shape, point, classNumber: firstClass + numberAt(points.classes, point), isCounted: middles.has(point) }];
  });
}

/**
 * Finds the matching units that are smaller than a pixel, and the units that are counted in the tile but have no area
 * in it.
 */
function findUnitsDrawnAsPoints(
  { points, matches, shapes }: UnitSource,
  { zoom }: TileAddress,
  drawnShapes: readonly CountedShape[],
  middles: ReadonlySet<number>,
): BitSet {
  const units = new BitSet(shapes.names.length);
  for (const rank of points.items) {
    if (matches?.has(rank) !== false && isTiny(shapes, rank, zoom)) units.add(rank);
  }
  const drawnPoints = new Set(drawnShapes.map(({ point }) => point));
  for (const point of middles) {
    if (!drawnPoints.has(point)) units.add(numberAt(points.items, point));
  }
  return units;
}

/** Whether a unit is smaller than a pixel. */
function isTiny({ sizes }: UnitShapes, rank: number, zoom: number): boolean {
  return numberAt(sizes, rank) * TILE_PIXELS * 2 ** zoom < 1;
}
