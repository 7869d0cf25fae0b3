// What the samples have in common: the invented organization, watersheds and sites of a state.

import type { GeneratedOrganization } from '../generate/lookups';
import type { Position } from '../generate/polygons';
import type { SeededRandom } from '../generate/seeded-random';
import type { Cells, Submission } from '../generate/tables';

export interface Sample extends Submission {
  /** What it holds, for people. */
  readonly description: string;
}

/** Where a site lies. */
export interface SamplePlace {
  readonly county: string;
  readonly huc8: string;
  readonly huc12: string;
  readonly position: Position;
}

export interface SampleSite {
  readonly uuid: string;
  readonly place: SamplePlace;
  /** One identifier, or several separated by commas. */
  readonly waterSources: string;
  readonly cells: Cells;
}

export interface SampleSiteFacts {
  readonly organization: GeneratedOrganization;
  readonly number: number;
  readonly name: string;
  readonly type: string;
  readonly use: 'POD' | 'POU';
  readonly place: SamplePlace;
  readonly waterSources: string;
  /** WKT; a place of use has its polygon. */
  readonly geometry?: string;
}

/** Decimals of a position: about a metre. */
const POSITION_DECIMALS = 5;

export function sampleOrganization(state: string, stateName: string): GeneratedOrganization {
  const uuid = `SAMPLE_${state}`;
  return {
    uuid,
    state,
    name: `Sample Water Agency of ${stateName}`,
    purview: 'Sample data: invented, for trying the service.',
    mappingUrl: `https://example.org/mapping/${uuid}`,
  };
}

export function rounded(degrees: number): number {
  return Number(degrees.toFixed(POSITION_DECIMALS));
}

/** In the same county and watershed, so `degrees` must be few. */
export function placeNear(random: SeededRandom, place: SamplePlace, degrees: number): SamplePlace {
  const moved = (from: number): number => rounded(from + degrees * (2 * random.next() - 1));
  const [longitude, latitude] = place.position;
  return { ...place, position: [moved(longitude), moved(latitude)] };
}

export function createSite(facts: SampleSiteFacts): SampleSite {
  const { organization, number, place, waterSources } = facts;
  const [longitude, latitude] = place.position;
  const uuid = `${organization.uuid}_S${number}`;
  const cells = {
    SiteUUID: uuid,
    WaterSourceUUID: waterSources,
    CoordinateMethodCV: facts.use === 'POU' ? 'Centroid of Area' : 'Digitized',
    County: place.county,
    EPSGCodeCV: 4326,
    Geometry: facts.geometry ?? '',
    HUC12: place.huc12,
    HUC8: place.huc8,
    Latitude: latitude,
    Longitude: longitude,
    PODorPOUSite: facts.use,
    SiteName: facts.name,
    SiteNativeID: `${organization.state}-${1000 + number}`,
    SiteTypeCV: facts.type,
    StateCV: organization.state,
  };
  return { uuid, place, waterSources, cells };
}
