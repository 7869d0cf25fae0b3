// Site amounts in realistic proportions: long daily series at a few gages, and short yearly and monthly ones at many
// sites.

import {
  type BenchmarkVariable,
  benchmarkVocabulary,
  organizations,
  siteVariables,
  uses,
} from './benchmark-vocabulary';
import { formatDay, listMonths, listYears, type Timeframe, toDayNumber } from './calendar-days';
import { createItemRandom, type SeededRandom } from './seeded-random';
import { type BenchmarkSite, describeSite, type SitePlan } from './sites';
import type { Cells } from './tables';

export interface SiteAmountsPlan {
  readonly gages: SitePlan;
  readonly gageCount: number;
  readonly gageRecords: number;
  readonly shortSites: SitePlan;
  readonly shortSiteCount: number;
  readonly shortRecords: number;
  readonly seed: number;
}

export const SITE_WATER_SOURCES = 24;

const MIN_GAGES = 12;
const GAGE_SHARE = 0.25;
const GAGE_VARIABLES = [siteVariables.discharge, siteVariables.gageHeight];
/** Limits daily values to 1940 and later. */
const MAX_DAYS = 30_000;
const LAST_DAY = toDayNumber(2023, 12, 31);

/**
 * A site in a real submission (Utah's public supply) has 1 to 273 rows; half of the sites have fewer than 26, and one
 * in ten has more than 180.
 */
const MEDIAN_ROWS = 30;
const ROWS_SPREAD = 1.1;
const MAX_ROWS = 273;

const MAX_YEARS = 60;
const years = listYears(2023 - MAX_YEARS + 1, 2023);
const months = listMonths(1999, 2023);

/** The share of sites with few rows. These sites come last, and their rows are not consecutive. */
const SHUFFLED_SHARE = 0.25;
/** Limits the rows in memory to about 25,000. */
const SHUFFLED_SITES = 500;

const COUNT_STREAM = 20;
const ROW_STREAM = 21;
const SHUFFLE_STREAM = 22;

export function planSiteAmounts(records: number, seed: number): SiteAmountsPlan {
  const gageRecords = Math.floor(records * GAGE_SHARE);
  const shortRecords = records - gageRecords;
  const common = { organization: organizations.siteAmounts, waterSources: SITE_WATER_SOURCES, drawnShare: 1, seed };
  return {
    gages: { ...common, uuid: benchmarkVocabulary.gageSiteUuid, kind: 'gages', stream: 0 },
    gageCount: Math.max(MIN_GAGES, Math.ceil(gageRecords / (MAX_DAYS * GAGE_VARIABLES.length))),
    gageRecords,
    shortSites: {
      ...common,
      uuid: benchmarkVocabulary.shortSiteUuid,
      kind: 'diversions and places of use',
      stream: 5,
    },
    shortSiteCount: countShortSites(shortRecords, seed),
    shortRecords,
    seed,
  };
}

export function* siteAmountRows(plan: SiteAmountsPlan): Generator<Cells> {
  yield* gageRows(plan);
  const orderedSites = plan.shortSiteCount - Math.floor(plan.shortSiteCount * SHUFFLED_SHARE);
  let remaining = plan.shortRecords;
  let shuffledRows: Cells[] = [];
  for (let site = 0; site < plan.shortSiteCount; site += 1) {
    const rows = shortSiteRows(plan, site, Math.min(remaining, countShortSiteRecords(plan.seed, site)));
    remaining -= rows.length;
    if (site < orderedSites) {
      yield* rows;
      continue;
    }
    shuffledRows.push(...rows);
    if ((site - orderedSites + 1) % SHUFFLED_SITES === 0 || site === plan.shortSiteCount - 1) {
      createItemRandom(plan.seed, SHUFFLE_STREAM, site).shuffle(shuffledRows);
      yield* shuffledRows;
      shuffledRows = [];
    }
  }
}

function countShortSites(records: number, seed: number): number {
  let sites = 0;
  for (let remaining = records; remaining > 0; sites += 1) remaining -= countShortSiteRecords(seed, sites);
  return sites;
}

function countShortSiteRecords(seed: number, site: number): number {
  return createItemRandom(seed, COUNT_STREAM, site).skewedInteger(MEDIAN_ROWS, ROWS_SPREAD, 1, MAX_ROWS);
}

