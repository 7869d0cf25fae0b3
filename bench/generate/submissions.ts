// Big submissions for the benchmark, one of each kind, in the shapes of the field and without a row that the rules object to.
// The files are written as they are made: memory does not grow with the number of records.

import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { writeCsvFile } from './csv-file';
import { aggregatedVariables, allocationVariable, organizations, siteVariables } from './benchmark-vocabulary';
import {
  AGGREGATED_WATER_SOURCES,
  aggregatedAmountLines,
  planAggregatedAmounts,
  reportingUnitLines,
} from './aggregated-amounts';
import { allocationLines, planAllocations } from './allocations';
import {
  aggregatedAmountColumns,
  allocationColumns,
  relationColumns,
  reportingUnitColumns,
  siteAmountColumns,
  siteColumns,
} from './columns';
import { lookupTables, type GeneratedTable } from './lookups';
import { planSiteAmounts, SITE_WATER_SOURCES, siteAmountLines } from './site-amounts';
import { relationLines, siteLines } from './sites';

export const submissionKinds = ['SiteVariableAmounts', 'WaterAllocations', 'AggregatedAmounts'] as const;
export type SubmissionKind = (typeof submissionKinds)[number];

export interface GeneratedSubmission {
  /** The path of the submission's folder. */
  readonly folder: string;
  readonly kind: SubmissionKind;
  /** Of the amounts file. */
  readonly rows: number;
  /** Of all files together. */
  readonly bytes: number;
}

interface SubmissionPlan {
  readonly name: string;
  readonly kind: SubmissionKind;
  readonly lookups: readonly GeneratedTable[];
  readonly amounts: GeneratedTable;
}

/** Makes `records` site amounts, 0.28 as many water rights and 0.03 as many aggregated amounts, those of `kinds`, each in a folder within `folder`. */
export async function generateSubmissions(
  folder: string,
  records: number,
  seed: number,
  kinds: readonly SubmissionKind[] = submissionKinds,
): Promise<GeneratedSubmission[]> {
  const submissions: GeneratedSubmission[] = [];
  for (const plan of kinds.map((kind) => planOf[kind](records, seed))) {
    submissions.push(await writeSubmission(join(folder, plan.name), plan));
  }
  return submissions;
}

const planOf: Readonly<Record<SubmissionKind, (records: number, seed: number) => SubmissionPlan>> = {
  SiteVariableAmounts: siteAmounts,
  WaterAllocations: allocations,
  AggregatedAmounts: aggregatedAmounts,
};

async function writeSubmission(folder: string, plan: SubmissionPlan): Promise<GeneratedSubmission> {
  await mkdir(folder, { recursive: true });
  let bytes = 0;
  for (const table of plan.lookups) {
    bytes += (await writeTable(folder, table)).bytes;
  }
  const amounts = await writeTable(folder, plan.amounts);
  await writeFile(join(folder, 'submission.json'), '{ "mode": "replace", "note": "Generated for the benchmark." }\n');
  return { folder, kind: plan.kind, rows: amounts.rows, bytes: bytes + amounts.bytes };
}

function writeTable(folder: string, table: GeneratedTable): ReturnType<typeof writeCsvFile> {
  return writeCsvFile(join(folder, table.file), table.columns, table.lines);
}

function siteAmounts(records: number, seed: number): SubmissionPlan {
  const plan = planSiteAmounts(records, seed);
  return {
    name: 'site-amounts',
    kind: 'SiteVariableAmounts',
    lookups: [
      ...lookupTables({
        organization: organizations.siteAmounts,
        state: 'UT',
        variables: Object.values(siteVariables),
        waterSources: SITE_WATER_SOURCES,
        seed,
      }),
      {
        file: 'sites.csv',
        columns: siteColumns,
        lines: joined(siteLines(plan.gages, plan.gageCount), siteLines(plan.shortSites, plan.shortSiteCount)),
      },
      relationTable(relationLines(plan.shortSites, plan.shortSiteCount)),
    ],
    amounts: { file: 'sitespecificamounts.csv', columns: siteAmountColumns, lines: siteAmountLines(plan) },
  };
}

function allocations(records: number, seed: number): SubmissionPlan {
  const plan = planAllocations(records, seed);
  return {
    name: 'allocations',
    kind: 'WaterAllocations',
    lookups: [
      ...lookupTables({
        organization: organizations.allocations,
        state: 'CO',
        variables: [allocationVariable],
        waterSources: plan.sites.waterSources,
        seed,
      }),
      { file: 'sites.csv', columns: siteColumns, lines: siteLines(plan.sites, plan.siteCount) },
      relationTable(relationLines(plan.sites, plan.siteCount)),
    ],
    amounts: { file: 'waterallocations.csv', columns: allocationColumns, lines: allocationLines(plan) },
  };
}

function aggregatedAmounts(records: number, seed: number): SubmissionPlan {
  const plan = planAggregatedAmounts(records, seed);
  return {
    name: 'aggregated',
    kind: 'AggregatedAmounts',
    lookups: [
      ...lookupTables({
        organization: organizations.aggregatedAmounts,
        state: 'CO',
        variables: aggregatedVariables,
        waterSources: AGGREGATED_WATER_SOURCES,
        seed,
      }),
      { file: 'reportingunits.csv', columns: reportingUnitColumns, lines: reportingUnitLines(plan) },
    ],
    amounts: { file: 'aggregatedamounts.csv', columns: aggregatedAmountColumns, lines: aggregatedAmountLines(plan) },
  };
}

function relationTable(lines: Iterable<string>): GeneratedTable {
  return { file: 'podsitetopousiterelationships.csv', columns: relationColumns, lines };
}

function* joined(...parts: readonly Iterable<string>[]): Generator<string> {
  for (const part of parts) yield* part;
}
