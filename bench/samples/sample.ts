// What the samples have in common: the invented organization, counties, watersheds and sites of a state.

import type { GeneratedOrganization } from '../generate/lookups';
import type { DegreeBox, Position } from '../generate/polygons';
import type { SeededRandom } from '../generate/seeded-random';
import type { Cells, Submission } from '../generate/tables';

export interface Sample extends Submission {
  /** What it holds, for people. */
  readonly description: string;
}

export interface SampleArea {
  readonly name: string;
  readonly huc8: string;
  readonly box: DegreeBox;
}

export type SampleAreas = readonly [SampleArea, ...SampleArea[]];

export interface SampleGrid {
  /** A part of the state that is surely inside it. */
  readonly box: DegreeBox;
  readonly columns: number;
  /** From west to east, then from south to north. */
  readonly names: readonly string[];
  /** The first of consecutive HUC8 numbers: of the right region, but none that a real watershed has. */
  readonly firstHuc8: number;
}

export interface SampleSite {
  readonly uuid: string;
  readonly position: Position;
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
  readonly area: SampleArea;
  readonly position: Position;
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

export function areasOf({ box, columns, names, firstHuc8 }: SampleGrid): SampleAreas {
  const width = (box.east - box.west) / columns;
  const height = (box.north - box.south) / Math.ceil(names.length / columns);
  const [first, ...others] = names.map((name, index) => {
    const west = box.west + (index % columns) * width;
    const south = box.south + Math.floor(index / columns) * height;
    return { name, huc8: String(firstHuc8 + index), box: { west, south, east: west + width, north: south + height } };
  });
  if (first === undefined) throw new Error('A grid needs a name.');
  return [first, ...others];
}

/** Areas are taken again from the first one after the last. */
export function areaAt(areas: SampleAreas, index: number): SampleArea {
  return areas[index % areas.length] ?? areas[0];
}

/** Not near the area's border. */
export function positionWithin(random: SeededRandom, { box }: SampleArea): Position {
  const between = (low: number, high: number): number =>
    Number((low + (high - low) * (0.15 + 0.7 * random.next())).toFixed(POSITION_DECIMALS));
  return [between(box.west, box.east), between(box.south, box.north)];
}

export function positionNear(random: SeededRandom, [longitude, latitude]: Position, degrees: number): Position {
  const moved = (from: number): number => Number((from + degrees * (2 * random.next() - 1)).toFixed(POSITION_DECIMALS));
  return [moved(longitude), moved(latitude)];
}

export function createSite(facts: SampleSiteFacts): SampleSite {
  const { organization, number, area, position, waterSources } = facts;
  const uuid = `${organization.uuid}_S${number}`;
  const cells = {
    SiteUUID: uuid,
    WaterSourceUUID: waterSources,
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
  return { uuid, position, waterSources, cells };
}

/** The 12-digit watershed of a position: a quarter of its area. */
function huc12Of({ huc8, box }: SampleArea, [longitude, latitude]: Position): string {
  const isEast = longitude > (box.west + box.east) / 2;
  const isNorth = latitude > (box.south + box.north) / 2;
  return `${huc8}0${isEast ? 2 : 1}0${isNorth ? 2 : 1}`;
}
