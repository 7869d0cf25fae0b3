// The outlines of the areas that are chosen as filters: a drawn area, a county, or a watershed that was published.

import type { Feature, Geometry } from 'geojson';
import { type CountyOutlines, parseCountyBoundary } from '../requests/county-outlines';
import { getFacetValues } from '../requests/facets';
import type { Session } from '../session/session';
import { getBoundary } from '../state/map-kinds';
import { buildPolygon, parseCorners } from './shapes';

/** Counties of a name are drawn in this many states at most. */
const MAX_STATES = 4;

/** What is chosen, as plain data: the outlines follow from it. */
export interface ChosenAreas {
  readonly boundary: string;
  readonly counties: readonly string[];
  readonly states: readonly string[];
}

export function readChosenAreas({ state, facets }: Session): ChosenAreas {
  const { filters } = state.value;
  const counties = filters['County'] ?? [];
  const withRecords = getFacetValues(facets.latest, 'State').map(({ Value }) => Value);
  const states = counties.length === 0 ? [] : (filters['State'] ?? withRecords).slice(0, MAX_STATES);
  return { boundary: getBoundary(state.value), counties, states };
}

/** Empty where nothing is chosen, or where no outline is known. */
export async function fetchChosenOutlines(
  { client }: Session,
  outlines: CountyOutlines,
  { boundary, counties, states }: ChosenAreas,
): Promise<readonly Feature[]> {
  const pairs = states.flatMap((state) => counties.map((county) => [state, county] as const));
  const county = parseCountyBoundary(boundary);
  if (county !== undefined) pairs.push(county);
  const ofCounties = await Promise.all(pairs.map(([state, name]) => outlines.findCounty(state, name)));
  const corners = parseCorners(boundary);
  const [, watershed] = /^\s*huc8:\s*(\d{8})\s*$/i.exec(boundary) ?? [];
  const drawn = corners === undefined ? [] : [toFeature(buildPolygon(corners))];
  const ofWatershed = watershed === undefined ? [] : await fetchWatershed(client, watershed);
  return [...drawn, ...ofCounties.flat(), ...ofWatershed];
}

interface Units {
  readonly features: readonly {
    readonly geometry: Geometry | null;
    readonly properties: Readonly<Record<string, unknown>>;
  }[];
}

/** The shapes of reporting units of this HUC8, if any was published. */
async function fetchWatershed(client: Session['client'], code: string): Promise<readonly Feature[]> {
  const query = { SearchBoundary: `huc8:${code}`, format: 'geojson', RecordCount: '10' };
  const reply = await client.request<Units>('v1/ReportingUnits', query);
  const units = reply.kind === 'answer' ? reply.value.features : [];
  const isWatershed = ({ properties }: Units['features'][number]): boolean =>
    /^huc/i.test(String(properties['ReportingUnitTypeCV'])) &&
    String(properties['ReportingUnitNativeID']).endsWith(code.replace(/^0/, ''));
  return units.filter(isWatershed).flatMap(({ geometry }) => (geometry === null ? [] : [toFeature(geometry)]));
}

function toFeature(geometry: Geometry): Feature {
  return { type: 'Feature', properties: {}, geometry };
}
