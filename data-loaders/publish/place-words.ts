// The words for the places of each kind of data set in reports.

import type { DataSetKind } from '../../shared/records/data-sets';

/** The noun for the places of a kind, and the member that identifies them. */
export function getPlaceWords(kind: DataSetKind): { readonly noun: string; readonly member: string } {
  if (kind === 'AggregatedAmounts') return { noun: 'reporting unit', member: 'ReportingUnitUUID' };
  return { noun: 'site', member: 'SiteUUID' };
}
