// From a row of sitespecificamounts.csv to a SiteVariableAmounts item (D26).

import { siteVariableAmountMembers, type SiteVariableAmount } from '../../../shared/records/amounts';
import { orderedWriter } from '../../../shared/records/object-definition';
import { siteSpecificAmountsFile } from '../../format/amount-files';
import type { RowOf } from '../../format/column';
import {
  checkTimeframe,
  isReversed,
  TIME_SERIES_KEY_COLUMNS,
  timeSeriesKey,
  timeSeriesPeriod,
  type AmountRecipe,
} from './recipe';
import type { RepeatedLookups } from './repeated-lookups';
import { timestampOf } from './timestamp';

type Row = RowOf<typeof siteSpecificAmountsFile>;

const write = orderedWriter(siteVariableAmountMembers);

export const siteVariableAmountRecipe: AmountRecipe<Row> = {
  kind: 'SiteVariableAmounts',
  file: siteSpecificAmountsFile,
  placeTable: 'sites',
  check: (row, references, reasons, found) => {
    if (references.find('sites', row.SiteUUID) === undefined) {
      reasons.push({ rule: 'unknown-site', column: 'SiteUUID', value: row.SiteUUID });
    }
    checkTimeframe(row, found);
  },
  places: (row) => [row.SiteUUID],
  key: (row) => timeSeriesKey(row.SiteUUID, row),
  keyColumns: ['SiteUUID', ...TIME_SERIES_KEY_COLUMNS],
  period: timeSeriesPeriod,
  measures: (row) => [row.Amount],
  isReversed,
  write: (row, lookups) => write(recordOf(row, lookups)),
};

function recordOf(row: Row, { places, variable, waterSource }: RepeatedLookups): SiteVariableAmount {
  const site = places[0];
  return {
    SiteUUID: row.SiteUUID,
    SiteTypeCV: site?.SiteTypeCV ?? null,
    Longitude: site?.Longitude ?? null,
    Latitude: site?.Latitude ?? null,
    CoordinateMethodCV: site?.CoordinateMethodCV ?? null,
    CoordinateAccuracy: site?.CoordinateAccuracy ?? null,
    VariableSpecificTypeCV: variable.VariableSpecificCV,
    BeneficialUseCategoryCV: row.BeneficialUseCategory.map((use) => ({ BeneficialUseCategoryCV: use })),
    WaterSourceUUID: row.WaterSourceUUID,
    WaterSourceTypeCV: waterSource?.type ?? null,
    MethodUUID: row.MethodUUID,
    ReportYear: row.ReportYearCV,
    TimeframeStart: row.TimeframeStart,
    TimeframeEnd: row.TimeframeEnd,
    Amount: row.Amount,
    AmountUnitCV: variable.AmountUnitCV,
    IrrigationMethodCV: row.IrrigationMethodCV,
    IrrigatedAcreage: row.IrrigatedAcreage,
    CropTypeCV: row.CropTypeCV,
    PopulationServed: row.PopulationServed,
    PowerGeneratedGWh: row.PowerGeneratedGWh,
    AllocationCommunityWaterSupplySystem: row.CommunityWaterSupplySystem,
    SDWISIdentifierCV: row.SDWISIdentifier,
    CustomerTypeCV: row.CustomerTypeCV,
    AssociatedNativeAllocationIDs: row.AssociatedNativeAllocationIDs,
    DataPublicationDate: timestampOf(row.DataPublicationDate),
    DataPublicationDOI: row.DataPublicationDOI,
    VariableSpecificUUID: row.VariableSpecificUUID,
    VariableCV: variable.VariableCV,
    PrimaryUseCategoryCV: row.PrimaryUseCategory,
  };
}