/** The gages share the records evenly; each day has a discharge and a height. */
function* gageRows(plan: SiteAmountsPlan): Generator<Cells> {
  let remaining = plan.gageRecords;
  for (let gage = 0; gage < plan.gageCount; gage += 1) {
    const site = describeSite(plan.gages, gage);
    const random = createItemRandom(plan.seed, ROW_STREAM, -1 - gage);
    const records = Math.ceil(remaining / (plan.gageCount - gage));
    remaining -= records;
    const discharges = Math.ceil(records / GAGE_VARIABLES.length);
    yield* dailyRows(site, siteVariables.discharge, discharges, random);
    yield* dailyRows(site, siteVariables.gageHeight, records - discharges, random);
  }
}

function* dailyRows(
  site: BenchmarkSite,
  variable: BenchmarkVariable,
  days: number,
  random: SeededRandom,
): Generator<Cells> {
  const cells = { ...buildSeriesCells(site, variable), BeneficialUseCategory: 'Unspecified' };
  const scale = variable === siteVariables.discharge ? 900 : 12;
  for (let day = LAST_DAY - days + 1; day <= LAST_DAY; day += 1) {
    const text = formatDay(day);
    const Amount = drawAmount(random, scale);
    yield { ...cells, Amount, ReportYearCV: text.slice(0, 4), TimeframeEnd: text, TimeframeStart: text };
  }
}

function shortSiteRows(plan: SiteAmountsPlan, number: number, records: number): Cells[] {
  const site = describeSite(plan.shortSites, number);
  const random = createItemRandom(plan.seed, ROW_STREAM, number);
  return site.isPlaceOfUse ? deliveryRows(site, number, records, random) : withdrawalRows(site, records, random);
}

/** The yearly deliveries to a town, one row per use. */
function deliveryRows(site: BenchmarkSite, number: number, records: number, random: SeededRandom): Cells[] {
  const deliveredUses = random.pickSome(uses, Math.max(random.integer(1, 3), Math.ceil(records / MAX_YEARS)));
  const yearsEach = Math.ceil(records / deliveredUses.length);
  const rows = deliveredUses.flatMap((use) => {
    const cells = {
      ...buildSeriesCells(site, siteVariables.deliveries),
      BeneficialUseCategory: use.name,
      CommunityWaterSupplySystem: `Benchmark Water System ${number + 1}`,
      CustomerTypeCV: use.name === 'Domestic' ? 'Residential' : '',
      PopulationServed: random.integer(20, 90_000),
      PrimaryUseCategory: use.primaryUse,
      SDWISIdentifier: `BENCH${String(number + 1).padStart(6, '0')}`,
    };
    return buildSeriesRows(cells, years.slice(-yearsEach), random);
  });
  return rows.slice(0, records);
}

function withdrawalRows(site: BenchmarkSite, records: number, random: SeededRandom): Cells[] {
  const withdrawalUses = random.pickSome(uses, random.chance(0.2) ? 2 : 1);
  const isMonthly = records > MAX_YEARS || random.chance(0.5);
  const cells = {
    ...buildSeriesCells(site, isMonthly ? siteVariables.monthlyWithdrawal : siteVariables.yearlyWithdrawal),
    AssociatedNativeAllocationIDs: random.chance(0.2) ? `WR${random.integer(1, 99_999)}` : '',
    BeneficialUseCategory: withdrawalUses.map((use) => use.name).join(','),
    PrimaryUseCategory: withdrawalUses[0]?.primaryUse ?? '',
  };
  const firstMonth = random.integer(0, months.length - MAX_ROWS);
  return buildSeriesRows(
    cells,
    isMonthly ? months.slice(firstMonth, firstMonth + records) : years.slice(-records),
    random,
  );
}

function buildSeriesRows(cells: Cells, timeframes: readonly Timeframe[], random: SeededRandom): Cells[] {
  return timeframes.map(({ year, start, end }) => {
    return { ...cells, Amount: drawAmount(random, 9e7), ReportYearCV: year, TimeframeEnd: end, TimeframeStart: start };
  });
}

function buildSeriesCells(site: BenchmarkSite, variable: BenchmarkVariable): Cells {
  return {
    MethodUUID: `${organizations.siteAmounts}_M1`,
    OrganizationUUID: organizations.siteAmounts,
    SiteUUID: site.uuid,
    VariableSpecificUUID: variable.uuid,
    WaterSourceUUID: site.waterSource,
    DataPublicationDate: '04/07/2024',
  };
}

/** A few large and many small amounts, some of which are 0, as in real files. */
function drawAmount(random: SeededRandom, scale: number): string {
  const share = random.next();
  return share < 0.05 ? '0.0' : String(Math.round(share ** 3 * scale * 100) / 100);
}
