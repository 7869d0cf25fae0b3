// A tile of reporting units: their areas, and those that are smaller than a pixel as points (ADR 0089). A unit is
// counted in the tile in which the middle of its box lies.

import { BitSet } from '../values/bytes/bit-set';
import { numberAt } from '../values/numbers';
import type { UnitShapes } from '../search/points/unit-shapes';
import type { PointSource } from './found-points';
import { addPointFeatures } from './point-tile';
import { shownPoints, type PointGroups } from './shown-points';
import { isInTile, type CountedShape, type TileFeatures } from './tile-features';
import { TILE_PIXELS, type TileAddress } from './tile-grid';

export interface UnitSource extends PointSource {
  readonly shapes: UnitShapes;
}

/** False when nothing was added. */
export async function addUnitFeatures(
  sources: readonly UnitSource[],
  address: TileAddress,
  features: TileFeatures,
): Promise<boolean> {
  const middles = await shownPoints(sources, address, { squarePixels: 1, mostAlone: Infinity });
  const drawn = sources.map((source, release) => {
    const inTile = middlesInTile(middles, release);
    return { source, inTile, shapes: drawnShapes(source, address, inTile) };
  });
  const asPoints = drawn.map(({ source, inTile, shapes }) => ({
    ...source,
    found: unitsAsPoints(source, address, shapes, inTile),
  }));
  const hasPoints = await addPointFeatures(asPoints, address, features);
  for (const { source, shapes } of drawn) {
    const labels = await source.labelsOf(Uint32Array.from(shapes, ({ shape }) => shape.rank));
    shapes.forEach((shape, index) => {
      features.addShape(shape, labels[index]);
    });
  }
  return hasPoints || drawn.some(({ shapes }) => shapes.length > 0);
}

/** The points of a release whose units are counted in the tile. */
function middlesInTile({ size, x, y, release, point }: PointGroups, wanted: number): ReadonlySet<number> {
  const middles = new Set<number>();
  for (let group = 0; group < size; group++) {
    const isInside = isInTile(numberAt(x, group), numberAt(y, group));
    if (isInside && release[group] === wanted) middles.add(numberAt(point, group));
  }
  return middles;
}

function drawnShapes(
  { points, found, shapes, firstClass }: UnitSource,
  { zoom, row, column }: TileAddress,
  middles: ReadonlySet<number>,
): readonly CountedShape[] {
  const pointOfRank = new Map(Array.from(points.items, (rank, point) => [rank, point]));
  return shapes.shapesOf(zoom, row, column).flatMap((shape) => {
    const point = pointOfRank.get(shape.rank);
    // A unit to which no record refers has no point.
    if (point === undefined || found?.has(shape.rank) === false || isTiny(shapes, shape.rank, zoom)) return [];
    return [{ shape, point, classNumber: firstClass + numberAt(points.classes, point), isCounted: middles.has(point) }];
  });
}

/** The found units that stand as points: those under a pixel, and those that have no area where their middle is. */
function unitsAsPoints(
  { points, found, shapes }: UnitSource,
  { zoom }: TileAddress,
  drawn: readonly CountedShape[],
  middles: ReadonlySet<number>,
): BitSet {
  const units = new BitSet(shapes.names.length);
  for (const rank of points.items) if (found?.has(rank) !== false && isTiny(shapes, rank, zoom)) units.add(rank);
  const drawnPoints = new Set(drawn.map(({ point }) => point));
  for (const point of middles) if (!drawnPoints.has(point)) units.add(numberAt(points.items, point));
  return units;
}

function isTiny({ sizes }: UnitShapes, rank: number, zoom: number): boolean {
  return numberAt(sizes, rank) * TILE_PIXELS * 2 ** zoom < 1;
}
