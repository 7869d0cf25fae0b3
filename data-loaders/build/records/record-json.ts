// Writes a row of an amounts file as the JSON of a record (D26, D27). A record repeats some members of the lookups
// that its row refers to, so these come with the row.

import {
  aggregatedAmountMembers,
  siteVariableAmountMembers,
  type AggregatedAmount,
  type SiteVariableAmount,
} from '../../../shared/records/amounts';
import { waterAllocationMembers, type AllocationSite, type WaterAllocation } from '../../../shared/records/allocations';
import type { DataSetKind } from '../../../shared/records/data-sets';
import { orderedWriter, type Members, type ObjectOf } from '../../../shared/records/object-definition';
import type {
  AggregatedAmountRow,
  AllocationRow,
  CommonAmountRow,
  SiteAmountRow,
} from '../../format/amount-definitions';
import type { ReportingUnitRow, SiteRow, VariableRow } from '../../format/lookup-files';
import { timestampOf } from './lookup-json';

export interface SiteSummary {
  readonly site: AllocationSite;
  readonly accuracy: string | null;
}

export type ReportingUnitSummary = Pick<ReportingUnitRow, 'ReportingUnitName' | 'ReportingUnitTypeCV'>;

/** The members of its lookups that a record repeats: with the row, they are all that writing its JSON needs. */
export interface RecordLookups<Place = SiteSummary | ReportingUnitSummary> {
  /** In the order of the row; an amount has exactly one. */
  readonly places: readonly Place[];
  readonly variable: VariableRow;
  readonly waterSource: { readonly id: string; readonly type: string | null } | undefined;
}

/** Writes a record's JSON text. A method, so that one table can hold the writers of rows of different files. */
interface RecordWriter<Row = CommonAmountRow, Place = SiteSummary | ReportingUnitSummary> {
  write(row: Row, lookups: RecordLookups<Place>): string;
}

export const recordWriters: Readonly<Record<DataSetKind, RecordWriter>> = {
  SiteVariableAmounts: recordWriter(siteVariableAmountMembers, siteVariableAmountOf),
  AggregatedAmounts: recordWriter(aggregatedAmountMembers, aggregatedAmountOf),
  WaterAllocations: recordWriter(waterAllocationMembers, waterAllocationOf),
};

function recordWriter<M extends Members, Row, Place>(
  members: M,
  recordOf: (row: Row, lookups: RecordLookups<Place>) => ObjectOf<M>,
): RecordWriter<Row, Place> {
  const textOf = orderedWriter(members);
  return { write: (row, lookups) => textOf(recordOf(row, lookups)) };
}

function siteVariableAmountOf(row: SiteAmountRow, lookups: RecordLookups<SiteSummary>): SiteVariableAmount {
  const { places, variable, waterSource } = lookups;
  const { site, accuracy } = onlyPlace(places);
  return {
    SiteUUID: row.SiteUUID,
    SiteTypeCV: site.SiteTypeCV,
    Longitude: site.Longitude,
    Latitude: site.Latitude,
    CoordinateMethodCV: site.CoordinateMethodCV,
    CoordinateAccuracy: accuracy,
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

function aggregatedAmountOf(
  row: AggregatedAmountRow,
  { places, variable }: RecordLookups<ReportingUnitSummary>,
): AggregatedAmount {
  const unit = onlyPlace(places);
  return {
    VariableSpecificTypeCV: variable.VariableSpecificCV,
    BeneficialUseCategoryCV: row.BeneficialUseCategory.map((use) => ({ BeneficialUseCategoryCV: use })),
    WaterSourceUUID: row.WaterSourceUUID,
    MethodUUID: row.MethodUUID,
    ReportingUnitUID: row.ReportingUnitUUID,
    ReportingUnitName: unit.ReportingUnitName,
    ReportingUnitTypeCV: unit.ReportingUnitTypeCV,
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

function waterAllocationOf(row: AllocationRow, lookups: RecordLookups<SiteSummary>): WaterAllocation {
  const { places, variable, waterSource } = lookups;
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
    Sites: places.map(({ site }) => site),
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

export function allocationSiteOf(site: SiteRow): AllocationSite {
  return {
    SiteUUID: site.SiteUUID,
    NativeSiteID: site.SiteNativeID,
    SiteName: site.SiteName,
    SiteTypeCV: site.SiteTypeCV,
    Longitude: site.Longitude,
    Latitude: site.Latitude,
    CoordinateMethodCV: site.CoordinateMethodCV,
    HUC8: site.HUC8,
    HUC12: site.HUC12,
    County: site.County,
    StateCV: site.StateCV,
    PODorPOUSite: site.PODorPOUSite,
  };
}

function onlyPlace<Place>([place]: readonly Place[]): Place {
  if (place === undefined) throw new Error('an amount came without its place');
  return place;
}
