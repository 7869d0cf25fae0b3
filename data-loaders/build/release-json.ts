// Writes rows as JSON: those of lookup files as the lookup items of an answer (D25), those of amounts files as records
// (D26, D27). A record repeats some members of the lookups that its row refers to, so these come with the row. The
// categories of beneficial uses (D13) are found here, too.

import { waterAllocationMembers, type AllocationSite, type WaterAllocation } from '../../shared/records/allocations';
import {
  aggregatedAmountMembers,
  siteVariableAmountMembers,
  type AggregatedAmount,
  type SiteVariableAmount,
} from '../../shared/records/amounts';
import type { DataSetKind } from '../../shared/records/data-sets';
import {
  beneficialUseMembers,
  methodMembers,
  reportingUnitMembers,
  siteMembers,
  variableSpecificMembers,
  waterSourceMembers,
  type RelatedSite,
} from '../../shared/records/lookups';
import { objectWriter, orderedWriter, type Members, type ObjectOf } from '../../shared/records/object-definition';
import type { Item } from '../../shared/records/record-references';
import { knownUse, type UseCategories } from '../../shared/records/use-categories';
import { numberAt } from '../../shared/values/numbers';
import { foldText } from '../../shared/values/text';
import type { AggregatedAmountRow, AllocationRow, CommonAmountRow, SiteAmountRow } from '../format/amount-definitions';
import type {
  BeneficialUseRow,
  MethodRow,
  ReportingUnitRow,
  SiteRow,
  VariableRow,
  WaterSourceRow,
} from '../format/submission-files';
import type { StagedRelation } from '../stage/staged-tables';

const UNKNOWN: UseCategories = { primaryUse: null, usgs: null, naics: null };

/**
 * Looks up the categories of a use term by term: in the submission's own beneficialuses.csv, whose rows are
 * `submitted`, else in our vocabulary table (D13). Terms that differ in letter case only are one term, whose first
 * row counts.
 */
export function useCategories(submitted: Iterable<BeneficialUseRow>): (use: string) => UseCategories {
  const ofSubmission = new Map<string, UseCategories>();
  for (const { BeneficialUseCategory: use, ...row } of submitted) {
    const { PrimaryUseCategory: primaryUse, USGSCategoryNameCV: usgs, NAICSCodeNameCV: naics } = row;
    if (!ofSubmission.has(foldText(use))) ofSubmission.set(foldText(use), { primaryUse, usgs, naics });
  }
  return (use) => ofSubmission.get(foldText(use)) ?? knownUse(use) ?? UNKNOWN;
}

const writeVariableMembers = objectWriter(variableSpecificMembers);
const writeMethodMembers = objectWriter(methodMembers);
const writeWaterSourceMembers = objectWriter(waterSourceMembers);
/** Rights have nearly as many sites as records. */
const writeSiteMembers = orderedWriter(siteMembers);
const writeReportingUnitMembers = objectWriter(reportingUnitMembers);
const writeBeneficialUseMembers = objectWriter(beneficialUseMembers);

export function writeVariable(row: VariableRow): string {
  return writeVariableMembers({ ...row, VariableSpecificTypeCV: row.VariableSpecificCV });
}

export function writeMethod(row: MethodRow): string {
  return writeMethodMembers({
    ...row,
    ApplicableResourceType: row.ApplicableResourceTypeCV,
    DataQualityValue: row.DataQualityValueCV,
  });
}

export function writeWaterSource(row: WaterSourceRow): string {
  return writeWaterSourceMembers({
    ...row,
    FreshSalineIndicatorCV: row.WaterQualityIndicatorCV,
    WaterSourceGeometry: row.Geometry,
  });
}

export interface SiteLookups {
  /** The site's water sources with their types, in the order of its row. */
  readonly sources: readonly { readonly id: string; readonly type: string | null }[];
  /** Related points of diversion and places of use, sorted as D29 says. */
  readonly pods: readonly StagedRelation[];
  readonly pous: readonly StagedRelation[];
}

