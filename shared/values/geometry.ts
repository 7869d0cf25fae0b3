// Geometries of boundaries, sites and reporting units (D15), and calculations with their coordinates. Everything is
// planar, with longitude then latitude in degrees. Additional ordinates of a position are ignored.

import type { LineString, MultiLineString, MultiPoint, MultiPolygon, Point, Polygon, Position } from 'geojson';

export type Geometry = Point | MultiPoint | LineString | MultiLineString | Polygon | MultiPolygon;

/** West, south, east, north, in degrees. */
export type Box = readonly [west: number, south: number, east: number, north: number];

type Path = readonly Position[];

/** The rings of one polygon, or all the lines or points of a geometry that has no area. */
export type Part = readonly Path[];

/** Returns the parts of a geometry of any type, for code that treats all positions alike. */
export function toParts(geometry: Geometry): readonly Part[] {
  switch (geometry.type) {
    case 'Point':
      return [[[geometry.coordinates]]];
    case 'MultiPoint':
    case 'LineString':
      return [[geometry.coordinates]];
    case 'MultiLineString':
    case 'Polygon':
      return [geometry.coordinates];
    case 'MultiPolygon':
      return geometry.coordinates;
  }
}

export function boundingBox(geometry: Geometry): Box {
  let west = Infinity;
  let south = Infinity;
  let east = -Infinity;
  let north = -Infinity;
  for (const path of toPaths(geometry)) {
    for (const position of path) {
      const longitude = position[0] ?? NaN;
      const latitude = position[1] ?? NaN;
      if (longitude < west) west = longitude;
      if (longitude > east) east = longitude;
      if (latitude < south) south = latitude;
      if (latitude > north) north = latitude;
    }
  }
  return [west, south, east, north];
}

/** Returns the corners of a box in the order of a polygon's ring. */
export function boxToRing([west, south, east, north]: Box): [number, number][] {
  return [
    [west, south],
    [east, south],
    [east, north],
    [west, north],
    [west, south],
  ];
}

/** Unites two boxes. A missing box counts as empty. Undefined if both are missing. */
export function uniteBoxes(a: Box | undefined, b: Box | undefined): Box | undefined {
  if (a === undefined || b === undefined) return a ?? b;
  return [Math.min(a[0], b[0]), Math.min(a[1], b[1]), Math.max(a[2], b[2]), Math.max(a[3], b[3])];
}

export function countPositions(geometry: Geometry): number {
  return toPaths(geometry).reduce((count, path) => count + path.length, 0);
}

/** Orients outer rings counterclockwise and holes clockwise (RFC 7946, section 3.1.6). */
export function applyRightHandRule(geometry: Geometry): Geometry {
  if (geometry.type === 'Polygon') return { ...geometry, coordinates: orientRings(geometry.coordinates) };
  if (geometry.type === 'MultiPolygon') return { ...geometry, coordinates: geometry.coordinates.map(orientRings) };
  return geometry;
}

export function toPaths(geometry: Geometry): Part {
  return geometry.type === 'MultiPolygon' ? geometry.coordinates.flat() : (toParts(geometry)[0] ?? []);
}

/** The first ring of a polygon is its outer ring. */
function orientRings(rings: Position[][]): Position[][] {
  return rings.map((ring, index) => {
    const area = signedArea(ring);
    const isReversed = index === 0 ? area < 0 : area > 0;
    return isReversed ? [...ring].reverse() : ring;
  });
}

/**
 * Returns twice the area in square degrees, positive if counterclockwise, measured from the first position for
 * precision.
 */
function signedArea(ring: Path): number {
  const [[x0 = 0, y0 = 0] = []] = ring;
  let area = 0;
  let ax = x0;
  let ay = y0;
  for (const [bx = 0, by = 0] of ring) {
    area += (ax - x0) * (by - y0) - (bx - x0) * (ay - y0);
    [ax, ay] = [bx, by];
  }
  return area;
}
