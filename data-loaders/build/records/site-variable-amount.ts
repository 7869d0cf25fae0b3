// From a row of sitespecificamounts.csv to a SiteVariableAmounts item (D26).

import { siteVariableAmountMembers, type SiteVariableAmount } from '../../../shared/records/amounts';
import { orderedWriter } from '../../../shared/records/object-definition';
import type { SiteAmountRow } from '../../format/amount-definitions';
import type { RepeatedLookups } from './repeated-lookups';
import { timestampOf } from './timestamp';

const write = orderedWriter(siteVariableAmountMembers);

/** The record's JSON text. */
export function writeSiteVariableAmount(row: SiteAmountRow, lookups: RepeatedLookups): string {
  return write(recordOf(row, lookups));
}

function recordOf(row: SiteAmountRow, { places, variable, waterSource }: RepeatedLookups): SiteVariableAmount {
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
