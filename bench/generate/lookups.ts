// The small tables of every submission: its organization, variables, methods, water sources and uses. Identifiers
// contain the organization and the number of the row from 1: BENCH_SITES_V1, BENCH_SITES_M1, BENCH_SITES_WS1.

import { currentColumns, lookupColumns } from './columns';
import type { Cells, SubmissionTable } from './tables';

export interface GeneratedOrganization {
  readonly uuid: string;
  /** A two-letter code. */
  readonly state: string;
  readonly name: string;
  readonly purview: string;
}

export interface Variable {
  readonly variable: string;
  readonly specific: string;
  readonly interval: 'Day' | 'Month' | 'Year';
  readonly statistic: 'Average' | 'Cumulative';
  readonly unit: string;
  readonly maximumUnit?: string;
}

export interface GeneratedWaterSource {
  readonly name: string;
  readonly type: 'Groundwater' | 'Surface Water';
}

export interface GeneratedUse {
  readonly name: string;
  readonly primaryUse: string;
  readonly usgsCategory: string;
}

export function organizationTable({ uuid, state, name, purview }: GeneratedOrganization): SubmissionTable {
  const cells = {
    OrganizationUUID: uuid,
    OrganizationContactEmail: 'data@example.org',
    OrganizationContactName: 'Data Contact',
    OrganizationDataMappingURL: '',
    OrganizationName: name,
    OrganizationPhoneNumber: '555-0100',
    OrganizationPurview: purview,
    OrganizationWebsite: 'https://example.org/',
    State: state,
  };
  return { file: 'organizations.csv', columns: lookupColumns.organizations, rows: [cells] };
}

export function variableTable(organization: string, variables: readonly Variable[]): SubmissionTable {
  const rows = variables.map(({ interval, statistic, unit, maximumUnit = unit, ...names }, index) => ({
    VariableSpecificUUID: `${organization}_V${index + 1}`,
    AggregationInterval: 1,
    AggregationIntervalUnitCV: interval,
    AggregationStatisticCV: statistic,
    AmountUnitCV: unit,
    MaximumAmountUnitCV: maximumUnit,
    ReportYearStartMonth: 1,
    ReportYearTypeCV: 'CalendarYear',
    VariableCV: names.variable,
    VariableSpecificCV: names.specific,
  }));
  return { file: 'variables.csv', columns: lookupColumns.variables, rows };
}

/** `rows` contains the rows without their identifiers. */
export function methodTable(organization: string, rows: readonly Cells[]): SubmissionTable {
  const cells = rows.map((row, index) => ({ MethodUUID: `${organization}_M${index + 1}`, ...row }));
  return { file: 'methods.csv', columns: currentColumns.methods, rows: cells };
}

export function waterSourceTable(organization: string, sources: readonly GeneratedWaterSource[]): SubmissionTable {
  const rows = sources.map(({ name, type }, index) => ({
    WaterSourceUUID: `${organization}_WS${index + 1}`,
    WaterQualityIndicatorCV: 'Fresh',
    WaterSourceName: name,
    WaterSourceNativeID: `WS${index + 1}`,
    WaterSourceTypeCV: type,
  }));
  return { file: 'watersources.csv', columns: lookupColumns.waterSources, rows };
}

export function beneficialUseTable(uses: readonly GeneratedUse[]): SubmissionTable {
  const rows = uses.map(({ name, primaryUse, usgsCategory }) => ({
    BeneficialUseCategory: name,
    PrimaryUseCategory: primaryUse,
    USGSCategoryNameCV: usgsCategory,
    NAICSCodeNameCV: '',
  }));
  return { file: 'beneficialuses.csv', columns: lookupColumns.beneficialUses, rows };
}

export function relationTable(rows: Iterable<Cells>): SubmissionTable {
  return { file: 'podsitetopousiterelationships.csv', columns: lookupColumns.relations, rows };
}
