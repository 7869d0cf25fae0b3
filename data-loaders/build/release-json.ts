// Writes rows as JSON: those of lookup files as the lookup items of an answer (D25), those of amounts files as records
// (D26, D27). A record repeats some members of the lookups that its row refers to, so these come with the row. The
// categories of beneficial uses (D13) are found here, too.

import type { DataSetKind } from '../../shared/records/data-sets';
import {
  beneficialUseMembers,
  methodMembers,
  type RelatedSite,
  reportingUnitMembers,
  siteMembers,
  variableSpecificMembers,
  waterSourceMembers,
} from '../../shared/records/lookups';
import type { Members, ObjectValue } from '../../shared/records/object-definition';
import type { Item } from '../../shared/records/record-references';
import {
  type AggregatedAmount,
  aggregatedAmountMembers,
  allocationSiteMembers,
  type SiteVariableAmount,
  siteVariableAmountMembers,
  type WaterAllocation,
  waterAllocationMembers,
} from '../../shared/records/records';
import { findUse, type UseCategories } from '../../shared/records/use-categories';
import { foldText } from '../../shared/values/fold-text';
import { numberAt } from '../../shared/values/number-arrays';
import type { AggregatedAmountRow, AllocationRow, CommonAmountRow, SiteAmountRow } from '../format/amount-definitions';
import { createMemberPicker } from '../format/column';
import type {
  BeneficialUseRow,
  MethodRow,
  ReportingUnitRow,
  SiteRow,
  VariableRow,
  WaterSourceRow,
} from '../format/submission-files';

const UNKNOWN_CATEGORIES: UseCategories = { primaryUse: null, usgs: null, naics: null };

/**
 * Looks up the categories of a use term by term: in the submission's own beneficialuses.csv, whose rows are
 * `submitted`, else in our vocabulary table (D13). Terms that differ in letter case only are one term, whose first
 * row counts.
 */
export function createUseCategoryLookup(submitted: Iterable<BeneficialUseRow>): (use: string) => UseCategories {
  const submittedCategories = new Map<string, UseCategories>();
  for (const { BeneficialUseCategory: use, ...row } of submitted) {
    const { PrimaryUseCategory: primaryUse, USGSCategoryNameCV: usgs, NAICSCodeNameCV: naics } = row;
    if (!submittedCategories.has(foldText(use))) submittedCategories.set(foldText(use), { primaryUse, usgs, naics });
  }
  return (use) => submittedCategories.get(foldText(use)) ?? findUse(use) ?? UNKNOWN_CATEGORIES;
}

/** Writes the declared members of the object that `objectOf` makes, which may have others beside them. */
function createWriter<M extends Members, Values extends readonly unknown[]>(
  members: M,
  buildObject: (...values: Values) => ObjectValue<M>,
): (...values: Values) => string {
  const pick = createMemberPicker(Object.keys(members));
  return (...values) => JSON.stringify(pick(buildObject(...values)));
}

export const writeVariable = createWriter(variableSpecificMembers, (row: VariableRow) => ({
  ...row,
  VariableSpecificTypeCV: row.VariableSpecificCV,
}));

export const writeMethod = createWriter(methodMembers, (row: MethodRow) => ({
  ...row,
  ApplicableResourceType: row.ApplicableResourceTypeCV,
  DataQualityValue: row.DataQualityValueCV,
}));

export const writeWaterSource = createWriter(waterSourceMembers, (row: WaterSourceRow) => ({
  ...row,
  FreshSalineIndicatorCV: row.WaterQualityIndicatorCV,
  WaterSourceGeometry: row.Geometry,
}));

export interface SiteLookups {
  /** The site's water sources with their types, in the order of its row. */
  readonly sources: readonly { readonly id: string; readonly type: string | null }[];
  /** Related points of diversion and places of use, sorted as D29 says. */
  readonly pods: readonly RelatedSite[];
  readonly pous: readonly RelatedSite[];
}

export const writeSite = createWriter(siteMembers, (row: SiteRow, { sources, pods, pous }: SiteLookups) => ({
  ...row,
  NativeSiteID: row.SiteNativeID,
  WaterSources: sources.map(({ id, type }) => ({ WaterSourceUUID: id, WaterSourceTypeCV: type })),
  SiteGeometry: row.Geometry,
  NHDUpdateDate: toTimestamp(row.NHDUpdateDate),
  RelatedPODSites: pods,
  RelatedPOUSites: pous,
}));

