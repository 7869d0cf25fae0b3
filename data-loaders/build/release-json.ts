// Converts rows of amounts files to the JSON text of records (D26, D27). A record repeats some members of the lookups
// to which its row refers, so these lookups are passed with the row.

import type { DataSetKind } from '../../shared/records/data-sets';
import type { Members, ObjectValue } from '../../shared/records/object-definition';
import type { Item } from '../../shared/records/record-references';
import {
  type AggregatedAmount,
  aggregatedAmountMembers,
  type SiteVariableAmount,
  siteVariableAmountMembers,
  type WaterAllocation,
  waterAllocationMembers,
} from '../../shared/records/records';
import { numberAt } from '../../shared/values/number-arrays';
import type { AggregatedAmountRow, AllocationRow, CommonAmountRow, SiteAmountRow } from '../format/amount-definitions';
import type { VariableRow } from '../format/submission-files';
import { createWriter, toTimestamp } from './json-writer';
import { type SiteSummary, type UnitSummary } from './place-text';

/** The lookups whose members a record repeats. */
export interface RecordLookups {
  readonly variable: VariableRow;
  readonly waterSource: { readonly id: string; readonly type: string | null } | undefined;
  /** The ranks of the places, in the order of the row. An amount has exactly one. */
  readonly places: readonly number[];
}

/** A record as an object and as JSON text. */
export interface WrittenRecord {
  /** The record. A right does not contain its sites. */
  readonly record: Item;
  readonly json: string;
}

/** Writes the record of a row. It is a method, so that one table can contain the writers for different rows. */
interface RecordWriter<Row = CommonAmountRow> {
  write(row: Row, lookups: RecordLookups): WrittenRecord;
}

/** Returns the text from writeSiteText or writeReportingUnitText for the place with this rank. */
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
  /** The previous record's place. Amounts are ordered by place, so the next record often has the same one. */
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

/**
 * The empty member as JSON.stringify writes it. No string in a record can contain this text, because its quotes would
 * be escaped.
 */
const EMPTY_SITES = '"Sites":[]';

/**
 * Reuses the texts of sites, which were written when the sites were numbered: a right may refer to hundreds of sites,
 * and many rights may refer to the same site.
 */
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

/** Copies the members of the row that have the same name in the answer. */
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

/** Creates a right without its sites. */
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
