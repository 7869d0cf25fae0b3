// The small tables that every sample has: its organization, variables, methods and water sources.

import type { Cells } from '../generate/csv-lines';
import { methodColumns, organizationColumns, variableColumns, waterSourceColumns } from './sample-columns';
import { soundRows, type SampleTable } from './sample-submission';

export interface SampleOrganization {
  readonly uuid: string;
  /** Two letters. */
  readonly state: string;
  readonly name: string;
  readonly purview: string;
}

export interface SampleVariable {
  readonly variable: string;
  readonly specific: string;
  readonly interval: 'Day' | 'Month' | 'Year';
  readonly statistic: 'Average' | 'Cumulative';
  readonly unit: string;
  readonly maximumUnit?: string;
  /** January, unless it is the water year's October. */
  readonly yearBegins?: 10;
}

export interface SampleWaterSource {
  readonly name: string;
  readonly type: 'Groundwater' | 'Surface Water' | 'Unspecified';
}

export function organizationTable({ uuid, state, name, purview }: SampleOrganization): SampleTable {
  const cells = {
    OrganizationUUID: uuid,
    OrganizationContactEmail: 'data@example.org',
    OrganizationContactName: 'Data Contact',
    OrganizationDataMappingURL: `https://example.org/mapping/${uuid}`,
    OrganizationName: name,
    OrganizationPhoneNumber: '555-0100',
    OrganizationPurview: purview,
    OrganizationWebsite: 'https://example.org/',
    State: state,
  };
  return { file: 'organizations.csv', columns: organizationColumns, rows: soundRows([cells]) };
}

/** Numbered from 1 in the order given: `SAMPLE_UT_V1`. */
export function variableTable(organization: SampleOrganization, variables: readonly SampleVariable[]): SampleTable {
  const rows = variables.map((variable, index) => ({
    VariableSpecificUUID: `${organization.uuid}_V${index + 1}`,
    AggregationInterval: 1,
    AggregationIntervalUnitCV: variable.interval,
    AggregationStatisticCV: variable.statistic,
    AmountUnitCV: variable.unit,
    MaximumAmountUnitCV: variable.maximumUnit ?? variable.unit,
    ReportYearStartMonth: variable.yearBegins ?? 1,
    ReportYearTypeCV: variable.yearBegins === undefined ? 'CalendarYear' : 'WaterYear',
    VariableCV: variable.variable,
    VariableSpecificCV: variable.specific,
  }));
  return { file: 'variables.csv', columns: variableColumns, rows: soundRows(rows) };
}

/** `rows` without their identifiers, which are numbered from 1: `SAMPLE_UT_M1`. */
export function methodTable(organization: SampleOrganization, rows: readonly Cells[]): SampleTable {
  const cells = rows.map((row, index) => ({ MethodUUID: `${organization.uuid}_M${index + 1}`, ...row }));
  return { file: 'methods.csv', columns: methodColumns, rows: soundRows(cells) };
}

/** Numbered from 1 in the order given: `SAMPLE_UT_WS1`. */
export function waterSourceTable(organization: SampleOrganization, sources: readonly SampleWaterSource[]): SampleTable {
  const rows = sources.map((source, index) => ({
    WaterSourceUUID: `${organization.uuid}_WS${index + 1}`,
    WaterQualityIndicatorCV: 'Fresh',
    WaterSourceName: source.name,
    WaterSourceNativeID: `WS${index + 1}`,
    WaterSourceTypeCV: source.type,
  }));
  return { file: 'watersources.csv', columns: waterSourceColumns, rows: soundRows(rows) };
}
