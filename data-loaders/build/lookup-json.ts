// Converts rows of lookup files to the lookup items of an answer (D25).

import {
  beneficialUseMembers,
  methodMembers,
  type RelatedSite,
  reportingUnitMembers,
  siteMembers,
  variableSpecificMembers,
  waterSourceMembers,
} from '../../shared/records/lookups';
import { type UseCategories } from '../../shared/records/use-categories';
import type { MethodRow, ReportingUnitRow, SiteRow, VariableRow, WaterSourceRow } from '../format/submission-files';
import { createWriter, toTimestamp } from './json-writer';

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
  /** Related points of diversion and places of use, in the order of D29. */
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
