// From a row of aggregatedamounts.csv to an AggregatedAmounts item (D26).

import { aggregatedAmountMembers, type AggregatedAmount } from '../../../shared/records/amounts';
import { orderedWriter } from '../../../shared/records/object-definition';
import type { AggregatedAmountRow } from '../../format/amount-definitions';
import type { RepeatedLookups } from './repeated-lookups';
import { timestampOf } from './timestamp';

const write = orderedWriter(aggregatedAmountMembers);

/** The record's JSON text. */
export function writeAggregatedAmount(row: AggregatedAmountRow, lookups: RepeatedLookups): string {
  return write(recordOf(row, lookups));
}

function recordOf(row: AggregatedAmountRow, { places, variable }: RepeatedLookups): AggregatedAmount {
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