export const writeReportingUnit = createWriter(reportingUnitMembers, (row: ReportingUnitRow) => ({
  ...row,
  ReportingUnitGeometry: row.Geometry,
}));

export const writeBeneficialUse = createWriter(
  beneficialUseMembers,
  (name: string, { primaryUse, usgs, naics }: UseCategories) => ({
    BeneficialUseCategoryCV: name,
    PrimaryUseCategoryCV: primaryUse,
    USGSCategoryNameCV: usgs,
    NAICSCodeNameCV: naics,
    Term: name,
    Name: name,
  }),
);

/** Some dates are given as timestamps at midnight in the answer (D28). */
function toTimestamp(date: string | null): string | null {
  return date === null ? null : `${date}T00:00:00`;
}

/** The lookups of which a record repeats something. */
export interface RecordLookups {
  readonly variable: VariableRow;
  readonly waterSource: { readonly id: string; readonly type: string | null } | undefined;
  /** Ranks in the order of the row; an amount has exactly one. */
  readonly places: readonly number[];
}

/** A record as its members and as its JSON text. */
export interface WrittenRecord {
  /** A right has no sites here. */
  readonly record: Item;
  readonly json: string;
}

/** Writes the record of a row. A method, so that one table can hold the writers of rows of different files. */
interface RecordWriter<Row = CommonAmountRow> {
  write(row: Row, lookups: RecordLookups): WrittenRecord;
}

/** Gives what siteText or reportingUnitText wrote of a place, by its rank; it is of the kind's own places. */
type ReadPlaceText = (rank: number) => string;

export const recordWriterFactories: Readonly<Record<DataSetKind, (readPlaceText: ReadPlaceText) => RecordWriter>> = {
  SiteVariableAmounts: (readPlaceText) =>
    createAmountWriter(
      siteVariableAmountMembers,
      buildSiteVariableAmount,
      (rank) => JSON.parse(readPlaceText(rank)) as SiteSummary,
    ),
  AggregatedAmounts: (readPlaceText) =>
    createAmountWriter(
      aggregatedAmountMembers,
      buildAggregatedAmount,
      (rank) => JSON.parse(readPlaceText(rank)) as UnitSummary,
    ),
  WaterAllocations: createAllocationWriter,
};

function createAmountWriter<M extends Members, Row, Place>(
  members: M,
  buildRecord: (row: Row, place: Place, lookups: RecordLookups) => ObjectValue<M>,
  readPlace: (rank: number) => Place,
): RecordWriter<Row> {
  const writeJson = createWriter(members, (record: ObjectValue<M>) => record);
  /** Amounts come in the order of their places. */
  let last: { readonly rank: number; readonly place: Place } | undefined;
  return {
    write: (row, lookups) => {
      const rank = numberAt(lookups.places, 0);
      if (last?.rank !== rank) last = { rank, place: readPlace(rank) };
      const record = buildRecord(row, last.place, lookups);
      return { record, json: writeJson(record) };
    },
  };
}

/** How JSON.stringify writes the member; a text in a record cannot hold it, because its quotes are escaped there. */
const EMPTY_SITES = '"Sites":[]';

/** Sites were written once, when they were numbered: a right may name hundreds, and a site stands in many rights. */
function createAllocationWriter(readPlaceText: ReadPlaceText): RecordWriter<AllocationRow> {
  const writeJson = createWriter(waterAllocationMembers, (record: WaterAllocation) => record);
  return {
    write: (row, lookups) => {
      const record = buildWaterAllocation(row, lookups);
      const json = writeJson(record);
      const end = json.indexOf(EMPTY_SITES) + EMPTY_SITES.length - 1;
      return { record, json: `${json.slice(0, end)}${lookups.places.map(readPlaceText).join()}${json.slice(end)}` };
    },
  };
}

