// Generates large submissions for the benchmark, one of each kind, in realistic proportions and without rows that the
// rules reject or warn about.

import { join } from 'node:path';
import {
  AGGREGATED_WATER_SOURCES,
  aggregatedAmountRows,
  planAggregatedAmounts,
  reportingUnitRows,
} from './aggregated-amounts';
import { allocationRows, planAllocations } from './allocations';
import { aggregatedVariables, allocationVariable, organizations, siteVariables, uses } from './benchmark-vocabulary';
import { currentColumns, lookupColumns } from './columns';
import {
  beneficialUseTable,
  type GeneratedWaterSource,
  methodTable,
  organizationTable,
  relationTable,
  type Variable,
  variableTable,
  waterSourceTable,
} from './lookups';
import { nameWaterSource } from './realistic-names';
import { createItemRandom } from './seeded-random';
import { planSiteAmounts, SITE_WATER_SOURCES, siteAmountRows } from './site-amounts';
import { relationRows, siteRows } from './sites';
import { type Cells, type SubmissionTable, writeSubmission } from './tables';

export const submissionKinds = ['SiteVariableAmounts', 'WaterAllocations', 'AggregatedAmounts'] as const;
export type SubmissionKind = (typeof submissionKinds)[number];

export interface GeneratedSubmission {
  /** The path of the submission's folder. */
  readonly folder: string;
  readonly kind: SubmissionKind;
  /** The number of rows in the amounts file. */
  readonly rows: number;
  /** The size of all CSV files together. */
  readonly bytes: number;
}

interface LookupPlan {
  readonly organization: string;
  readonly state: string;
  readonly variables: readonly Variable[];
  readonly waterSources: number;
  readonly seed: number;
}

/** Makes the random numbers of water sources independent of the random numbers of sites and amounts. */
const WATER_SOURCE_STREAM = 90;

/** Each function returns the name of its folder and its tables, the amounts last. */
const planners: Readonly<
  Record<SubmissionKind, (records: number, seed: number) => readonly [string, SubmissionTable[]]>
> = {
  SiteVariableAmounts: siteAmounts,
  WaterAllocations: allocations,
  AggregatedAmounts: aggregatedAmounts,
};

/**
 * Writes `records` site amounts, 0.28 times as many water rights and 0.03 times as many aggregated amounts, limited to
 * `kinds`. Each is in its own folder within `folder`.
 */
export async function generateSubmissions(
  folder: string,
  records: number,
  seed: number,
  kinds: readonly SubmissionKind[] = submissionKinds,
): Promise<GeneratedSubmission[]> {
  const submissions: GeneratedSubmission[] = [];
  const instructions = '{ "mode": "replace", "note": "Generated for the benchmark." }\n';
  for (const kind of kinds) {
    const [name, tables] = planners[kind](records, seed);
    const written = await writeSubmission(folder, { folder: name, tables, instructions });
    const bytes = written.reduce((sum, table) => sum + table.bytes, 0);
    submissions.push({ folder: join(folder, name), kind, rows: written.at(-1)?.rows ?? 0, bytes });
  }
  return submissions;
}

function siteAmounts(records: number, seed: number): readonly [string, SubmissionTable[]] {
  const plan = planSiteAmounts(records, seed);
  const { gages, gageCount, shortSites, shortSiteCount } = plan;
  const organization = { organization: organizations.siteAmounts, state: 'UT', seed };
  const tables = [
    ...lookupTables({ ...organization, variables: Object.values(siteVariables), waterSources: SITE_WATER_SOURCES }),
    sitesTable(concatenate(siteRows(gages, countUp(gageCount)), siteRows(shortSites, countUp(shortSiteCount)))),
    relationTable(relationRows(shortSites, shortSiteCount)),
    { file: 'sitespecificamounts.csv', columns: currentColumns.siteAmounts, rows: siteAmountRows(plan) },
  ];
  return ['site-amounts', tables];
}

function allocations(records: number, seed: number): readonly [string, SubmissionTable[]] {
  const plan = planAllocations(records, seed);
  const organization = { organization: organizations.allocations, state: 'CO', seed };
  const tables = [
    ...lookupTables({ ...organization, variables: [allocationVariable], waterSources: plan.sites.waterSources }),
    sitesTable(siteRows(plan.sites, plan.siteOrder)),
    relationTable(relationRows(plan.sites, plan.siteOrder.length)),
    { file: 'waterallocations.csv', columns: currentColumns.allocations, rows: allocationRows(plan) },
  ];
  return ['allocations', tables];
}

function aggregatedAmounts(records: number, seed: number): readonly [string, SubmissionTable[]] {
  const plan = planAggregatedAmounts(records, seed);
  const organization = { organization: organizations.aggregatedAmounts, state: 'CO', seed };
  const tables = [
    ...lookupTables({ ...organization, variables: aggregatedVariables, waterSources: AGGREGATED_WATER_SOURCES }),
    { file: 'reportingunits.csv', columns: lookupColumns.reportingUnits, rows: reportingUnitRows(plan) },
    { file: 'aggregatedamounts.csv', columns: currentColumns.aggregatedAmounts, rows: aggregatedAmountRows(plan) },
  ];
  return ['aggregated', tables];
}

function lookupTables({ organization, state, variables, waterSources, seed }: LookupPlan): SubmissionTable[] {
  const method = {
    ApplicableResourceTypeCV: 'Surface Ground Water',
    MethodDescription: 'Generated from a seed.\nNo one measured it.',
    MethodName: 'Generated data',
    MethodTypeCV: 'Measured',
  };
  const sources = Array.from({ length: waterSources }, (_, source): GeneratedWaterSource => {
    const random = createItemRandom(seed, WATER_SOURCE_STREAM, source);
    const name = random.chance(0.1) ? 'Unspecified' : nameWaterSource(source);
    return { name, type: random.chance(0.4) ? 'Groundwater' : 'Surface Water' };
  });
  const purview = 'Generated data, to measure the service with.';
  return [
    organizationTable({ uuid: organization, state, name: `Benchmark organization ${organization}`, purview }),
    variableTable(organization, variables),
    methodTable(organization, [method]),
    waterSourceTable(organization, sources),
    beneficialUseTable(uses),
  ];
}

function sitesTable(rows: SubmissionTable['rows']): SubmissionTable {
  return { file: 'sites.csv', columns: currentColumns.sites, rows };
}

/** Yields the numbers from 0 to below `count`. */
function* countUp(count: number): Generator<number> {
  for (let number = 0; number < count; number += 1) yield number;
}

function* concatenate(...parts: readonly Iterable<Cells>[]): Generator<Cells> {
  for (const part of parts) yield* part;
}
