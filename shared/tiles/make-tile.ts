// The tile of a collection (D50): what the releases of an answer have of which a condition is true, drawn.

import type { Condition } from '../query/condition';
import type { TileCollection } from '../query/tile-collections';
import { evaluate } from '../search/evaluate';
import { placeNamesOf } from '../search/index/release-index';
import type { SearchCaches } from '../search/index/search-caches';
import { matchingPlaces } from '../search/places/plan-places';
import type { ReadRelease } from '../search/plan-page';
import { BitSet } from '../values/bytes/bit-set';
import { numberAt } from '../values/numbers';
import {
  type FoundPoints,
  idOf,
  type Label,
  labelsOf,
  labelsOfRights,
  labelsOfSites,
  numberClasses,
  type PointSource,
  type SinglePoint,
} from './found-points';
import { releasePointsOf } from './release-points';
import { type PointGroups, shownPoints } from './shown-points';
import { type CountedShape, isInTile, TileFeatures, type WrittenTile } from './tile-features';
import { TILE_PIXELS, type TileAddress } from './tile-grid';
import { type UnitShapes, unitShapesOf } from './unit-shapes';

/** A tile of what a condition finds. */
export interface AskedTile {
  /** Its name in the path, which is that of the layer. */
  readonly collection: TileCollection['id'];
  readonly address: TileAddress;
  readonly condition: Condition;
  /** The width in pixels of the squares whose points stand as one. */
  readonly cluster: number;
}

/** Undefined for a tile in which nothing is drawn. Throws as a search does. */
export async function makeTile(
  asked: AskedTile,
  releases: readonly ReadRelease[],
  caches: SearchCaches,
): Promise<WrittenTile | undefined> {
  const { collection, address, condition, cluster } = asked;
  if (collection === 'reporting-units') {
    const units = numberClasses(await unitsOf(releases, condition, caches));
    const features = new TileFeatures(units);
    return (await addUnitFeatures(units, address, features)) ? features.finish(collection) : undefined;
  }
  const isOfRights = collection === 'allocations';
  const sources = numberClasses(
    await (isOfRights ? rightsOf(releases, condition, caches) : sitesOf(releases, condition, caches)),
  );
  const features = new TileFeatures(sources);
  return (await addPointFeatures(sources, address, features, cluster)) ? features.finish(collection) : undefined;
}

async function rightsOf(
  releases: readonly ReadRelease[],
  condition: Condition,
  caches: SearchCaches,
): Promise<readonly FoundPoints[]> {
  return Promise.all(
    releases.map(async (release) => {
      const { reader } = release;
      const records = await evaluate(condition, release, caches);
      const found = records.size === reader.facts.records ? undefined : bitsOf(records.numbers());
      const points = await releasePointsOf('rights', reader, caches);
      return { reader, points, found, labelsOf: (records: Uint32Array) => labelsOfRights(reader, records) };
    }),
  );
}

async function sitesOf(
  releases: readonly ReadRelease[],
  condition: Condition,
  caches: SearchCaches,
): Promise<readonly FoundPoints[]> {
  return Promise.all(
    (await matchingPlaces(releases, condition, caches)).map(async ({ reader, ranks }) => {
      const points = await releasePointsOf('places', reader, caches);
      const labelsOf = (wanted: Uint32Array): Promise<readonly Label[]> => labelsOfSites(reader, wanted);
      return { reader, points, found: bitsOf(ranks), labelsOf };
    }),
  );
}

async function unitsOf(
  releases: readonly ReadRelease[],
  condition: Condition,
  caches: SearchCaches,
): Promise<readonly Omit<UnitSource, 'firstClass'>[]> {
  return Promise.all(
    (await matchingPlaces(releases, condition, caches)).map(async ({ reader, ranks }) => {
      const points = await releasePointsOf('places', reader, caches);
      const shapes = await unitShapesOf(reader, caches);
      const ids = await placeNamesOf(reader, caches);
      const labelOf = (rank: number): Label => ({
        id: idOf(reader, ids[rank] ?? null),
        name: shapes.names[rank] ?? null,
      });
      const labelsOf = (wanted: Uint32Array): Promise<readonly Label[]> =>
        Promise.resolve(Array.from(wanted, (rank) => labelOf(rank)));
      return { reader, points, shapes, found: bitsOf(ranks), labelsOf };
    }),
  );
}

function bitsOf(numbers: Uint32Array): BitSet {
  const bits = new BitSet((numbers.at(-1) ?? -1) + 1);
  for (const number of numbers) bits.add(number);
  return bits;
}

// A tile of points: each square that has several is one feature with their count and what most of them have. A square
// is a pixel (ADR 0088), or as many as the client asks for (ADR 0126).

/** From here on points stand by themselves, where they are few enough to be told apart. */
const DETAIL_ZOOM = 14;

/** A tile with so many points or fewer names those that stand alone. */
const MOST_LABELLED = 1000;

/** `squarePixels` is the width of a square. False when there are no points. */
async function addPointFeatures(
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

// A tile of reporting units: their areas, and those that are smaller than a pixel as points (ADR 0089). A unit is
// counted in the tile in which the middle of its box lies.

export interface UnitSource extends PointSource {
  readonly shapes: UnitShapes;
}

/** False when nothing was added. */
async function addUnitFeatures(
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
