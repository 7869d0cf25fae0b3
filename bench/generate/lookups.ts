// The small files of a big generated submission: its organization, variables, methods, water sources and uses.

import { csvLine } from './csv-lines';
import { randomOfItem } from './seeded-random';
import { uses, type BenchmarkVariable } from './benchmark-vocabulary';
import {
  beneficialUseColumns,
  methodColumns,
  organizationColumns,
  variableColumns,
  waterSourceColumns,
} from './columns';

export interface GeneratedTable {
  readonly file: string;
  readonly columns: readonly string[];
  readonly lines: Iterable<string>;
}

export interface LookupPlan {
  readonly organization: string;
  readonly state: string;
  readonly variables: readonly BenchmarkVariable[];
  readonly waterSources: number;
  readonly seed: number;
}

/** Keeps the numbers of water sources apart from those of sites and amounts. */
const WATER_SOURCE_STREAM = 90;

export function lookupTables(plan: LookupPlan): GeneratedTable[] {
  return [
    { file: 'organizations.csv', columns: organizationColumns, lines: [organizationLine(plan)] },
    { file: 'variables.csv', columns: variableColumns, lines: plan.variables.map(variableLine) },
    { file: 'methods.csv', columns: methodColumns, lines: [methodLine(plan.organization)] },
    { file: 'watersources.csv', columns: waterSourceColumns, lines: waterSourceLines(plan) },
    { file: 'beneficialuses.csv', columns: beneficialUseColumns, lines: beneficialUseLines() },
  ];
}

export function methodUuid(organization: string): string {
  return `${organization}_M1`;
}

export function waterSourceUuid(organization: string, source: number): string {
  return `${organization}_WS${source + 1}`;
}

function organizationLine(plan: LookupPlan): string {
  return csvLine(organizationColumns, {
    OrganizationUUID: plan.organization,
    OrganizationContactEmail: 'data@example.org',
    OrganizationContactName: 'Data Contact',
    OrganizationName: `Benchmark organization ${plan.organization}`,
    OrganizationPhoneNumber: '555-0100',
    OrganizationPurview: 'Generated data, to measure the service with.',
    OrganizationWebsite: 'https://example.org/',
    State: plan.state,
  });
}

function variableLine(variable: BenchmarkVariable): string {
  return csvLine(variableColumns, {
    VariableSpecificUUID: variable.uuid,
    AggregationInterval: 1,
    AggregationIntervalUnitCV: variable.interval,
    AggregationStatisticCV: variable.statistic,
    AmountUnitCV: variable.unit,
    MaximumAmountUnitCV: variable.unit === 'CFS' ? 'AF' : variable.unit,
    ReportYearStartMonth: 1,
    ReportYearTypeCV: 'CalendarYear',
    VariableCV: variable.variable,
    VariableSpecificCV: variable.specific,
  });
}

function methodLine(organization: string): string {
  return csvLine(methodColumns, {
    MethodUUID: methodUuid(organization),
    ApplicableResourceTypeCV: 'Surface Ground Water',
    MethodDescription: 'Generated from a seed.\nNo one measured it.',
    MethodName: 'Generated data',
    MethodTypeCV: 'Measured',
  });
}

function* waterSourceLines(plan: LookupPlan): Generator<string> {
  for (let source = 0; source < plan.waterSources; source += 1) {
    const random = randomOfItem(plan.seed, WATER_SOURCE_STREAM, source);
    yield csvLine(waterSourceColumns, {
      WaterSourceUUID: waterSourceUuid(plan.organization, source),
      WaterQualityIndicatorCV: 'Fresh',
      WaterSourceName: random.chance(0.5) ? 'Unspecified' : `Benchmark Creek ${source + 1}`,
      WaterSourceNativeID: `WS${source + 1}`,
      WaterSourceTypeCV: random.chance(0.4) ? 'Groundwater' : 'Surface Water',
    });
  }
}

function beneficialUseLines(): string[] {
  return uses.map((use) =>
    csvLine(beneficialUseColumns, {
      BeneficialUseCategory: use.name,
      PrimaryUseCategory: use.primaryUse,
      USGSCategoryNameCV: use.usgsCategory,
    }),
  );
}
