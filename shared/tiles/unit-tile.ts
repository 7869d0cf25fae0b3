// A tile of reporting units: their areas, clipped and simplified by geojson-vt once per release and tile, and those
// that are smaller than a pixel as points (ADR 0088). A unit is counted in the tile in which the middle of its box
// lies.

import GeoJSONVT from 'geojson-vt';
import { loadPlaceChunkBoxes, loadPlaceChunks } from '../search/index/release-index';
import { countPlaces, readLookups } from '../search/index/release-lookups';
import type { SearchableRelease } from '../search/index/search-caches';
import { giveWayIfSliceOver } from '../store/deadline';
import type { ReleaseReader } from '../store/port';
import { BitSet } from '../values/bytes/bit-set';
import { HALF_CIRCUMFERENCE_METERS, toWebMercator } from '../values/coordinate-systems';
import { decodeGeometry } from '../values/encode-geometry';
import { boundingBox, countPositions, type Geometry } from '../values/geometry';
import { numberAt } from '../values/number-arrays';
import { addPointFeatures } from './point-tile';
import type { PointSource } from './release-points';
import type { CountedShape, TileFeatures, TileShape } from './tile-features';
import {
  findPointRange,
  getShownBox,
  isInBox,
  MAX_ZOOM,
  TILE_BUFFER,
  TILE_EXTENT,
  TILE_PIXELS,
  type TileAddress,
} from './tile-grid';

export interface UnitSource extends PointSource {
  readonly shapes: UnitShapes;
}

export async function addUnitFeatures(
  sources: readonly UnitSource[],
  address: TileAddress,
  features: TileFeatures,
): Promise<void> {
  const drawn = sources.map((source) => {
    const inTile = findMiddlesInTile(source, address);
    return { source, inTile, shapes: listDrawnShapes(source, address, inTile) };
  });
  const asPoints = drawn.map(({ source, inTile, shapes }) => ({
    ...source,
    matches: findUnitsDrawnAsPoints(source, address, shapes, inTile),
  }));
  await addPointFeatures(asPoints, address, features);
  for (const { source, shapes } of drawn) {
    const labels = await source.loadLabels(Uint32Array.from(shapes, ({ shape }) => shape.rank));
    shapes.forEach((shape, index) => {
      features.addShape(shape, labels[index]);
    });
  }
}

/** The points of the found units that are counted in the tile. */
function findMiddlesInTile({ points, matches: found }: UnitSource, address: TileAddress): ReadonlySet<number> {
  const box = getShownBox(address, 0);
  const [from, to] = findPointRange(points, box);
  const middles = new Set<number>();
  for (let point = from; point < to; point++) {
    const isInside = isInBox(box, numberAt(points.x, point), numberAt(points.y, point));
    if (isInside && found?.has(numberAt(points.items, point)) !== false) middles.add(point);
  }
  return middles;
}

function listDrawnShapes(
  { points, matches: found, shapes, firstClass }: UnitSource,
  { zoom, row, column }: TileAddress,
  middles: ReadonlySet<number>,
): readonly CountedShape[] {
  const pointOfRank = new Map(Array.from(points.items, (rank, point) => [rank, point]));
  return shapes.getShapes(zoom, row, column).flatMap((shape) => {
    const point = pointOfRank.get(shape.rank);
    if (point === undefined || found?.has(shape.rank) === false || isTiny(shapes, shape.rank, zoom)) return [];
    return [{ shape, point, classNumber: firstClass + numberAt(points.classes, point), isCounted: middles.has(point) }];
  });
}

