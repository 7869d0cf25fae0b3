// Utah's observation sites: stream gages with discharge by month and height by day, and reservoirs with their storage.

import { dayNumber, isoDay, monthsOf } from '../generate/calendar-days';
import type { Cells } from '../generate/csv-lines';
import type { SeededRandom } from '../generate/seeded-random';
import type { SampleOrganization } from './sample-lookups';
import { positionWithin, type SampleAreas } from './sample-places';
import { createSite, type SampleSite } from './sample-sites';

export interface Gages {
  readonly sites: readonly SampleSite[];
  readonly amounts: readonly Cells[];
}

const names = ['Lantern Creek above Copper Lantern', 'Heron Fork near Heron Bend', 'Tamarack Wash at Old Kiln'];
const reservoirs = ['Moonrise Reservoir', 'Amber Hollow Reservoir'];

const months = monthsOf(2014, 2023);
/** The snow melts in these days. */
const [FIRST_DAILY, LAST_DAILY] = [dayNumber(2023, 4, 1), dayNumber(2023, 6, 30)];

/** Discharge (cubic feet per second) or storage, month by month of the year, as a share of the highest. */
const yearlyCourse = [0.15, 0.16, 0.3, 0.6, 1, 0.9, 0.45, 0.25, 0.2, 0.18, 0.16, 0.15];

export function gages(
  organization: SampleOrganization,
  areas: SampleAreas,
  firstSite: number,
  random: SeededRandom,
): Gages {
  const sites = [...names, ...reservoirs].map((name, index) => {
    const area = areas[(index * 2 + 1) % areas.length] ?? areas[0];
    const isGage = index < names.length;
    const site = createSite({
      organization,
      number: firstSite + index,
      name,
      type: isGage ? 'Stream Gage' : 'Reservoir',
      use: 'POD',
      area,
      position: positionWithin(random, area),
      waterSources: `${organization.uuid}_WS2`,
    });
    return { ...site, isGage, cells: { ...site.cells, NHDNetworkStatusCV: 'Y', NHDProductCV: 'NHDPlus' } };
  });
  return {
    sites,
    amounts: sites.flatMap((site, index) => {
      if (!site.isGage) return monthly(organization, site, 'V6', 18_000, random);
      const heights = index < 2 ? dailyHeights(organization, site, random) : [];
      return [...monthly(organization, site, 'V4', 240, random), ...heights];
    }),
  };
}

function monthly(
  organization: SampleOrganization,
  site: SampleSite,
  variable: string,
  highest: number,
  random: SeededRandom,
): Cells[] {
  return months.map(({ year, start, end }, index) => {
    const share = yearlyCourse[index % yearlyCourse.length] ?? 0;
    return {
      ...observationOf(organization, site, variable),
      Amount: Math.round(highest * share * (80 + 40 * random.next())) / 100,
      ReportYearCV: year,
      TimeframeEnd: end,
      TimeframeStart: start,
    };
  });
}

function dailyHeights(organization: SampleOrganization, site: SampleSite, random: SeededRandom): Cells[] {
  return Array.from({ length: LAST_DAILY - FIRST_DAILY + 1 }, (_, index) => {
    const day = isoDay(FIRST_DAILY + index);
    const rise = Math.sin((Math.PI * index) / (LAST_DAILY - FIRST_DAILY));
    return {
      ...observationOf(organization, site, 'V5'),
      Amount: Math.round(100 * (1.2 + 3.5 * rise + 0.3 * random.next())) / 100,
      ReportYearCV: day.slice(0, 4),
      TimeframeEnd: day,
      TimeframeStart: day,
    };
  });
}

function observationOf(organization: SampleOrganization, site: SampleSite, variable: string): Cells {
  return {
    MethodUUID: `${organization.uuid}_M2`,
    OrganizationUUID: organization.uuid,
    SiteUUID: site.uuid,
    VariableSpecificUUID: `${organization.uuid}_${variable}`,
    WaterSourceUUID: site.waterSources,
    BeneficialUseCategory: 'Unspecified',
  };
}
