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
import type { ByteWriter } from '../../../shared/values/bytes/byte-writer';
import { numberAt } from '../../../shared/values/numbers';
import type {
  AggregatedAmountRow,
  AllocationRow,
  CommonAmountRow,
  SiteAmountRow,
} from '../../format/amount-definitions';
import type { ReportingUnitRow, SiteRow, VariableRow } from '../../format/submission-files';
import type { PlaceTexts } from './place-texts';
import { timestampOf } from './lookup-json';

type SiteSummary = Pick<SiteRow, 'SiteTypeCV' | 'Longitude' | 'Latitude' | 'CoordinateMethodCV' | 'CoordinateAccuracy'>;

type ReportingUnitSummary = Pick<ReportingUnitRow, 'ReportingUnitName' | 'ReportingUnitTypeCV'>;

/** What a record repeats of its lookups, but for its places. */
export interface RecordLookups {
  readonly variable: VariableRow;
  readonly waterSource: { readonly id: string; readonly type: string | null } | undefined;
}

/** Writes a record's JSON text. A method, so that one table can hold the writers of rows of different files. */
interface RecordWriter<Row = CommonAmountRow> {
  /** `places` are ranks in the order of the row; an amount has exactly one. */
  write(row: Row, lookups: RecordLookups, places: Uint32Array, target: ByteWriter): void;
}

/** What siteText or reportingUnitText wrote of the places, by rank. */
type TextsOfPlaces = Pick<PlaceTexts, 'textOf' | 'copyTo'>;

export const startRecordWriter: Readonly<Record<DataSetKind, (texts: TextsOfPlaces) => RecordWriter>> = {
  SiteVariableAmounts: (texts) =>
    amountWriter(siteVariableAmountMembers, siteVariableAmountOf, (rank) => readSiteText(texts.textOf(rank))),
  AggregatedAmounts: (texts) =>
    amountWriter(aggregatedAmountMembers, aggregatedAmountOf, (rank) => readReportingUnitText(texts.textOf(rank))),
  WaterAllocations: allocationWriter,
};

function amountWriter<M extends Members, Row, Place>(
  members: M,
  recordOf: (row: Row, place: Place, lookups: RecordLookups) => ObjectOf<M>,
  placeOf: (rank: number) => Place,
): RecordWriter<Row> {
  const textOf = orderedWriter(members);
  /** Amounts come in the order of their places. */
  let last: { readonly rank: number; readonly place: Place } | undefined;
  return {
    write: (row, lookups, places, target) => {
      const rank = numberAt(places, 0);
      if (last?.rank !== rank) last = { rank, place: placeOf(rank) };
      target.text(textOf(recordOf(row, last.place, lookups)));
    },
  };
}

/** How JSON.stringify writes the member; a text in a record cannot hold it, because its quotes are escaped there. */
const NO_SITES = '"Sites":[]';

const COMMA = 0x2c;

/** Sites were written once, when they were numbered: a right may name hundreds, and a site stands in many rights. */
function allocationWriter(texts: TextsOfPlaces): RecordWriter<AllocationRow> {
  const textOf = orderedWriter(waterAllocationMembers);
  return {
    write: (row, lookups, places, target) => {
      const text = textOf(waterAllocationOf(row, lookups));
      const end = text.indexOf(NO_SITES) + NO_SITES.length - 1;
      target.text(text.slice(0, end));
      places.forEach((rank, index) => {
        if (index > 0) target.byte(COMMA);
        texts.copyTo(rank, target);
      });
      target.text(text.slice(end));
    },
  };
}

function siteVariableAmountOf(
  row: SiteAmountRow,
  site: SiteSummary,
  { variable, waterSource }: RecordLookups,
): SiteVariableAmount {
  return {
    SiteUUID: row.SiteUUID,
    SiteTypeCV: site.SiteTypeCV,
    Longitude: site.Longitude,
    Latitude: site.Latitude,
    CoordinateMethodCV: site.CoordinateMethodCV,
    CoordinateAccuracy: site.CoordinateAccuracy,
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
  unit: ReportingUnitSummary,
  { variable }: RecordLookups,
): AggregatedAmount {
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

/** Without its sites. */
function waterAllocationOf(row: AllocationRow, { variable, waterSource }: RecordLookups): WaterAllocation {
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
    Sites: [],
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

/** The text of a site that records repeat: an amount some members, a right all that an allocation shows of a site. */
export function siteText(kind: DataSetKind, row: SiteRow): string {
  if (kind === 'WaterAllocations') return JSON.stringify(allocationSiteOf(row));
  const { SiteTypeCV, Longitude, Latitude, CoordinateMethodCV, CoordinateAccuracy } = row;
  const summary: SiteSummary = { SiteTypeCV, Longitude, Latitude, CoordinateMethodCV, CoordinateAccuracy };
  return JSON.stringify(summary);
}

function readSiteText(text: string): SiteSummary {
  return JSON.parse(text) as SiteSummary; // Written by siteText.
}

export function reportingUnitText({ ReportingUnitName, ReportingUnitTypeCV }: ReportingUnitRow): string {
  const summary: ReportingUnitSummary = { ReportingUnitName, ReportingUnitTypeCV };
  return JSON.stringify(summary);
}

function readReportingUnitText(text: string): ReportingUnitSummary {
  return JSON.parse(text) as ReportingUnitSummary; // Written by reportingUnitText.
}

function allocationSiteOf(site: SiteRow): AllocationSite {
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
