// Areas that a person draws, as the texts that the service takes (D15, ADR 0036) and as rings for the map. Pure:
// longitude and latitude in degrees.

export type MapPosition = readonly [longitude: number, latitude: number];

export type ShapeForm = 'box' | 'polygon' | 'circle';

/** As many corners as make a circle round to the eye; a boundary may have 5,000. */
const CIRCLE_CORNERS = 64;

/** Some ten centimetres. */
const DECIMALS = 6;

const RADIANS = Math.PI / 180;

export function boxText([west, south]: MapPosition, [east, north]: MapPosition): string {
  const [left, right] = [Math.min(west, east), Math.max(west, east)];
  const [bottom, top] = [Math.min(south, north), Math.max(south, north)];
  return `bbox:${[left, bottom, right, top].map(rounded).join(',')}`;
}

export function drawnPolygonText(corners: readonly MapPosition[]): string {
  const ring = closed(corners);
  return `POLYGON((${ring.map(([longitude, latitude]) => `${rounded(longitude)} ${rounded(latitude)}`).join(', ')}))`;
}

/** Round on the ground: a degree of longitude is shorter the farther it is from the equator. */
export function circleCorners(centre: MapPosition, edge: MapPosition): readonly MapPosition[] {
  const narrowing = Math.max(Math.cos(centre[1] * RADIANS), 0.01);
  const radius = Math.hypot((edge[0] - centre[0]) * narrowing, edge[1] - centre[1]);
  return Array.from({ length: CIRCLE_CORNERS }, (_, corner): MapPosition => {
    const angle = (corner / CIRCLE_CORNERS) * 2 * Math.PI;
    return [
      inRange(centre[0] + (radius * Math.cos(angle)) / narrowing, 180),
      inRange(centre[1] + radius * Math.sin(angle), 90),
    ];
  });
}

export function boxCorners([west, south]: MapPosition, [east, north]: MapPosition): readonly MapPosition[] {
  return [
    [west, south],
    [east, south],
    [east, north],
    [west, north],
  ];
}

/** The corners of a boundary that stands in the filter as a box or as a polygon of one ring; undefined for another. */
export function cornersOfText(text: string): readonly MapPosition[] | undefined {
  const [, box] = /^\s*bbox:\s*([-\d.,\s]+)$/i.exec(text) ?? [];
  if (box !== undefined) {
    const [west = NaN, south = NaN, east = NaN, north = NaN] = box.split(',').map(Number);
    return Number.isNaN(west + south + east + north) ? undefined : boxCorners([west, south], [east, north]);
  }
  const [, ring] = /^\s*polygon\s*\(\s*\(([-\d.,\s]+)\)\s*\)\s*$/i.exec(text) ?? [];
  const corners = ring?.split(',').map((pair) => pair.trim().split(/\s+/).map(Number));
  return corners?.flatMap(([longitude = NaN, latitude = NaN]): MapPosition[] => [[longitude, latitude]]);
}

/** A polygon as GeoJSON has it, its ring closed. */
export function polygonGeometry(corners: readonly MapPosition[]): {
  type: 'Polygon';
  coordinates: [number, number][][];
} {
  return {
    type: 'Polygon',
    coordinates: [closed(corners).map(([longitude, latitude]): [number, number] => [longitude, latitude])],
  };
}

function closed(corners: readonly MapPosition[]): readonly MapPosition[] {
  const [first] = corners;
  return first === undefined ? [] : [...corners, first];
}

function inRange(degrees: number, most: number): number {
  return Math.min(Math.max(degrees, -most), most);
}

function rounded(degrees: number): number {
  return Number(degrees.toFixed(DECIMALS));
}
