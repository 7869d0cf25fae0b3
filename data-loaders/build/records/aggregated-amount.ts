// From a row of aggregatedamounts.csv to an AggregatedAmounts item (D26).

import { aggregatedAmountMembers, type AggregatedAmount } from '../../../shared/records/amounts';
import { orderedWriter } from '../../../shared/records/object-definition';
import { aggregatedAmountsFile } from '../../format/amount-files';
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

type Row = RowOf<typeof aggregatedAmountsFile>;

const write = orderedWriter(aggregatedAmountMembers);

export const aggregatedAmountRecipe: AmountRecipe<Row> = {
  kind: 'AggregatedAmounts',
  file: aggregatedAmountsFile,
  placeTable: 'reportingunits',
  check: (row, references, reasons, found) => {
    if (references.find('reportingunits', row.ReportingUnitUUID) === undefined) {
      reasons.push({ rule: 'unknown-reporting-unit', column: 'ReportingUnitUUID', value: row.ReportingUnitUUID });
    }
    checkTimeframe(row, found);
  },
  places: (row) => [row.ReportingUnitUUID],
  key: (row) => timeSeriesKey(row.ReportingUnitUUID, row),
  keyColumns: ['ReportingUnitUUID', ...TIME_SERIES_KEY_COLUMNS],
  period: timeSeriesPeriod,
  measures: (row) => [row.Amount],
  isReversed,
  write: (row, lookups) => write(recordOf(row, lookups)),
};

function recordOf(row: Row, { places, variable }: RepeatedLookups): AggregatedAmount {
  const unit = places[0];
  return {
    VariableSpecificTypeCV: variable.VariableSpecificCV,
    BeneficialUseCategoryCV: row.BeneficialUseCategory.map((use) => ({ BeneficialUseCategoryCV: use })),
    WaterSourceUUID: row.WaterSourceUUID,
    MethodUUID: row.MethodUUID,
    ReportingUnitUID: row.ReportingUnitUUID,
    ReportingUnitName: unit?.ReportingUnitName ?? null,
    ReportingUnitTypeCV: unit?.ReportingUnitTypeCV ?? null,
    ReportYear: row.ReportYearCV,
    TimeframeStart: timestampOf(row.TimeframeStart),
    TimeframeEnd: timestampOf(row.TimeframeEnd),
    AmountUnitCV: variable.AmountUnitCV,
    Amount: row.Amount,
    PopulationServed: row.PopulationServed,
    AllocationCommunityWaterSupplySystem: row.CommunityWaterSupplySystem,
    CustomerTypeCV: row.CustomerTypeCV,
    SDWISIdentifierCV: row.SDWISIdentifierCV,
    PowerGeneratedGWh: row.PowerGeneratedGWh,
    IrrigationMethodCV: row.IrrigationMethodCV,
    IrrigatedAcreage: row.IrrigatedAcreage,
    CropTypeCV: row.CropTypeCV,
    DataPublicationDate: timestampOf(row.DataPublicationDate),
    VariableSpecificUUID: row.VariableSpecificUUID,
    VariableCV: variable.VariableCV,
    PrimaryUseCategoryCV: row.PrimaryUseCategory,
    ReportingUnitUUID: row.ReportingUnitUUID,
  };
}
