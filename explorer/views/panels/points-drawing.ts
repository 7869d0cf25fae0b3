// Computes the positions of a right's points in a small map, and its scale. Pure.

import { computeLabelPoint } from '../../map/outlines';
import { listItems, type ReadMember } from '../../state/titles';

/** A point of diversion, a place of use, or not stated. */
export type SiteRole = 'POD' | 'POU' | '';

export interface SitePoint {
  readonly longitude: number;
  readonly latitude: number;
  readonly role: SiteRole;
}

/** In pixels. */
export const WIDTH = 320;
export const HEIGHT = 220;

const MARGIN = 18;

/** The minimum height in degrees of latitude: a point is useless without its surroundings. */
const MIN_SPAN = 0.5;

/** Near a pole, a degree of longitude has almost no width. */
const MIN_SHRINK = 0.1;

const MILES_PER_DEGREE = 69.05;

/** Converts positions to pixels. */
export interface Frame {
  readonly project: (longitude: number, latitude: number) => readonly [x: number, y: number];
  readonly milesPerPixel: number;
}

/** The sites with a position, in the order of the record. */
export function readSitePoints(read: ReadMember): readonly SitePoint[] {
  const longitudes = listItems(read('Longitude'));
  const latitudes = listItems(read('Latitude'));
  const roles = listItems(read('PODorPOUSite'));
  return longitudes.flatMap((text, index): readonly SitePoint[] => {
    const longitude = Number.parseFloat(text);
    const latitude = Number.parseFloat(latitudes[index] ?? '');
    const isValid = Math.abs(longitude) <= 180 && Math.abs(latitude) <= 90;
    return isValid ? [{ longitude, latitude, role: readRole(roles[index]) }] : [];
  });
}

function readRole(text = ''): SiteRole {
  const role = text.trim().toUpperCase();
  return role === 'POD' || role === 'POU' ? role : '';
}

/** Fits all points, with the same scale in every direction. Needs at least one point. */
export function fitFrame(points: readonly SitePoint[]): Frame {
  const [west, east] = findBounds(points.map(({ longitude }) => longitude));
  const [south, north] = findBounds(points.map(({ latitude }) => latitude));
  const middleLatitude = (south + north) / 2;
  const middleLongitude = (west + east) / 2;
  const shrink = Math.max(MIN_SHRINK, Math.cos((middleLatitude * Math.PI) / 180));
  const degreesPerPixel = Math.max(
    (north - south) / (HEIGHT - 2 * MARGIN),
    ((east - west) * shrink) / (WIDTH - 2 * MARGIN),
    MIN_SPAN / HEIGHT,
  );
  return {
    project: (longitude, latitude) => [
      WIDTH / 2 + ((longitude - middleLongitude) * shrink) / degreesPerPixel,
      HEIGHT / 2 - (latitude - middleLatitude) / degreesPerPixel,
    ],
    milesPerPixel: degreesPerPixel * MILES_PER_DEGREE,
  };
}

/** Without spread arguments: a right can have thousands of points. */
function findBounds(values: readonly number[]): readonly [min: number, max: number] {
  return [values.reduce((a, b) => Math.min(a, b), Infinity), values.reduce((a, b) => Math.max(a, b), -Infinity)];
}

export interface DrawnPoint {
  readonly x: number;
  readonly y: number;
  readonly role: SiteRole;
}

/** Draws only one of several points with the same role at the same place on the map. */
export function placePoints(points: readonly SitePoint[], { project }: Frame): readonly DrawnPoint[] {
  const drawn = new Map<string, DrawnPoint>();
  for (const { longitude, latitude, role } of points) {
    const [x, y] = project(longitude, latitude).map((pixel) => Math.round(pixel * 2) / 2);
    if (x !== undefined && y !== undefined) drawn.set(`${x} ${y} ${role}`, { x, y, role });
  }
  return [...drawn.values()];
}

type Ring = readonly (readonly number[])[];

/** The path of an outline; empty if it is outside the map. */
export function drawRings(rings: readonly Ring[], { project }: Frame): string {
  const paths = rings.flatMap((ring) => {
    const corners = ring.map(([longitude = Number.NaN, latitude = Number.NaN]) => project(longitude, latitude));
    const [left, right] = findBounds(corners.map(([x]) => x));
    const [top, bottom] = findBounds(corners.map(([, y]) => y));
    const isVisible = right > 0 && left < WIDTH && bottom > 0 && top < HEIGHT;
    return isVisible ? [`M${corners.map(([x, y]) => `${x.toFixed(1)} ${y.toFixed(1)}`).join('L')}Z`] : [];
  });
  return paths.join('');
}

export interface PlacedName {
  readonly name: string;
  readonly x: number;
  readonly y: number;
}

/** In pixels. */
const LETTER_WIDTH = 5.5;
const LINE_HEIGHT = 11;
export const POINT_RADIUS = 4.5;

/** The lower edge of the map, above the scale. */
const BOTTOM = HEIGHT - 22;

/** Positions to try for a name, in lines below the middle of its area. */
const NAME_LINES = [0, -1.2, 1.2, -2.4, 2.4];

/** The names that fit inside their area and the map and cover neither a point nor an earlier name. */
export function placeNames(
  areas: readonly { readonly name: string; readonly ring: Ring }[],
  points: readonly DrawnPoint[],
  { project }: Frame,
): readonly PlacedName[] {
  const placed: PlacedName[] = [];
  for (const { name, ring } of areas) {
    const corners = ring.map(([longitude = Number.NaN, latitude = Number.NaN]) => project(longitude, latitude));
    const [x, y] = computeLabelPoint(corners);
    const [left, right] = findBounds(corners.map((corner) => corner[0]));
    if (measureWidth(name) >= right - left) continue;
    const candidates = NAME_LINES.map((lines): PlacedName => ({ name, x, y: y + lines * LINE_HEIGHT }));
    const free = candidates.find((candidate) => isFree(candidate, placed, points));
    if (free !== undefined) placed.push(free);
  }
  return placed;
}

function measureWidth(name: string): number {
  return name.length * LETTER_WIDTH;
}

function isFree(label: PlacedName, placed: readonly PlacedName[], points: readonly DrawnPoint[]): boolean {
  const half = measureWidth(label.name) / 2;
  const isInside = label.x > half && label.x < WIDTH - half && label.y > LINE_HEIGHT && label.y < BOTTOM;
  const coversName = placed.some((other) => {
    const isNear = Math.abs(other.x - label.x) < half + measureWidth(other.name) / 2;
    return isNear && Math.abs(other.y - label.y) < LINE_HEIGHT;
  });
  // The y of a label is its baseline.
  const middle = label.y - LINE_HEIGHT / 3;
  const coversPoint = points.some(({ x, y }) => {
    return Math.abs(x - label.x) < half + POINT_RADIUS && Math.abs(y - middle) < LINE_HEIGHT / 2 + POINT_RADIUS;
  });
  return isInside && !coversName && !coversPoint;
}

const SCALE_MILES = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000];

/** The longest line of a round number of miles that takes at most a third of the width. */
export function chooseScaleBar({ milesPerPixel }: Frame): { readonly miles: number; readonly pixels: number } {
  const fits = SCALE_MILES.filter((miles) => miles / milesPerPixel <= WIDTH / 3);
  const miles = fits.at(-1) ?? 1;
  return { miles, pixels: miles / milesPerPixel };
}
