// Utah's observation sites: stream gages with discharge by month and height by day, and reservoirs with their storage.

import { dayNumber, isoDay, monthsOf } from '../generate/calendar-days';
import type { GeneratedOrganization } from '../generate/lookups';
import type { SeededRandom } from '../generate/seeded-random';
import type { Cells } from '../generate/tables';
import type { RiverValleys } from './rivers';
import { createSite, type SampleSite } from './sample';

export interface Gages {
  readonly sites: readonly SampleSite[];
  readonly amounts: readonly Cells[];
}

const names = [
  ...['Lantern Creek above Copper Lantern', 'Heron Fork near Heron Bend', 'Tamarack Wash at Old Kiln'],
  ...['Juniper Creek at Juniper Stair', 'Heron Fork above Amber Hollow', 'Thistle Creek below Thistle Ford'],
  ...['Larkspur Creek near Moonrise Flat', 'Cricket Creek at Cricket Hill', 'Saltbrush Wash near Heron Bend'],
  ...['Red Stair Creek near Old Kiln', 'Quaking Fork above Larkspur Creek', 'Pinyon Wash at Pinyon Flat'],
  ...['Amber Creek at Amber Hollow', 'Lantern Creek below Moonrise Flat', 'Tamarack Wash near Thistle Ford'],
];
const reservoirs = [
  ...['Moonrise Reservoir', 'Amber Hollow Reservoir', 'Larkspur Reservoir', 'Quaking Fork Reservoir'],
];

/** The first gages and reservoirs have been read for longer. */
const [OLD_GAGES, OLD_RESERVOIRS] = [3, 2];
const months = monthsOf(2014, 2023);
const laterMonths = monthsOf(2020, 2023);

/** The second gage was out of order for these. */
const [GAGE_WITH_A_GAP, GAP_BEGINS, GAP_ENDS] = [1, '2018-06', '2018-10'];

/** The snow melts in these days. */
const [FIRST_DAILY, LAST_DAILY] = [dayNumber(2023, 4, 1), dayNumber(2023, 6, 30)];

/** Discharge (cubic feet per second) or storage, month by month of the year, as a share of the highest. */
const yearlyCourse = [0.15, 0.16, 0.3, 0.6, 1, 0.9, 0.45, 0.25, 0.2, 0.18, 0.16, 0.15];

export function gages(
  organization: GeneratedOrganization,
  valleys: RiverValleys,
  firstSite: number,
  random: SeededRandom,
): Gages {
  const sites = [...names, ...reservoirs].map((name, index) => {
    const isGage = index < names.length;
    const site = createSite({
      organization,
      number: firstSite + index,
      name,
      type: isGage ? 'Stream Gage' : 'Reservoir',
      use: 'POD',
      place: valleys.placeAt(index + 1, { share: 0.2 + ((index * 0.618) % 0.7), away: 0.01 }),
      waterSources: `${organization.uuid}_WS2`,
    });
    return { ...site, isGage, cells: { ...site.cells, NHDNetworkStatusCV: 'Y', NHDProductCV: 'NHDPlus' } };
  });
  return {
    sites,
    amounts: sites.flatMap((site, index) => {
      const observed = (variable: string): Cells => observationOf(organization, site, variable);
      const isOld = index < OLD_GAGES || (index >= names.length && index < names.length + OLD_RESERVOIRS);
      const plan = { read: isOld ? months : laterMonths, highest: site.isGage ? 240 : 18_000 };
      const amounts = monthly(observed(site.isGage ? 'V4' : 'V6'), plan, random);
      if (index === GAGE_WITH_A_GAP) return [...amounts.filter(isRead), ...dailyHeights(observed('V5'), random)];
      return index === 0 ? [...amounts, ...dailyHeights(observed('V5'), random)] : amounts;
    }),
  };
}

function isRead({ TimeframeStart = '' }: Cells): boolean {
  const month = String(TimeframeStart).slice(0, 7);
  return month < GAP_BEGINS || month >= GAP_ENDS;
}

interface ReadingPlan {
  readonly read: typeof months;
  /** The highest amount of a usual year. */
  readonly highest: number;
}

function monthly(observation: Cells, { read, highest }: ReadingPlan, random: SeededRandom): Cells[] {
  return read.map(({ year, start, end }, index) => {
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
