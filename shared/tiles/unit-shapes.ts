// The areas of the reporting units of a release, clipped and simplified for each tile by geojson-vt (ADR 0088).

import type { Position } from 'geojson';
import GeoJSONVT from 'geojson-vt';
import { loadPlaceChunkBoxes, loadPlaceChunks } from '../search/index/release-index';
import { countPlaces, readLookups } from '../search/index/release-lookups';
import type { SearchableRelease } from '../search/index/search-caches';
import { giveWayIfSliceOver } from '../store/deadline';
import type { ReleaseReader } from '../store/port';
import { HALF_CIRCUMFERENCE_METERS, toWebMercator } from '../values/coordinate-systems';
import { decodeGeometry } from '../values/encode-geometry';
import { boundingBox, countPositions, type Geometry } from '../values/geometry';
import { numberAt } from '../values/number-arrays';
import type { TileShape } from './tile-features';
import { MAX_ZOOM, TILE_BUFFER, TILE_EXTENT } from './tile-grid';

export interface UnitShapes {
  /** Keyed by rank. */
  readonly names: readonly (string | null)[];
  /** Keyed by rank: the longer of width and height of the unit, as a share of the world's width. */
  readonly sizes: Float64Array;
  /** The number of tiles in memory. A tile stays in memory once it was requested. */
  readonly tiles: number;
  /** The units of a tile, clipped and simplified for its zoom. */
  readonly getShapes: (zoom: number, row: number, column: number) => readonly TileShape[];
}

interface UnitGeometry {
  readonly rank: number;
  readonly geometry: Geometry;
}

/** Approximate memory of a position, in the areas and in the tiles of low zooms. */
const BYTES_PER_POSITION = 60;

/** With this many tiles in memory, the areas are read again, so that panning does not fill the memory. */
const MAX_TILES = 2000;

/** Number of units to read at once. It is small, because their texts include their geometries. */
const UNITS_AT_ONCE = 64;

export async function loadUnitShapes(release: SearchableRelease): Promise<UnitShapes> {
  const { reader, caches } = release;
  const key = reader.facts.releaseId;
  const cache = caches.getCache<UnitShapes>('unitShapes');
  const cached = cache.get(key);
  if (cached !== undefined && cached.tiles < MAX_TILES) return cached;
  const geometries = await loadGeometries(release);
  const names = await loadNames(reader);
  const shapes = buildUnitShapes(geometries, names);
  const positions = geometries.reduce((sum, { geometry }) => sum + countPositions(geometry), 0);
  cache.set(key, shapes, positions * BYTES_PER_POSITION);
  return shapes;
}

/** Loads the geometries, in the order in which the release stores them. */
async function loadGeometries(release: SearchableRelease): Promise<readonly UnitGeometry[]> {
  const chunkCount = (await loadPlaceChunkBoxes(release)).length / 4;
  const chunkNumbers = Array.from({ length: chunkCount }, (_, chunk) => chunk);
  const chunks = await loadPlaceChunks(release, chunkNumbers);
  const units = chunks
    .flatMap(({ ranks, geometries }) =>
      Array.from(geometries, (geometry, index) => ({ geometry, rank: numberAt(ranks, index) })),
    )
    .sort((a, b) => a.geometry - b.geometry);
  const contents = await release.reader.blobs(
    'geometries',
    Uint32Array.from(units, ({ geometry }) => geometry),
  );
  return contents.map((content, index) => ({
    rank: units[index]?.rank ?? NaN,
    geometry: limitPositions(decodeGeometry(content)),
  }));
}

/**
 * Maximum positions of a ring or a line. geojson-vt simplifies recursively: a malicious ring takes as many levels as it
 * has positions, and quadratic time. 30,000 positions overflow the stack.
 */
const MAX_PATH_POSITIONS = 5_000;

/** Keeps every nth position of long paths. A map cannot show that much detail in a unit. */
function limitPositions(geometry: Geometry): Geometry {
  switch (geometry.type) {
    case 'Point':
    case 'MultiPoint':
      return geometry;
    case 'LineString':
      return { ...geometry, coordinates: limitPath(geometry.coordinates) };
    case 'MultiLineString':
    case 'Polygon':
      return { ...geometry, coordinates: geometry.coordinates.map(limitPath) };
    case 'MultiPolygon':
      return { ...geometry, coordinates: geometry.coordinates.map((rings) => rings.map(limitPath)) };
  }
}

/** Keeps the first and the last position, which close a ring. */
function limitPath(path: Position[]): Position[] {
  const step = Math.ceil(path.length / MAX_PATH_POSITIONS);
  return step === 1 ? path : path.filter((_, index) => index % step === 0 || index === path.length - 1);
}

/** Loads the names of the units, keyed by rank. */
async function loadNames(reader: ReleaseReader): Promise<readonly (string | null)[]> {
  const count = countPlaces({ reader });
  const names: (string | null)[] = [];
  for (let start = 0; start < count; start += UNITS_AT_ONCE) {
    const length = Math.min(UNITS_AT_ONCE, count - start);
    const ranks = Array.from({ length }, (_, index) => start + index);
    const units = await readLookups(reader, 'ReportingUnits', ranks);
    // The declared type of the member.
    for (const unit of units) names.push(unit['ReportingUnitName'] as string | null);
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

/** Returns the longer side of the box on the map, as a share of the world's width. */
function measureSize(geometry: Geometry): number {
  const [west, south, east, north] = boundingBox(geometry);
  const [left, bottom] = toWebMercator([west, south]);
  const [right, top] = toWebMercator([east, north]);
  return Math.max(right - left, top - bottom) / (2 * HALF_CIRCUMFERENCE_METERS);
}