export function writeSite(row: SiteRow, { sources, pods, pous }: SiteLookups): string {
  return writeSiteMembers({
    SiteName: row.SiteName,
    SiteUUID: row.SiteUUID,
    NativeSiteID: row.SiteNativeID,
    USGSSiteID: row.USGSSiteID,
    SiteTypeCV: row.SiteTypeCV,
    Longitude: row.Longitude,
    Latitude: row.Latitude,
    PODorPOUSite: row.PODorPOUSite,
    CoordinateMethodCV: row.CoordinateMethodCV,
    CoordinateAccuracy: row.CoordinateAccuracy,
    WaterSources: sources.map(({ id, type }) => ({ WaterSourceUUID: id, WaterSourceTypeCV: type })),
    SiteGeometry: row.Geometry,
    NHDNetworkStatusCV: row.NHDNetworkStatusCV,
    NHDProductCV: row.NHDProductCV,
    NHDUpdateDate: timestampOf(row.NHDUpdateDate),
    NHDReachCode: row.NHDReachCode,
    NHDMeasureNumber: row.NHDMeasureNumber,
    StateCV: row.StateCV,
    County: row.County,
    HUC8: row.HUC8,
    HUC12: row.HUC12,
    RelatedPODSites: pods.map(relatedSite),
    RelatedPOUSites: pous.map(relatedSite),
    WaterSourceUUIDs: row.WaterSourceUUIDs,
  });
}

export function writeReportingUnit(row: ReportingUnitRow): string {
  return writeReportingUnitMembers({ ...row, ReportingUnitGeometry: row.Geometry });
}

export function writeBeneficialUse(name: string, { primaryUse, usgs, naics }: UseCategories): string {
  return writeBeneficialUseMembers({
    BeneficialUseCategoryCV: name,
    PrimaryUseCategoryCV: primaryUse,
    USGSCategoryNameCV: usgs,
    NAICSCodeNameCV: naics,
    Term: name,
    Name: name,
  });
}

function relatedSite({ site, start, end }: StagedRelation): RelatedSite {
  return { SiteUUID: site, StartDate: start === '' ? null : start, EndDate: end === '' ? null : end };
}

/** Some dates are given as timestamps at midnight in the answer (D28). */
function timestampOf(date: string | null): string | null {
  return date === null ? null : `${date}T00:00:00`;
}

type SiteSummary = Pick<SiteRow, 'SiteTypeCV' | 'Longitude' | 'Latitude' | 'CoordinateMethodCV' | 'CoordinateAccuracy'>;

type ReportingUnitSummary = Pick<ReportingUnitRow, 'ReportingUnitName' | 'ReportingUnitTypeCV'>;

/** What a record repeats of its lookups, but for its places. */
export interface RecordLookups {
  readonly variable: VariableRow;
  readonly waterSource: { readonly id: string; readonly type: string | null } | undefined;
}

/** A record as its members and as its JSON text. */
export interface WrittenRecord {
  /** A right has no sites here. */
  readonly record: Item;
  readonly json: string;
}

/** Writes the record of a row. A method, so that one table can hold the writers of rows of different files. */
interface RecordWriter<Row = CommonAmountRow> {
  /** `places` are ranks in the order of the row; an amount has exactly one. */
  write(row: Row, lookups: RecordLookups, places: readonly number[]): WrittenRecord;
}

/** Gives what siteText or reportingUnitText wrote of a place, by its rank. */
type TextOfPlace = (rank: number) => string;

export const startRecordWriter: Readonly<Record<DataSetKind, (textOf: TextOfPlace) => RecordWriter>> = {
  SiteVariableAmounts: (textOf) =>
    amountWriter(siteVariableAmountMembers, siteVariableAmountOf, (rank) => readSiteText(textOf(rank))),
  AggregatedAmounts: (textOf) =>
    amountWriter(aggregatedAmountMembers, aggregatedAmountOf, (rank) => readReportingUnitText(textOf(rank))),
  WaterAllocations: allocationWriter,
};

function amountWriter<M extends Members, Row, Place>(
  members: M,
  recordOf: (row: Row, place: Place, lookups: RecordLookups) => ObjectOf<M>,
  placeOf: (rank: number) => Place,
): RecordWriter<Row> {
  const jsonOf = orderedWriter(members);
  /** Amounts come in the order of their places. */
  let last: { readonly rank: number; readonly place: Place } | undefined;
  return {
    write: (row, lookups, places) => {
      const rank = numberAt(places, 0);
      if (last?.rank !== rank) last = { rank, place: placeOf(rank) };
      const record = recordOf(row, last.place, lookups);
      return { record, json: jsonOf(record) };
    },
  };
}

/** How JSON.stringify writes the member; a text in a record cannot hold it, because its quotes are escaped there. */
const NO_SITES = '"Sites":[]';

/** Sites were written once, when they were numbered: a right may name hundreds, and a site stands in many rights. */
function allocationWriter(textOf: TextOfPlace): RecordWriter<AllocationRow> {
  const jsonOf = orderedWriter(waterAllocationMembers);
  return {
    write: (row, lookups, places) => {
      const record = waterAllocationOf(row, lookups);
      const json = jsonOf(record);
      const end = json.indexOf(NO_SITES) + NO_SITES.length - 1;
      return { record, json: `${json.slice(0, end)}${places.map(textOf).join()}${json.slice(end)}` };
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
