// The small tables that every submission has: its organization, variables, methods, water sources and uses. Rows are
// numbered from 1 in the order given, after the organization: SAMPLE_UT_V1, SAMPLE_UT_M1, SAMPLE_UT_WS1.

import { lookupColumns } from './columns';
import type { Cells, SubmissionTable } from './tables';

export interface GeneratedOrganization {
  readonly uuid: string;
  /** Two letters. */
  readonly state: string;
  readonly name: string;
  readonly purview: string;
  readonly mappingUrl?: string;
}

export interface Variable {
  readonly variable: string;
  readonly specific: string;
  readonly interval: 'Day' | 'Month' | 'Year';
  readonly statistic: 'Average' | 'Cumulative';
  readonly unit: string;
  readonly maximumUnit?: string;
  /** 10 where the year is a water year, which begins in October; otherwise it begins in January. */
  readonly yearBegins?: 10;
}

export interface GeneratedWaterSource {
  readonly name: string;
  readonly type: 'Groundwater' | 'Surface Water' | 'Unspecified';
}

export interface GeneratedUse {
  readonly name: string;
  readonly primaryUse: string;
  readonly usgsCategory: string;
  readonly naicsCode?: string;
}

export function organizationTable({
  uuid,
  state,
  name,
  purview,
  mappingUrl = '',
}: GeneratedOrganization): SubmissionTable {
  const cells = {
    OrganizationUUID: uuid,
    OrganizationContactEmail: 'data@example.org',
    OrganizationContactName: 'Data Contact',
    OrganizationDataMappingURL: mappingUrl,
    OrganizationName: name,
    OrganizationPhoneNumber: '555-0100',
    OrganizationPurview: purview,
    OrganizationWebsite: 'https://example.org/',
    State: state,
  };
  return { file: 'organizations.csv', columns: lookupColumns.organizations, rows: [cells] };
}

export function variableTable(organization: string, variables: readonly Variable[]): SubmissionTable {
  const rows = variables.map(({ interval, statistic, unit, maximumUnit = unit, yearBegins, ...names }, index) => ({
    VariableSpecificUUID: `${organization}_V${index + 1}`,
    AggregationInterval: 1,
    AggregationIntervalUnitCV: interval,
    AggregationStatisticCV: statistic,
    AmountUnitCV: unit,
    MaximumAmountUnitCV: maximumUnit,
    ReportYearStartMonth: yearBegins ?? 1,
    ReportYearTypeCV: yearBegins === undefined ? 'CalendarYear' : 'WaterYear',
    VariableCV: names.variable,
    VariableSpecificCV: names.specific,
  }));
  return { file: 'variables.csv', columns: lookupColumns.variables, rows };
}

/** `rows` without their identifiers. */
export function methodTable(
  organization: string,
  rows: readonly Cells[],
  columns: readonly string[] = lookupColumns.methods,
): SubmissionTable {
  const cells = rows.map((row, index) => ({ MethodUUID: `${organization}_M${index + 1}`, ...row }));
  return { file: 'methods.csv', columns, rows: cells };
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
  const rows = uses.map(({ name, primaryUse, usgsCategory, naicsCode = '' }) => ({
    BeneficialUseCategory: name,
    PrimaryUseCategory: primaryUse,
    USGSCategoryNameCV: usgsCategory,
    NAICSCodeNameCV: naicsCode,
  }));
  return { file: 'beneficialuses.csv', columns: lookupColumns.beneficialUses, rows };
}

export function relationTable(relations: Pick<SubmissionTable, 'rows' | 'flaws'>): SubmissionTable {
  return { file: 'podsitetopousiterelationships.csv', columns: lookupColumns.relations, ...relations };
}
