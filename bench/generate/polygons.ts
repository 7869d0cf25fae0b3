// Generates places as WKT: closed polygons that never cross themselves, with longitude before latitude.

import type { SeededRandom } from './seeded-random';

export interface DegreeBox {
  readonly west: number;
  readonly south: number;
  readonly east: number;
  readonly north: number;
}

export type Position = readonly [longitude: number, latitude: number];

/** About a millimeter: fine enough to distinguish neighbors on a ring of 5,000 positions. */
const STEPS_A_DEGREE = 1e8;

/** Maximum distance of a border from its box, as a share of the distance to its center. */
const BORDER_DEPTH = 0.08;

/** A polygon needs at least this many corners to enclose an area. */
const MIN_CORNERS = 4;

/**
 * The distance between the centers of two parts, in units of their reach. An area extends to at most 1.05 times its
 * reach, so parts do not touch.
 */
const PART_SPACING = 2.2;

/** An area that nearly fills the box, like a county or a watershed among its neighbors. */
export function drawPolygonInBox(random: SeededRandom, box: DegreeBox, corners: number): string {
  const middle: Position = [(box.west + box.east) / 2, (box.south + box.north) / 2];
  const halfWidth = (box.east - box.west) / 2;
  const halfHeight = (box.north - box.south) / 2;
  return formatPolygon(
    drawStarRing(middle, corners, (east, north) => {
      const edge = Math.min(halfWidth / Math.abs(east), halfHeight / Math.abs(north));
      return edge * (1 - BORDER_DEPTH * random.next());
    }),
  );
}

/** An area around a position, with bays and headlands, like the service area of a town. `reach` is in degrees. */
export function drawPolygonAround(random: SeededRandom, middle: Position, reach: number, corners: number): string {
  return formatPolygon(drawRingAround(random, middle, reach, corners));
}

/** Draws an area like `drawPolygonAround`, divided into one or several adjacent parts that share its corners. */
export function drawAreaAround(
  random: SeededRandom,
  middle: Position,
  { reach, corners, parts }: { readonly reach: number; readonly corners: number; readonly parts: number },
): string {
  if (parts === 1) return drawPolygonAround(random, middle, reach, corners);
  const cornersEach = Math.max(MIN_CORNERS, Math.ceil(corners / parts));
  const rings = Array.from({ length: parts }, (_, part) =>
    formatRing(drawRingAround(random, [middle[0] + PART_SPACING * reach * part, middle[1]], reach, cornersEach)),
  );
  return `MULTIPOLYGON (${rings.map((ring) => `(${ring})`).join(', ')})`;
}

function drawRingAround(random: SeededRandom, middle: Position, reach: number, corners: number): Position[] {
  const first = random.next() * Math.PI;
  const second = random.next() * Math.PI;
  return drawStarRing(middle, corners, (east, north) => {
    const angle = Math.atan2(north, east);
    const bays = 0.2 * Math.sin(2 * angle + first) + 0.15 * Math.sin(5 * angle + second);
    return reach * (0.65 + bays + 0.05 * random.next());
  });
}

/** The ring must not repeat its first position at the end, because this function adds it. */
export function formatPolygon(ring: readonly Position[]): string {
  return `POLYGON (${formatRing(ring)})`;
}

function formatRing(ring: readonly Position[]): string {
  const positions = ring.map(([longitude, latitude]) => `${formatCoordinate(longitude)} ${formatCoordinate(latitude)}`);
  return `(${[...positions, ...positions.slice(0, 1)].join(', ')})`;
}

/** Each corner is in its own direction from the center, so no two edges can cross. */
function drawStarRing(
  middle: Position,
  corners: number,
  distance: (east: number, north: number) => number,
): Position[] {
  return Array.from({ length: corners }, (_, corner) => {
    const angle = (2 * Math.PI * corner) / corners;
    const east = Math.cos(angle);
    const north = Math.sin(angle);
    const distanceAway = distance(east, north);
    return [middle[0] + distanceAway * east, middle[1] + distanceAway * north];
  });
}

function formatCoordinate(degrees: number): string {
  return String(Math.round(degrees * STEPS_A_DEGREE) / STEPS_A_DEGREE);
}
