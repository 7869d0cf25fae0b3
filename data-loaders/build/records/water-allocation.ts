// From a row of waterallocations.csv to a WaterAllocations item (D27).

import { waterAllocationMembers, type AllocationSite, type WaterAllocation } from '../../../shared/records/allocations';
import { orderedWriter } from '../../../shared/records/object-definition';
import { waterAllocationsFile } from '../../format/amount-files';
import type { RowOf } from '../../format/column';
import { periodOfDay, type AmountRecipe } from './recipe';
import type { PlaceBrief, RepeatedLookups } from './repeated-lookups';
import { timestampOf } from './timestamp';

type Row = RowOf<typeof waterAllocationsFile>;

const write = orderedWriter(waterAllocationMembers);

export const waterAllocationRecipe: AmountRecipe<Row> = {
  kind: 'WaterAllocations',
  file: waterAllocationsFile,
  placeTable: 'sites',
  check: (row, references, reasons, { warnings }) => {
    if (row.AllocationUUID === null && row.AllocationNativeID === null) {
      reasons.push({ rule: 'no-identifier', column: 'AllocationUUID', value: '' });
    }
    row.SiteUUID = row.SiteUUID.filter((id) => {
      const isHeld = references.find('sites', id) !== undefined;
      if (!isHeld) warnings.push({ rule: 'unknown-site-in-list', column: 'SiteUUID', value: id });
      return isHeld;
    });
    if (row.SiteUUID.length === 0) warnings.push({ rule: 'without-site', column: 'SiteUUID', value: '' });
  },
  places: (row) => row.SiteUUID,
  // An AllocationUUID makes the native identifier irrelevant to the key.
  key: (row) => [row.AllocationUUID, row.AllocationUUID === null ? row.AllocationNativeID : null],
  keyColumns: ['AllocationUUID', 'AllocationNativeID'],
  period: (row) => periodOfDay(row.AllocationPriorityDate),
  measures: (row) => [row.AllocationFlow_CFS, row.AllocationVolume_AF],
  // The timeframe of a right is a season, kept as submitted.
  isReversed: () => undefined,
  write: (row, lookups) => write(recordOf(row, lookups)),
};

function recordOf(row: Row, { places, variable, waterSource }: RepeatedLookups): WaterAllocation {
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
