// The sites of a large generated submission, and their deliveries. Nine in ten sites are points of diversion; every
// tenth is a place of use, with a polygon, near the nine before it. Calls with the same arguments return the same site.

import { type BenchmarkPlace, findPlace } from './benchmark-places';
import { diversionSiteTypes, GAGE_SITE_TYPE, PLACE_OF_USE_SITE_TYPE } from './benchmark-vocabulary';
import { drawAreaAround } from './polygons';
import { createItemRandom, type SeededRandom } from './seeded-random';
import type { Cells } from './tables';

export interface SitePlan {
  readonly organization: string;
  readonly uuid: (site: number) => string;
  readonly kind: 'gages' | 'diversions and places of use';
  readonly waterSources: number;
  /** The share of places of use with an area, from 0 to 1. */
  readonly drawnShare: number;
  readonly seed: number;
  /** Differs between plans with the same seed, so that their sites are at other positions. */
  readonly stream: number;
}

export interface BenchmarkSite {
  readonly uuid: string;
  readonly isPlaceOfUse: boolean;
  readonly siteType: string;
  readonly waterSource: string;
  readonly place: BenchmarkPlace;
}

/** The size of a group of neighboring sites: a place of use and the diversions that serve it. */
const GROUP = 10;
const GROUP_SPREAD = 0.03;

/**
 * The corners of service areas in a real submission (Utah): half of the areas have fewer than 73, one in ten more than
 * 320, and the mean is 129. A log-normal distribution with this median and spread fits these figures, with a tail of
 * areas that follow every street.
 */
const MEDIAN_CORNERS = 70;
const CORNERS_SPREAD = 1.2;
const MIN_CORNERS = 5;
const MAX_CORNERS = 4999;
const TWO_PART_SHARE = 0.09;

export function describeSite(plan: SitePlan, site: number): BenchmarkSite {
  return createSite(plan, site, createItemRandom(plan.seed, plan.stream, site));
}

/** Yields the rows of these sites, in the given order. */
export function* siteRows(plan: SitePlan, sites: Iterable<number>): Generator<Cells> {
  for (const site of sites) {
    const random = createItemRandom(plan.seed, plan.stream, site);
    yield buildSiteCells(plan, site, createSite(plan, site, random), random);
  }
}

/** Each diversion serves the place of use for some years, with one relation per year. */
export function* relationRows(plan: SitePlan, count: number): Generator<Cells> {
  for (let site = GROUP - 1; site < count; site += GROUP) {
    const random = createItemRandom(plan.seed, plan.stream + 1, site);
    for (const back of random.pickSome([9, 8, 7, 6, 5, 4, 3, 2, 1], random.integer(1, 4))) {
      const last = random.integer(2010, 2023);
      for (let year = last - random.integer(0, 7); year <= last; year += 1) {
        const PODSiteUUID = plan.uuid(site - back);
        const POUSiteUUID = plan.uuid(site);
        yield { PODSiteUUID, POUSiteUUID, StartDate: `${year}-01-01`, EndDate: `${year}-12-31` };
      }
    }
  }
}

function createSite(plan: SitePlan, site: number, random: SeededRandom): BenchmarkSite {
  const isGage = plan.kind === 'gages';
  const group = createItemRandom(plan.seed, plan.stream + 2, isGage ? site : Math.floor(site / GROUP));
  const eastShare = group.next() + GROUP_SPREAD * (random.next() - 0.5);
  const northShare = group.next() + GROUP_SPREAD * (random.next() - 0.5);
  const isPlaceOfUse = !isGage && site % GROUP === GROUP - 1;
  // Drawn for every kind of site, so that later random numbers stay the same.
  const diversionType = random.pick(diversionSiteTypes);
  const undrawnType = isGage ? GAGE_SITE_TYPE : PLACE_OF_USE_SITE_TYPE;
  return {
    uuid: plan.uuid(site),
    isPlaceOfUse,
    siteType: isGage || isPlaceOfUse ? undrawnType : diversionType,
    waterSource: `${plan.organization}_WS${random.integer(1, plan.waterSources)}`,
    place: findPlace(eastShare, northShare),
  };
}

function buildSiteCells(plan: SitePlan, index: number, site: BenchmarkSite, random: SeededRandom): Cells {
  const { place } = site;
  const secondSource = `${plan.organization}_WS${random.integer(1, plan.waterSources)}`;
  const isGage = plan.kind === 'gages';
  return {
    SiteUUID: site.uuid,
    WaterSourceUUIDs: random.chance(0.05) ? `${site.waterSource},${secondSource}` : site.waterSource,
    CoordinateMethodCV: site.isPlaceOfUse ? 'Centroid of Area' : 'Unspecified',
    County: place.county,
    EPSGCodeCV: 4326,
    Geometry: site.isPlaceOfUse ? drawArea(plan, place, random) : '',
    HUC12: random.chance(0.9) ? place.huc12 : '',
    HUC8: place.huc8,
    Latitude: place.latitude.toFixed(6),
    Longitude: place.longitude.toFixed(6),
    NHDNetworkStatusCV: isGage ? 'Y' : '',
    NHDProductCV: isGage ? 'NHDPlus' : '',
    NHDReachCode: isGage ? `${place.huc8}${String(index + 1).padStart(6, '0')}` : '',
    NHDUpdateDate: isGage ? '2020-02-11' : '',
    PODorPOUSite: site.isPlaceOfUse ? 'POU' : 'POD',
    SiteName: random.chance(0.5) ? 'Unspecified' : `${place.county} ${site.siteType} No. ${index + 1}`,
    SiteNativeID: `N${index + 1}`,
    SiteTypeCV: site.siteType,
    StateCV: place.state,
    USGSSiteID: isGage ? String(99000001 + index) : '',
  };
}

/**
 * Rights seldom have polygons for their places of use. Water suppliers have polygons for all of them, one in eleven in
 * two parts.
 */
function drawArea(plan: SitePlan, place: BenchmarkPlace, random: SeededRandom): string {
  if (!random.chance(plan.drawnShare)) return '';
  const reach = 0.005 + 0.03 * random.next();
  const corners = random.skewedInteger(MEDIAN_CORNERS, CORNERS_SPREAD, MIN_CORNERS, MAX_CORNERS);
  const parts = random.chance(TWO_PART_SHARE) ? 2 : 1;
  return drawAreaAround(random, [place.longitude, place.latitude], { reach, corners, parts });
}
