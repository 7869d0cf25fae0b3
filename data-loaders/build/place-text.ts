// Writes the place members that records repeat.

import type { DataSetKind } from '../../shared/records/data-sets';
import { allocationSiteMembers } from '../../shared/records/records';
import type { ReportingUnitRow, SiteRow } from '../format/submission-files';
import { createWriter } from './json-writer';

/** The place members that amounts repeat. */
const SITE_SUMMARY = ['SiteTypeCV', 'Longitude', 'Latitude', 'CoordinateMethodCV', 'CoordinateAccuracy'] as const;
const UNIT_SUMMARY = ['ReportingUnitName', 'ReportingUnitTypeCV'] as const;

export type SiteSummary = Pick<SiteRow, (typeof SITE_SUMMARY)[number]>;
export type UnitSummary = Pick<ReportingUnitRow, (typeof UNIT_SUMMARY)[number]>;

const writeAllocationSite = createWriter(allocationSiteMembers, (row: SiteRow) => ({
  ...row,
  NativeSiteID: row.SiteNativeID,
}));

/**
 * The JSON text of a site that records repeat: some members for an amount, or all members that a right shows of its
 * sites.
 */
export function writeSiteText(kind: DataSetKind, row: SiteRow): string {
  if (kind === 'WaterAllocations') return writeAllocationSite(row);
  return JSON.stringify(row, [...SITE_SUMMARY]);
}

export function writeReportingUnitText(row: ReportingUnitRow): string {
  return JSON.stringify(row, [...UNIT_SUMMARY]);
}
