// The areas of the reporting units of a release, clipped and simplified by geojson-vt, once per release and tile.

import GeoJSONVT from 'geojson-vt';

import { dataSetLayouts } from '../records/data-sets';
import type { ReportingUnit } from '../records/lookups';
import { lookupRange, placeChunksOf, placesOf } from '../search/index/release-index';
import type { SearchCaches } from '../search/index/search-caches';
import { currentDeadline } from '../store/deadline';
import { listText } from '../store/fragments';
import type { ReleaseReader } from '../store/port';
import { boundingBox, countPositions, decodeGeometry, type Geometry } from '../values/geometry';
import { numberAt } from '../values/numbers';
import { HALF_WORLD, webMercatorOf } from '../values/web-mercator';
import { MAX_ZOOM, TILE_BUFFER, TILE_EXTENT } from './tile-grid';

/** About what a position takes in memory, in the areas themselves and in the tiles of low zooms. */
const BYTES_PER_POSITION = 60;

/** With so many tiles in memory the areas are read anew, so that wandering over a map does not fill it. */
const MOST_TILES = 2000;

/** Texts of units hold their geometries too, so few of them are read together. */
const UNITS_AT_ONCE = 64;

export async function unitShapesOf(reader: ReleaseReader, caches: SearchCaches): Promise<UnitShapes> {
  const key = reader.facts.releaseId;
  const cache = caches.partOf<UnitShapes>('unitShapes');
  const known = cache.get(key);
  if (known !== undefined && known.tiles < MOST_TILES) return known;
  const geometries = await geometriesOf(reader, caches);
  const names = await namesOf(reader);
  const shapes = shapesFrom(geometries, names);
  const positions = geometries.reduce((sum, { geometry }) => sum + countPositions(geometry), 0);
  cache.set(key, shapes, positions * BYTES_PER_POSITION);
  return shapes;
}

interface UnitGeometry {
  readonly rank: number;
  readonly geometry: Geometry;
}

async function geometriesOf(reader: ReleaseReader, caches: SearchCaches): Promise<readonly UnitGeometry[]> {
  const count = (await placesOf(reader, caches)).length / 4;
  const numbers = Array.from({ length: count }, (_, chunk) => chunk);
  const chunks = await placeChunksOf(reader, numbers, caches);
  const units = chunks
    .flatMap(({ ranks, geometries }) =>
      Array.from(geometries, (number, place) => ({ number, rank: numberAt(ranks, place) })),
    )
    .sort((a, b) => a.number - b.number);
  const contents = await reader.blobs(
    'geometries',
    Uint32Array.from(units, ({ number }) => number),
  );
  return contents.map((content, index) => ({
    rank: units[index]?.rank ?? NaN,
    geometry: decodeGeometry(content),
  }));
}

async function namesOf(reader: ReleaseReader): Promise<readonly (string | null)[]> {
  const [first, end] = lookupRange(reader, dataSetLayouts[reader.facts.dataSet].placeKind);
  const names: (string | null)[] = [];
  for (let start = first; start < end; start += UNITS_AT_ONCE) {
    const length = Math.min(UNITS_AT_ONCE, end - start);
    const numbers = Uint32Array.from({ length }, (_, index) => start + index);
    const texts = listText(await reader.lookups(numbers));
    const units = JSON.parse(texts) as readonly ReportingUnit[]; // The loader wrote them.
    names.push(...units.map(({ ReportingUnitName }) => ReportingUnitName));
    const deadline = currentDeadline();
    if (deadline.isSliceOver()) await deadline.giveWay();
  }
  return names;
}

function shapesFrom(units: readonly UnitGeometry[], names: readonly (string | null)[]): UnitShapes {
  const sizes = new Float64Array(names.length);
  for (const { rank, geometry } of units) sizes[rank] = sizeOf(geometry);
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
    shapesOf: (zoom, row, column) =>
      (index.getTileRaw(zoom, column, row)?.features ?? []).map((feature): TileShape => {
        const rank = Number(feature.id);
        if (feature.type === 4) return { rank, type: 1, parts: [[feature.x, feature.y]] };
        if (feature.type === 1) return { rank, type: 1, parts: [feature.geometry] };
        return { rank, type: feature.type, parts: feature.geometry };
      }),
  };
}

/** The longer side of the box on the map, as a share of the world's width. */
function sizeOf(geometry: Geometry): number {
  const [west, south, east, north] = boundingBox(geometry);
  const [left, bottom] = webMercatorOf([west, south]);
  const [right, top] = webMercatorOf([east, north]);
  return Math.max(right - left, top - bottom) / (2 * HALF_WORLD);
}

// The areas of reporting units as the tiles of a map draw them.

/** A part of a unit in a tile: points, lines, or rings with their first position at the end again, as x, y, x, y. */
export interface TileShape {
  readonly rank: number;
  readonly type: 1 | 2 | 3;
  readonly parts: readonly ArrayLike<number>[];
}

export interface UnitShapes {
  /** The names of units by rank. */
  readonly names: readonly (string | null)[];
  /** How wide or high each unit is, the longer of both, as a share of the world's width; by rank. */
  readonly sizes: Float64Array;
  /** How many tiles are in memory: each that is asked for stays there. */
  readonly tiles: number;
  /** The units of a tile, clipped and simplified for its zoom. */
  readonly shapesOf: (zoom: number, row: number, column: number) => readonly TileShape[];
}
