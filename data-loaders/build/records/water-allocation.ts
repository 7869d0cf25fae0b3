// From a row of waterallocations.csv to a WaterAllocations item (D27).

import { waterAllocationMembers, type AllocationSite, type WaterAllocation } from '../../../shared/records/allocations';
import { orderedWriter } from '../../../shared/records/object-definition';
import type { AllocationRow } from '../../format/amount-definitions';
import type { PlaceBrief, RepeatedLookups } from './repeated-lookups';
import { timestampOf } from './timestamp';

const write = orderedWriter(waterAllocationMembers);

/** The record's JSON text. */
export function writeWaterAllocation(row: AllocationRow, lookups: RepeatedLookups): string {
  return write(recordOf(row, lookups));
}

function recordOf(row: AllocationRow, { places, variable, waterSource }: RepeatedLookups): WaterAllocation {
  return {
    AllocationNativeID: row.AllocationNativeID,
    WaterSourceUUID: waterSource?.id ?? null,
    AllocationOwner: row.AllocationOwner,
    AllocationApplicationDate: row.AllocationApplicationDate,
    AllocationPriorityDate: row.AllocationPriorityDate,
    AllocationLegalStatusCodeCV: row.AllocationLegalStatusCV,
    AllocationExpirationDate: row.AllocationExpirationDate,
    AllocationChangeApplicationIndicator: row.AllocationChangeApplicationIndicator,
    LegacyAllocationIDs: row.LegacyAllocationIDs,
    AllocationAcreage: row.IrrigatedAcreage,
    AllocationBasisCV: row.AllocationBasisCV,
    TimeframeStart: row.AllocationTimeframeStart,
    TimeframeEnd: row.AllocationTimeframeEnd,
    DataPublicationDate: timestampOf(row.DataPublicationDate),
    AllocationCropDutyAmount: row.AllocationCropDutyAmount,
    AllocationAmount: row.AllocationFlow_CFS,
    AllocationMaximum: row.AllocationVolume_AF,
    PopulationServed: row.PopulationServed,
    GeneratedPowerCapacityMW: row.GeneratedPowerCapacityMW,
    AllocationCommunityWaterSupplySystem: row.AllocationCommunityWaterSupplySystem ?? row.CommunityWaterSupplySystem,
    AllocationSDWISIdentifier: row.AllocationSDWISIdentifierCV,
    MethodUUID: row.MethodUUID,
    VariableSpecificTypeCV: variable.VariableSpecificCV,
    Sites: places.map(siteOf),
    BeneficialUses: row.BeneficialUseCategory,
    AllocationUUID: row.AllocationUUID,
    AllocationFlow_CFS: row.AllocationFlow_CFS,
    AllocationVolume_AF: row.AllocationVolume_AF,
    AllocationTypeCV: row.AllocationTypeCV,
    OwnerClassificationCV: row.OwnerClassificationCV,
    PrimaryUseCategoryCV: row.PrimaryUseCategory,
    ExemptOfVolumeFlowPriority: row.ExemptOfVolumeFlowPriority,
    IrrigationMethodCV: row.IrrigationMethodCV,
    CropTypeCV: row.CropTypeCV,
    CustomerTypeCV: row.CustomerTypeCV,
    WaterAllocationNativeURL: row.WaterAllocationNativeURL,
    DataPublicationDOI: row.DataPublicationDOI,
    VariableSpecificUUID: row.VariableSpecificUUID,
    VariableCV: variable.VariableCV,
  };
}

function siteOf(brief: PlaceBrief): AllocationSite {
  return {
    SiteUUID: brief.id,
    NativeSiteID: brief.SiteNativeID ?? null,
    SiteName: brief.SiteName ?? null,
    SiteTypeCV: brief.SiteTypeCV ?? null,
    Longitude: brief.Longitude ?? null,
    Latitude: brief.Latitude ?? null,
    CoordinateMethodCV: brief.CoordinateMethodCV ?? null,
    HUC8: brief.HUC8 ?? null,
    HUC12: brief.HUC12 ?? null,
    County: brief.County ?? null,
    StateCV: brief.StateCV ?? null,
    PODorPOUSite: brief.PODorPOUSite ?? null,
  };
}
