// A small map of all points of a right, with the borders of the counties around them.

import type { VNode } from 'preact';
import { useEffect, useMemo, useState } from 'preact/hooks';
import { type CountyFeature, CountyOutlines } from '../../requests/county-outlines';
import { getStateAbbreviation } from '../../state/state-names';
import { listNames, type ReadMember } from '../../state/titles';
import { formatCount, formatQuantity } from '../parts/texts';
import {
  chooseScaleBar,
  drawRings,
  fitFrame,
  type Frame,
  HEIGHT,
  placeNames,
  placePoints,
  POINT_RADIUS,
  readSitePoints,
  type SitePoint,
  type SiteRole,
  WIDTH,
} from './points-drawing';

interface PointsMapProps {
  readonly read: ReadMember;
  /** Positions without a role, used if the members have none. */
  readonly points?: readonly (readonly [longitude: number, latitude: number])[];
  /** The address of the county outlines, with `{state}`. */
  readonly counties: string;
}

/** The roles in drawing order, with their names in the legend: places of use are drawn below points of diversion. */
const ROLES: readonly { readonly role: SiteRole; readonly one: string; readonly many: string }[] = [
  { role: 'POU', one: 'place of use', many: 'places of use' },
  { role: '', one: 'site', many: 'sites' },
  { role: 'POD', one: 'point of diversion', many: 'points of diversion' },
];

export function PointsMap({ read, points = [], counties }: PointsMapProps): VNode {
  const ofMembers = readSitePoints(read);
  const others = points.map(([longitude, latitude]): SitePoint => ({ longitude, latitude, role: '' }));
  const sites = ofMembers.length > 0 ? ofMembers : others;
  const areas = useCounties(listStates(read), counties);
  if (sites.length === 0) return <p class="soft">No position is published for this right.</p>;
  return <Drawing sites={sites} areas={areas} places={describePlaces(read)} />;
}

interface DrawingProps {
  readonly sites: readonly SitePoint[];
  readonly areas: readonly CountyFeature[];
  readonly places: string;
}

function Drawing({ sites, areas, places }: DrawingProps): VNode {
  const frame = fitFrame(sites);
  const drawn = placePoints(sites, frame);
  const names = placeNames(
    areas.map((area) => ({ name: area.properties.name, ring: findLongestRing(area) })),
    drawn,
    frame,
  );
  const used = ROLES.filter(({ role }) => sites.some((site) => site.role === role)).toReversed();
  const counts = used.map(({ role, one, many }) => {
    return { role, text: formatQuantity(sites.filter((site) => site.role === role).length, one, many) };
  });
  const { miles } = chooseScaleBar(frame);
  const text = `Map of ${counts.map((count) => count.text).join(' and ')}${places}. North is up; the line is ${formatQuantity(miles, 'mile')} long.`;
  return (
    <figure class="points-map">
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={text}>
        <rect class="ground" width={WIDTH} height={HEIGHT} />
        {areas.map((area) => (
          <CountyBorder key={area.id ?? area.properties.name} area={area} frame={frame} />
        ))}
        {ROLES.map(({ role }) =>
          drawn
            .filter((point) => point.role === role)
            .map(({ x, y }) => <Mark key={`${x} ${y}`} role={role} x={x} y={y} />),
        )}
        {names.map(({ name, x, y }) => (
          <text key={`${name} ${x}`} class="county" x={x} y={y} text-anchor="middle">
            {name}
          </text>
        ))}
        <ScaleBar frame={frame} />
      </svg>
      <figcaption>
        {counts.map((count) => (
          <span key={count.role}>
            <svg viewBox="0 0 12 12" aria-hidden="true">
              <Mark role={count.role} x={6} y={6} />
            </svg>
            {count.text}
          </span>
        ))}
        {areas.length > 0 && <span>Borders: US Census, for orientation only</span>}
      </figcaption>
    </figure>
  );
}

/** Roles differ in shape, not only in color. */
function Mark({ role, x, y }: { readonly role: SiteRole; readonly x: number; readonly y: number }): VNode {
  if (role === 'POU') return <rect class="use" x={x - 4} y={y - 4} width={8} height={8} />;
  return <circle class={role === 'POD' ? 'diversion' : 'use'} cx={x} cy={y} r={POINT_RADIUS} />;
}

function CountyBorder({ area, frame }: { readonly area: CountyFeature; readonly frame: Frame }): VNode | null {
  const path = drawRings(listRings(area), frame);
  return path === '' ? null : <path class="border" d={path} />;
}

/** The mainland, without islands. */
function findLongestRing(area: CountyFeature): readonly (readonly number[])[] {
  return listRings(area).reduce((a, b) => (b.length > a.length ? b : a), []);
}

function listRings({ geometry }: CountyFeature): readonly (readonly (readonly number[])[])[] {
  return geometry.type === 'Polygon' ? geometry.coordinates : geometry.coordinates.flat();
}

function ScaleBar({ frame }: { readonly frame: Frame }): VNode {
  const { miles, pixels } = chooseScaleBar(frame);
  return (
    <g class="scale">
      <path d={`M10 ${HEIGHT - 14}v5h${pixels.toFixed(1)}v-5`} />
      <text x={14} y={HEIGHT - 14}>
        {formatCount(miles)} mi
      </text>
    </g>
  );
}

/** The states of the sites; if no site has a state, the state of the organization. */
function listStates(read: ReadMember): readonly string[] {
  const names = listNames(read('StateCV')).map((state) => getStateAbbreviation(state) ?? state);
  return names.length > 0 ? names : listNames(read('OrganizationState'));
}

/** The counties of these states; empty until they are loaded. */
function useCounties(states: readonly string[], template: string): readonly CountyFeature[] {
  const [areas, setAreas] = useState<readonly CountyFeature[]>([]);
  const outlines = useMemo(() => new CountyOutlines(template), [template]);
  useEffect(() => {
    let isCurrent = true;
    setAreas([]);
    void Promise.all(states.map((state) => outlines.listCounties(state))).then((lists) => {
      if (isCurrent) setAreas(lists.flat());
    });
    return () => {
      isCurrent = false;
    };
  }, [states.join(), outlines]);
  return areas;
}

function describePlaces(read: ReadMember): string {
  const counties = listNames(read('County'));
  if (counties.length === 0) return '';
  if (counties.length > MAX_NAMED) return ` in ${formatCount(counties.length)} counties`;
  return ` in the ${counties.length === 1 ? 'county' : 'counties'} ${counties.join(', ')}`;
}

/** The maximum number of counties in the description. */
const MAX_NAMED = 5;
