// The terms and identifiers of the generated submissions, so that a benchmark can request existing ones.

import { benchmarkCounties, benchmarkStates, benchmarkWatersheds, buildBoundary } from './benchmark-places';
import type { GeneratedUse, Variable } from './lookups';

export interface BenchmarkVariable extends Variable {
  readonly uuid: string;
}

export const organizations = {
  siteAmounts: 'BENCH_SITES',
  allocations: 'BENCH_RIGHTS',
  aggregatedAmounts: 'BENCH_UNITS',
} as const;

export const siteVariables = {
  discharge: variable('BENCH_SITES_V1', 'Discharge Flow', 'Discharge Flow - Daily', ['Day', 'CFS']),
  gageHeight: variable('BENCH_SITES_V2', 'Gage Height', 'Gage Height - Daily', ['Day', 'FT']),
  deliveries: variable('BENCH_SITES_V3', 'Delivered Water Use', 'Delivered Water Use - Annual', ['Year', 'G']),
  yearlyWithdrawal: variable('BENCH_SITES_V4', 'Withdrawal', 'Withdrawal - Annual', ['Year', 'G']),
  monthlyWithdrawal: variable('BENCH_SITES_V5', 'Withdrawal', 'Withdrawal - Monthly', ['Month', 'G']),
} as const;

export const allocationVariable = variable('BENCH_RIGHTS_V1', 'Allocation', 'Allocation', ['Year', 'CFS']);

export const aggregatedVariables = [
  aggregated(1, 'Aggregated Withdrawal', 'Irrigation'),
  aggregated(2, 'Aggregated Consumptive Use', 'Irrigation'),
  aggregated(3, 'Aggregated Return Flow', 'Discharge'),
  aggregated(4, 'Aggregated Water Supply', 'Reservoir'),
] as const;

export const uses = [
  use('Irrigation', 'Agriculture Irrigation', 'Irrigation'),
  use('Domestic', 'Domestic', 'Domestic'),
  use('Commercial', 'Commercial/Industrial', 'Commercial'),
  use('Industrial', 'Commercial/Industrial', 'Industrial'),
  use('Public Supply', 'Public Supply', 'Public Supply'),
  use('Livestock', 'Livestock', 'Livestock'),
  use('Mining', 'Mining', 'Mining'),
  use('Aquaculture', 'Aquaculture', 'Aquaculture'),
  use('Hydroelectric Power', 'Hydroelectric', 'Hydroelectric Power'),
  use('Thermoelectric Power', 'Thermoelectric', 'Thermoelectric Power'),
  use('Recreation', 'Recreation', 'Other'),
  use('In-stream Flow', 'In-stream Flow', 'In-stream Flow'),
] as const;

/** Types of points of diversion. Gages and places of use have their own types. */
export const diversionSiteTypes = ['Well', 'Spring', 'Stream', 'Reservoir'] as const;
export const GAGE_SITE_TYPE = 'Stream Gage';
export const PLACE_OF_USE_SITE_TYPE = 'Service Area';

export const benchmarkVocabulary = {
  organizations,
  siteVariables: Object.values(siteVariables),
  aggregatedVariables,
  allocationVariable,
  uses,
  siteTypes: [...diversionSiteTypes, GAGE_SITE_TYPE, PLACE_OF_USE_SITE_TYPE],
  states: benchmarkStates,
  counties: benchmarkCounties,
  huc8s: benchmarkWatersheds,
  reportingUnitTypes: ['County', 'HUC'],
  /**
   * Gages and sites are numbered from 0. The first 12 gages and the first site with a short series exist at any size.
   */
  gageSiteUuid: (gage: number): string => `BENCH_SITES_G${gage + 1}`,
  shortSiteUuid: (site: number): string => `BENCH_SITES_S${site + 1}`,
  allocationSiteUuid: (site: number): string => `BENCH_RIGHTS_S${site + 1}`,
  /** Counties first, then HUC8 watersheds. */
  reportingUnitUuid: (unit: number): string => `BENCH_UNITS_RU${unit + 1}`,
  /** A WKT boundary that contains about one site in six and has as many positions as a digitized river basin. */
  largeBoundary: buildBoundary(1 / 6, 400),
  /** A WKT boundary that contains about 0.5 percent of the sites, like a digitized town or valley. */
  smallBoundary: buildBoundary(0.005, 24),
} as const;

function variable(
  uuid: string,
  name: string,
  specific: string,
  [interval, unit]: readonly [interval: Variable['interval'], unit: string],
): BenchmarkVariable {
  const statistic = interval === 'Day' ? 'Average' : 'Cumulative';
  return { uuid, variable: name, specific, interval, statistic, unit, maximumUnit: unit === 'CFS' ? 'AF' : unit };
}

function aggregated(number: number, name: string, kind: string): BenchmarkVariable {
  return variable(`BENCH_UNITS_V${number}`, name, `${name}_${kind}`, ['Year', 'AF']);
}

function use(name: string, primaryUse: string, usgsCategory: string): GeneratedUse {
  return { name, primaryUse, usgsCategory };
}
