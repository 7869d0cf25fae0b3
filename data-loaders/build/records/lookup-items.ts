// From rows of the lookup files to the lookup items of the answer (D25).

import { objectWriter } from '../../../shared/records/object-definition';
import {
  beneficialUseMembers,
  methodMembers,
  reportingUnitMembers,
  siteMembers,
  variableSpecificMembers,
  waterSourceMembers,
  type RelatedSite,
} from '../../../shared/records/lookups';
import type { MethodRow, ReportingUnitRow, SiteRow, VariableRow, WaterSourceRow } from '../../format/lookup-files';
import type { StagedRelation } from '../../stage/staging';
import type { UseCategories } from './use-categories';
import { timestampOf } from './timestamp';

const writeVariableMembers = objectWriter(variableSpecificMembers);
const writeMethodMembers = objectWriter(methodMembers);
const writeWaterSourceMembers = objectWriter(waterSourceMembers);
const writeSiteMembers = objectWriter(siteMembers);
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

/** `sources` are the site's water sources with their types; relations as D29 says, sorted. */
export function writeSite(
  row: SiteRow,
  sources: readonly { readonly id: string; readonly type: string | null }[],
  pods: readonly StagedRelation[],
  pous: readonly StagedRelation[],
): string {
  return writeSiteMembers({
    ...row,
    NativeSiteID: row.SiteNativeID,
    WaterSources: sources.map(({ id, type }) => ({ WaterSourceUUID: id, WaterSourceTypeCV: type })),
    SiteGeometry: row.Geometry,
    NHDUpdateDate: timestampOf(row.NHDUpdateDate),
    RelatedPODSites: pods.map(relatedSite),
    RelatedPOUSites: pous.map(relatedSite),
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
