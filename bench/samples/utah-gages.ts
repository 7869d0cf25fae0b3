// Utah's observation sites: stream gages with discharge by month and height by day, and reservoirs with their storage.

import { dayNumber, isoDay, monthsOf } from '../generate/calendar-days';
import type { GeneratedOrganization } from '../generate/lookups';
import type { SeededRandom } from '../generate/seeded-random';
import type { Cells } from '../generate/tables';
import { areaAt, createSite, positionWithin, type SampleAreas, type SampleSite } from './sample';

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
  organization: GeneratedOrganization,
  areas: SampleAreas,
  firstSite: number,
  random: SeededRandom,
): Gages {
  const sites = [...names, ...reservoirs].map((name, index) => {
    const area = areaAt(areas, index * 2 + 1);
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
      const observed = (variable: string): Cells => observationOf(organization, site, variable);
      if (!site.isGage) return monthly(observed('V6'), 18_000, random);
      const heights = index < 2 ? dailyHeights(observed('V5'), random) : [];
      return [...monthly(observed('V4'), 240, random), ...heights];
    }),
  };
}

function monthly(observation: Cells, highest: number, random: SeededRandom): Cells[] {
  return months.map(({ year, start, end }, index) => {
    const share = yearlyCourse[index % yearlyCourse.length] ?? 0;
    return {
      ...observation,
      Amount: Math.round(highest * share * (80 + 40 * random.next())) / 100,
      ReportYearCV: year,
      TimeframeEnd: end,
      TimeframeStart: start,
    };
  });
}

function dailyHeights(observation: Cells, random: SeededRandom): Cells[] {
  return Array.from({ length: LAST_DAILY - FIRST_DAILY + 1 }, (_, index) => {
    const day = isoDay(FIRST_DAILY + index);
    const rise = Math.sin((Math.PI * index) / (LAST_DAILY - FIRST_DAILY));
    return {
      ...observation,
      Amount: Math.round(100 * (1.2 + 3.5 * rise + 0.3 * random.next())) / 100,
      ReportYearCV: day.slice(0, 4),
      TimeframeEnd: day,
      TimeframeStart: day,
    };
  });
}

function observationOf(organization: GeneratedOrganization, site: SampleSite, variable: string): Cells {
  return {
    MethodUUID: `${organization.uuid}_M2`,
    OrganizationUUID: organization.uuid,
    SiteUUID: site.uuid,
    VariableSpecificUUID: `${organization.uuid}_${variable}`,
    WaterSourceUUID: site.waterSources,
    BeneficialUseCategory: 'Unspecified',
  };
}
