// The cells of a sample's site.

import type { Cells } from '../generate/csv-lines';
import type { Position } from '../generate/polygons';
import { huc12Of, type SampleArea } from './sample-places';
import type { SampleOrganization } from './sample-lookups';

export interface SampleSite {
  readonly uuid: string;
  readonly position: Position;
  /** One identifier, or several separated by commas. */
  readonly waterSources: string;
  readonly cells: Cells;
}

export interface SampleSiteFacts {
  readonly organization: SampleOrganization;
  readonly number: number;
  readonly name: string;
  readonly type: string;
  readonly use: 'POD' | 'POU';
  readonly area: SampleArea;
  readonly position: Position;
  readonly waterSources: string;
  /** WKT; a place of use has its polygon. */
  readonly geometry?: string;
}

export function createSite(facts: SampleSiteFacts): SampleSite {
  const { organization, number, area, position } = facts;
  const uuid = `${organization.uuid}_S${number}`;
  const cells = {
    SiteUUID: uuid,
    WaterSourceUUID: facts.waterSources,
    CoordinateMethodCV: facts.use === 'POU' ? 'Centroid of Area' : 'Digitized',
    County: area.name,
    EPSGCodeCV: 4326,
    Geometry: facts.geometry ?? '',
    HUC12: huc12Of(area, position),
    HUC8: area.huc8,
    Latitude: position[1],
    Longitude: position[0],
    PODorPOUSite: facts.use,
    SiteName: facts.name,
    SiteNativeID: `${organization.state}-${1000 + number}`,
    SiteTypeCV: facts.type,
    StateCV: organization.state,
  };
  return { uuid, position, waterSources: facts.waterSources, cells };
}
