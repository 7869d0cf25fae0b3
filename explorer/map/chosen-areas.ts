// The outlines of the areas that are chosen as filters: a drawn area, a county, or a watershed with a published shape.

import type { Feature, Geometry } from 'geojson';
import { type CountyOutlines, parseCountyBoundary } from '../requests/county-outlines';
import { getFacetValues } from '../requests/facets';
import { fetchWatershedOutline } from '../requests/watershed-outline';
import type { Session } from '../session/session';
import { getBoundary } from '../state/map-kinds';
import { buildPolygon, parseCorners } from './shapes';

/** A county name is drawn in at most this many states. */
const MAX_STATES = 4;

/** The chosen areas as plain data, from which the outlines are derived. */
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

/** Empty if no area is chosen or no outline is known. */
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

/** The shapes of reporting units of this HUC8, if any was published. */
async function fetchWatershed(client: Session['client'], code: string): Promise<readonly Feature[]> {
  const reply = await fetchWatershedOutline(client, code);
  return reply.kind === 'answer' ? reply.value.map(toFeature) : [];
}

function toFeature(geometry: Geometry): Feature {
  return { type: 'Feature', properties: {}, geometry };
}
