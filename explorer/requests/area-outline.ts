// The outline of a county or watershed: a built-in outline for counties, a published reporting unit for watersheds
// (D78).

import type { MultiPolygon, Polygon } from 'geojson';
import type { BriefArea } from '../state/brief-area';
import type { AreaPlace } from './area-places';
import type { ServiceClient } from './client';
import type { CountyFeature, CountyOutlines } from './county-outlines';
import { collectPositions, computeExtent, type MapExtent } from './extents';
import { mapReply, type Reply } from './reply';
import { fetchSitesExtent } from './right-points';
import { fetchWatershedOutline } from './watershed-outline';

export interface AreaOutline {
  /** The name from the built-in outline of a county or from a published reporting unit; undefined if neither exists. */
  readonly name: string | undefined;
  /** Empty if no outline is known. */
  readonly shapes: readonly (Polygon | MultiPolygon)[];
  /** The other counties of the state, drawn for orientation. */
  readonly surroundings: readonly CountyFeature[];
  /** The extent of the sites of a watershed without an outline; undefined if no site has a position. */
  readonly extent: MapExtent | undefined;
}

interface OutlineOptions {
  readonly version: string;
  readonly outlines: CountyOutlines;
  /** The reporting units of the area. */
  readonly units: readonly AreaPlace[];
}

export async function fetchOutline(
  client: ServiceClient,
  area: BriefArea,
  { version, outlines, units }: OutlineOptions,
): Promise<Reply<AreaOutline>> {
  if (area.type === 'huc8') return fetchWatershed(client, area, { version, units });
  const [counties, all] = await Promise.all([
    outlines.findCounty(area.state, area.name),
    outlines.listCounties(area.state),
  ]);
  const outline = toOutline(counties.map(({ geometry }) => geometry));
  const surroundings = all.filter((county) => !counties.includes(county));
  const value = { ...outline, name: counties[0]?.properties.name, surroundings };
  return { kind: 'answer', value, version };
}

/** Without a published outline, the sites of the watershed show where it is. */
async function fetchWatershed(
  client: ServiceClient,
  { code, boundary }: Extract<BriefArea, { readonly type: 'huc8' }>,
  { version, units }: Omit<OutlineOptions, 'outlines'>,
): Promise<Reply<AreaOutline>> {
  const name = findWatershedName(units, code);
  if (units.length > 0) {
    const reply = await fetchWatershedOutline(client, code, version);
    if (reply.kind !== 'answer') return reply;
    const shapes = reply.value.filter(isArea);
    if (shapes.length > 0) return { ...reply, value: { ...toOutline(shapes), name } };
  }
  const extent = await fetchSitesExtent(client, { boundary, version });
  return mapReply(extent, (value) => ({ ...toOutline([]), name, extent: value }));
}

/** A name that only repeats the code adds no information. */
function findWatershedName(units: readonly AreaPlace[], code: string): string | undefined {
  const isWatershed = ({ type, nativeId }: AreaPlace): boolean =>
    /^huc/i.test(type) && nativeId.endsWith(code.replace(/^0/, ''));
  return units.find((unit) => isWatershed(unit) && /\p{L}{3}/u.test(unit.name))?.name;
}

function isArea(geometry: { readonly type: string }): geometry is Polygon | MultiPolygon {
  return geometry.type === 'Polygon' || geometry.type === 'MultiPolygon';
}

function toOutline(shapes: AreaOutline['shapes']): AreaOutline {
  const extent = computeExtent(shapes.flatMap(({ coordinates }) => collectPositions(coordinates)));
  return { name: undefined, shapes, surroundings: [], extent };
}
