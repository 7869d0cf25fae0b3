// Writes rows of the lookup files as the lookup items of an answer (D25), and knows the categories of beneficial uses
// (D13).

import {
  beneficialUseMembers,
  methodMembers,
  reportingUnitMembers,
  siteMembers,
  variableSpecificMembers,
  waterSourceMembers,
  type RelatedSite,
} from '../../../shared/records/lookups';
import { objectWriter, orderedWriter } from '../../../shared/records/object-definition';
import { foldText } from '../../../shared/values/text';
import type {
  BeneficialUseRow,
  MethodRow,
  ReportingUnitRow,
  SiteRow,
  VariableRow,
  WaterSourceRow,
} from '../../format/submission-files';
import type { StagedRelation } from '../../stage/staged-relations';
import vocabulary from './beneficial-uses.json';

/** The categories of a beneficial use; null where they are unknown. */
export interface UseCategories {
  readonly primaryUse: string | null;
  readonly usgs: string | null;
  readonly naics: string | null;
}

const UNKNOWN: UseCategories = { primaryUse: null, usgs: null, naics: null };

const CATEGORIES_OF_TERM: ReadonlyMap<string, UseCategories> = new Map(
  vocabulary.categories.flatMap(({ primaryUse, usgs, naics, terms }) =>
    terms.map((term): [string, UseCategories] => [foldText(term), { primaryUse, usgs, naics }]),
  ),
);

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
  return (use) => ofSubmission.get(foldText(use)) ?? CATEGORIES_OF_TERM.get(foldText(use)) ?? UNKNOWN;
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
export function timestampOf(date: string | null): string | null {
  return date === null ? null : `${date}T00:00:00`;
}
