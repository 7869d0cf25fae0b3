// A small map as SVG, sharp on paper: the outline of the area, the counties around it, and the points of rights.

import type { MultiPolygon, Polygon, Position } from 'geojson';
import type { VNode } from 'preact';
import type { AreaOutline } from '../requests/area-outline';
import type { MapExtent } from '../requests/extents';
import type { RightPoint } from '../requests/right-points';
import type { ColorOfUse } from './rights-figures';

type SitePosition = readonly [longitude: number, latitude: number];

interface AreaMapProps {
  readonly outline: AreaOutline;
  readonly points: readonly RightPoint[];
  readonly sites: readonly SitePosition[];
  readonly getColor: ColorOfUse;
  readonly label: string;
}

/** In SVG units. The height depends on the shape of the area. */
const WIDTH = 440;

const MIN_HEIGHT = 220;

const MAX_HEIGHT = 560;

/** The margin around the area, as a share of its extent. */
const MARGIN = 0.18;

/** The extent of a single point, in degrees. */
const MIN_EXTENT = 0.1;

const POINT_RADIUS = 2.5;

/** Half the width of a diamond, which marks a site with amounts, and the path of its sides from the top corner. */
const SITE_RADIUS = 4;

const SITE_SIDES = `${SITE_RADIUS} ${SITE_RADIUS} ${-SITE_RADIUS} ${SITE_RADIUS} ${-SITE_RADIUS} ${-SITE_RADIUS}`;

/** Renders nothing if neither an outline nor a position is known. */
export function AreaMap({ outline, points, sites, getColor, label }: AreaMapProps): VNode | null {
  const { extent } = outline;
  if (extent === undefined) return null;
  const frame = createFrame(extent);
  const shown = points.filter(({ position }) => frame.contains(position));
  return (
    <svg class="area-map" viewBox={`0 0 ${WIDTH} ${frame.height}`} role="img" aria-label={label}>
      <rect class="ground" width={WIDTH} height={frame.height} />
      {outline.surroundings.map(({ id, geometry }) => (
        <path key={id} class="around" d={drawArea(geometry, frame)} />
      ))}
      {outline.shapes.map((shape, index) => (
        <path key={index} class="area" d={drawArea(shape, frame)} />
      ))}
      {shown.map(({ position, category }, index) => {
        const [x, y] = frame.project(position);
        return <circle key={index} cx={x} cy={y} r={POINT_RADIUS} fill={getColor(String(category ?? ''))} />;
      })}
      {sites
        .filter((position) => frame.contains(position))
        .map((position, index) => {
          const [x, y] = frame.project(position);
          return <path key={index} class="site" d={`M${x} ${y - SITE_RADIUS}l${SITE_SIDES}Z`} />;
        })}
      <Names outline={outline} frame={frame} />
      <rect class="frame" width={WIDTH} height={frame.height} />
    </svg>
  );
}

/** The frame is divided into this many cells in each direction, to find which counties have room for their names. */
const NAME_CELLS = 14;

/** A county that covers fewer cells is not labeled, because its name would overlap other counties. */
const MIN_CELLS = 5;

/** The names of the surrounding counties, each in the middle of its visible part. */
function Names({ outline, frame }: { readonly outline: AreaOutline; readonly frame: Frame }): VNode {
  const cells = Array.from({ length: NAME_CELLS * NAME_CELLS }, (_, index) => {
    const x = ((index % NAME_CELLS) + 0.5) * (WIDTH / NAME_CELLS);
    const y = (Math.floor(index / NAME_CELLS) + 0.5) * (frame.height / NAME_CELLS);
    return { x, y, position: frame.locate(x, y) };
  });
  return (
    <g class="names">
      {outline.surroundings.map(({ id, geometry, properties: { name } }) => {
        const inside = cells.filter(({ position }) => isInArea(position, geometry));
        const mean = (values: readonly number[]): number => values.reduce((sum, one) => sum + one, 0) / values.length;
        return inside.length < MIN_CELLS ? null : (
          <text key={id} x={mean(inside.map(({ x }) => x))} y={mean(inside.map(({ y }) => y))} text-anchor="middle">
            {name}
          </text>
        );
      })}
    </g>
  );
}

/** Whether a position is inside a shape: counts the edges that a ray to the east crosses. */
function isInArea([x, y]: SitePosition, geometry: Polygon | MultiPolygon): boolean {
  let isInside = false;
  for (const ring of listRings(geometry)) {
    for (const [index, [x1 = 0, y1 = 0]] of ring.entries()) {
      const [x2 = 0, y2 = 0] = ring.at(index - 1) ?? [];
      if (y1 > y !== y2 > y && x < x1 + ((y - y1) / (y2 - y1)) * (x2 - x1)) isInside = !isInside;
    }
  }
  return isInside;
}

function listRings(geometry: Polygon | MultiPolygon): readonly Position[][] {
  return geometry.type === 'Polygon' ? geometry.coordinates : geometry.coordinates.flat();
}

interface Frame {
  readonly height: number;
  readonly project: (position: readonly number[]) => readonly [x: number, y: number];
  readonly locate: (x: number, y: number) => SitePosition;
  readonly contains: (position: readonly number[]) => boolean;
}

/** Fits the extent. Degrees of longitude get shorter toward the poles: x is scaled for the middle of the area. */
function createFrame([west, south, east, north]: MapExtent): Frame {
  const ratio = Math.cos((((south + north) / 2) * Math.PI) / 180);
  const width = Math.max(east - west, MIN_EXTENT) * ratio * (1 + 2 * MARGIN);
  const height = Math.max(north - south, MIN_EXTENT) * (1 + 2 * MARGIN);
  const pixelHeight = Math.min(Math.max((height / width) * WIDTH, MIN_HEIGHT), MAX_HEIGHT);
  const scale = Math.min(WIDTH / width, pixelHeight / height);
  const project = ([longitude = 0, latitude = 0]: readonly number[]): readonly [number, number] => [
    round(WIDTH / 2 + (longitude - (west + east) / 2) * ratio * scale),
    round(pixelHeight / 2 - (latitude - (south + north) / 2) * scale),
  ];
  const contains = (position: readonly number[]): boolean => {
    const [x, y] = project(position);
    return x >= 0 && x <= WIDTH && y >= 0 && y <= pixelHeight;
  };
  const locate = (x: number, y: number): SitePosition => [
    (west + east) / 2 + (x - WIDTH / 2) / (ratio * scale),
    (south + north) / 2 - (y - pixelHeight / 2) / scale,
  ];
  return { height: Math.round(pixelHeight), project, locate, contains };
}

function drawArea(geometry: Polygon | MultiPolygon, { project }: Frame): string {
  return listRings(geometry)
    .map((ring) => `M${ring.map((position) => project(position).join(' ')).join('L')}Z`)
    .join('');
}

/** Printers do not resolve a tenth of a unit. */
function round(value: number): number {
  return Math.round(value * 10) / 10;
}