/** Members of the row that have the names of the answer stay as they are. */
function buildSiteVariableAmount(
  row: SiteAmountRow,
  site: SiteSummary,
  { variable, waterSource }: RecordLookups,
): SiteVariableAmount {
  return {
    ...row,
    ...site,
    VariableSpecificTypeCV: variable.VariableSpecificCV,
    VariableCV: variable.VariableCV,
    BeneficialUseCategoryCV: row.BeneficialUseCategory.map((use) => ({ BeneficialUseCategoryCV: use })),
    WaterSourceTypeCV: waterSource?.type ?? null,
    ReportYear: row.ReportYearCV,
    AmountUnitCV: variable.AmountUnitCV,
    AllocationCommunityWaterSupplySystem: row.CommunityWaterSupplySystem,
    SDWISIdentifierCV: row.SDWISIdentifier,
    DataPublicationDate: toTimestamp(row.DataPublicationDate),
    PrimaryUseCategoryCV: row.PrimaryUseCategory,
  };
}

function buildAggregatedAmount(
  row: AggregatedAmountRow,
  unit: UnitSummary,
  { variable }: RecordLookups,
): AggregatedAmount {
  return {
    ...row,
    ...unit,
    VariableSpecificTypeCV: variable.VariableSpecificCV,
    VariableCV: variable.VariableCV,
    BeneficialUseCategoryCV: row.BeneficialUseCategory.map((use) => ({ BeneficialUseCategoryCV: use })),
    ReportingUnitUID: row.ReportingUnitUUID,
    ReportYear: row.ReportYearCV,
    TimeframeStart: toTimestamp(row.TimeframeStart),
    TimeframeEnd: toTimestamp(row.TimeframeEnd),
    AmountUnitCV: variable.AmountUnitCV,
    AllocationCommunityWaterSupplySystem: row.CommunityWaterSupplySystem,
    DataPublicationDate: toTimestamp(row.DataPublicationDate),
    PrimaryUseCategoryCV: row.PrimaryUseCategory,
  };
}

/** Without its sites. */
function buildWaterAllocation(row: AllocationRow, { variable, waterSource }: RecordLookups): WaterAllocation {
  return {
    ...row,
    VariableSpecificTypeCV: variable.VariableSpecificCV,
    VariableCV: variable.VariableCV,
    WaterSourceUUID: waterSource?.id ?? null,
    AllocationLegalStatusCodeCV: row.AllocationLegalStatusCV,
    AllocationAcreage: row.IrrigatedAcreage,
    TimeframeStart: row.AllocationTimeframeStart,
    TimeframeEnd: row.AllocationTimeframeEnd,
    DataPublicationDate: toTimestamp(row.DataPublicationDate),
    AllocationAmount: row.AllocationFlow_CFS,
    AllocationMaximum: row.AllocationVolume_AF,
    AllocationCommunityWaterSupplySystem: row.AllocationCommunityWaterSupplySystem ?? row.CommunityWaterSupplySystem,
    AllocationSDWISIdentifier: row.AllocationSDWISIdentifierCV,
    Sites: [],
    BeneficialUses: row.BeneficialUseCategory,
    PrimaryUseCategoryCV: row.PrimaryUseCategory,
  };
}

/** What amounts repeat of their places. */
const SITE_SUMMARY = ['SiteTypeCV', 'Longitude', 'Latitude', 'CoordinateMethodCV', 'CoordinateAccuracy'] as const;
const UNIT_SUMMARY = ['ReportingUnitName', 'ReportingUnitTypeCV'] as const;

type SiteSummary = Pick<SiteRow, (typeof SITE_SUMMARY)[number]>;
type UnitSummary = Pick<ReportingUnitRow, (typeof UNIT_SUMMARY)[number]>;

const writeAllocationSite = createWriter(allocationSiteMembers, (row: SiteRow) => ({
  ...row,
  NativeSiteID: row.SiteNativeID,
}));

/** The text of a site that records repeat: an amount some members, a right all that an allocation shows of a site. */
export function writeSiteText(kind: DataSetKind, row: SiteRow): string {
  if (kind === 'WaterAllocations') return writeAllocationSite(row);
  return JSON.stringify(row, [...SITE_SUMMARY]);
}

export function writeReportingUnitText(row: ReportingUnitRow): string {
  return JSON.stringify(row, [...UNIT_SUMMARY]);
}
