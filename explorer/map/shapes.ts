// Converts drawn areas to boundary strings for the service (D15, ADR 0036) and to rings for the map. Pure. Positions
// are longitude and latitude in degrees.

import type { Polygon } from 'geojson';

export type MapPosition = readonly [longitude: number, latitude: number];

/** Enough corners for a smooth circle. A boundary may have 5,000. */
const CIRCLE_CORNERS = 64;

/** About 10 centimeters. */
const DECIMALS = 6;

const RADIANS = Math.PI / 180;

export function formatBox([west, south]: MapPosition, [east, north]: MapPosition): string {
  const left = Math.min(west, east);
  const right = Math.max(west, east);
  const bottom = Math.min(south, north);
  const top = Math.max(south, north);
  return `bbox:${[left, bottom, right, top].map(roundDegrees).join(',')}`;
}

export function formatPolygon(corners: readonly MapPosition[]): string {
  const ring = closeRing(corners);
  return `POLYGON((${ring.map(([longitude, latitude]) => `${roundDegrees(longitude)} ${roundDegrees(latitude)}`).join(', ')}))`;
}

/** A circle on the ground: degrees of longitude get shorter toward the poles. */
export function computeCircle(center: MapPosition, edge: MapPosition): readonly MapPosition[] {
  const longitudeScale = Math.max(Math.cos(center[1] * RADIANS), 0.01);
  const radius = Math.hypot((edge[0] - center[0]) * longitudeScale, edge[1] - center[1]);
  return Array.from({ length: CIRCLE_CORNERS }, (_, corner): MapPosition => {
    const angle = (corner / CIRCLE_CORNERS) * 2 * Math.PI;
    return [
      clamp(center[0] + (radius * Math.cos(angle)) / longitudeScale, 180),
      clamp(center[1] + radius * Math.sin(angle), 90),
    ];
  });
}

export function getBoxCorners([west, south]: MapPosition, [east, north]: MapPosition): readonly MapPosition[] {
  return [
    [west, south],
    [east, south],
    [east, north],
    [west, north],
  ];
}

/** Parses a box or a polygon of one ring; undefined for any other boundary. */
export function parseCorners(text: string): readonly MapPosition[] | undefined {
  const [, box] = /^\s*bbox:\s*([-\d.,\s]+)$/i.exec(text) ?? [];
  if (box !== undefined) {
    const [west = NaN, south = NaN, east = NaN, north = NaN] = box.split(',').map(Number);
    return Number.isNaN(west + south + east + north) ? undefined : getBoxCorners([west, south], [east, north]);
  }
  const [, ring] = /^\s*polygon\s*\(\s*\(([-\d.,\s]+)\)\s*\)\s*$/i.exec(text) ?? [];
  const corners = ring?.split(',').map((pair) => pair.trim().split(/\s+/).map(Number));
  return corners?.flatMap(([longitude = NaN, latitude = NaN]): MapPosition[] => [[longitude, latitude]]);
}

/** A GeoJSON polygon with a closed ring. */
export function buildPolygon(corners: readonly MapPosition[]): Polygon {
  return { type: 'Polygon', coordinates: [closeRing(corners).map((corner) => [...corner])] };
}

function closeRing(corners: readonly MapPosition[]): readonly MapPosition[] {
  const [first] = corners;
  return first === undefined ? [] : [...corners, first];
}

function clamp(degrees: number, max: number): number {
  return Math.min(Math.max(degrees, -max), max);
}

function roundDegrees(degrees: number): number {
  return Number(degrees.toFixed(DECIMALS));
}