/** The found units that stand as points: those under a pixel, and those that have no area where their middle is. */
function findUnitsDrawnAsPoints(
  { points, matches: found, shapes }: UnitSource,
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

export interface UnitShapes {
  /** The names of units by rank. */
  readonly names: readonly (string | null)[];
  /** How wide or high each unit is, the longer of both, as a share of the world's width; by rank. */
  readonly sizes: Float64Array;
  /** How many tiles are in memory: each that is asked for stays there. */
  readonly tiles: number;
  /** The units of a tile, clipped and simplified for its zoom. */
  readonly getShapes: (zoom: number, row: number, column: number) => readonly TileShape[];
}

/** About what a position takes in memory, in the areas themselves and in the tiles of low zooms. */
const BYTES_PER_POSITION = 60;

/** With so many tiles in memory the areas are read anew, so that wandering over a map does not fill it. */
const MAX_TILES = 2000;

/** Texts of units hold their geometries too, so few of them are read together. */
const UNITS_AT_ONCE = 64;

export async function loadUnitShapes(searched: SearchableRelease): Promise<UnitShapes> {
  const { reader, caches } = searched;
  const key = reader.facts.releaseId;
  const cache = caches.getCache<UnitShapes>('unitShapes');
  const known = cache.get(key);
  if (known !== undefined && known.tiles < MAX_TILES) return known;
  const geometries = await loadGeometries(searched);
  const names = await loadNames(reader);
  const shapes = buildUnitShapes(geometries, names);
  const positions = geometries.reduce((sum, { geometry }) => sum + countPositions(geometry), 0);
  cache.set(key, shapes, positions * BYTES_PER_POSITION);
  return shapes;
}

interface UnitGeometry {
  readonly rank: number;
  readonly geometry: Geometry;
}

async function loadGeometries(searched: SearchableRelease): Promise<readonly UnitGeometry[]> {
  const count = (await loadPlaceChunkBoxes(searched)).length / 4;
  const numbers = Array.from({ length: count }, (_, chunk) => chunk);
  const chunks = await loadPlaceChunks(searched, numbers);
  const units = chunks
    .flatMap(({ ranks, geometries }) =>
      Array.from(geometries, (number, place) => ({ number, rank: numberAt(ranks, place) })),
    )
    .sort((a, b) => a.number - b.number);
  const contents = await searched.reader.blobs(
    'geometries',
    Uint32Array.from(units, ({ number }) => number),
  );
  return contents.map((content, index) => ({
    rank: units[index]?.rank ?? NaN,
    geometry: decodeGeometry(content),
  }));
}

async function loadNames(reader: ReleaseReader): Promise<readonly (string | null)[]> {
  const count = countPlaces({ reader });
  const names: (string | null)[] = [];
  for (let start = 0; start < count; start += UNITS_AT_ONCE) {
    const length = Math.min(UNITS_AT_ONCE, count - start);
    const units = await readLookups(
      reader,
      'ReportingUnits',
      Array.from({ length }, (_, index) => start + index),
    );
    names.push(...units.map(({ ReportingUnitName: name }) => name as string | null)); // As the member is declared.
    await giveWayIfSliceOver();
  }
  return names;
}

function buildUnitShapes(units: readonly UnitGeometry[], names: readonly (string | null)[]): UnitShapes {
  const sizes = new Float64Array(names.length);
  for (const { rank, geometry } of units) sizes[rank] = measureSize(geometry);
  const index = new GeoJSONVT(
    {
      type: 'FeatureCollection',
      features: units.map(({ rank, geometry }) => ({ type: 'Feature', id: rank, geometry, properties: {} })),
    },
    { maxZoom: MAX_ZOOM, extent: TILE_EXTENT, buffer: TILE_BUFFER },
  );
  return {
    names,
    sizes,
    get tiles() {
      return index.tileCoords.length;
    },
    getShapes: (zoom, row, column) =>
      (index.getTileRaw(zoom, column, row)?.features ?? []).map((feature): TileShape => {
        const rank = Number(feature.id);
        if (feature.type === 4) return { rank, type: 1, parts: [[feature.x, feature.y]] };
        if (feature.type === 1) return { rank, type: 1, parts: [feature.geometry] };
        return { rank, type: feature.type, parts: feature.geometry };
      }),
  };
}

/** The longer side of the box on the map, as a share of the world's width. */
function measureSize(geometry: Geometry): number {
  const [west, south, east, north] = boundingBox(geometry);
  const [left, bottom] = toWebMercator([west, south]);
  const [right, top] = toWebMercator([east, north]);
  return Math.max(right - left, top - bottom) / (2 * HALF_CIRCUMFERENCE_METERS);
}
