// Reads the relations of each site in site order.

import type { RelatedSite } from '../../shared/records/lookups';
import { compareUtf8 } from '../../shared/values/compare-utf8';
import { buildSortableKey } from '../format/sortable-key';
import type { Staging } from '../stage/staging';

/** Gives the relations of each site, which is to be asked for in the order of sites; reporting units have none. */
export function createRelationReader(
  staging: Staging,
  placeTable: 'sites' | 'reportingunits',
): (id: string) => { readonly pods: readonly RelatedSite[]; readonly pous: readonly RelatedSite[] } {
  const readPods = createSequentialReader(placeTable === 'sites' ? readRelationsByUse(staging) : []);
  const readPous = createSequentialReader(placeTable === 'sites' ? readRelationsByDiversion(staging) : []);
  return (id) => ({ pods: readPods(id), pous: readPous(id) });
}

/** A relation beside the place whose it is. */
interface PlaceRelation {
  readonly place: string;
  readonly related: RelatedSite;
}

/** In the order of the points of diversion, then in that of D29. */
function* readRelationsByDiversion(staging: Staging): Iterable<PlaceRelation> {
  for (const { readRow } of staging.getLookups('relations').readRows()) {
    const { PODSiteUUID: place, POUSiteUUID: SiteUUID, StartDate, EndDate } = readRow();
    yield { place, related: { SiteUUID, StartDate, EndDate } };
  }
}

/** In the order of the places of use, then in that of D29. */
function* readRelationsByUse(staging: Staging): Iterable<PlaceRelation> {
  const sorted = staging.startRuns('relations_of_uses');
  for (const { place: pod, related } of readRelationsByDiversion(staging)) {
    const { SiteUUID: place, ...dates } = related;
    const relation: PlaceRelation = { place, related: { SiteUUID: pod, ...dates } };
    sorted.add(buildSortableKey([place, pod, dates.StartDate, dates.EndDate]), JSON.stringify(relation));
  }
  for (const row of sorted.rows()) yield JSON.parse(row.getField(0).toString()) as PlaceRelation; // Written above.
}

function createSequentialReader(relations: Iterable<PlaceRelation>): (id: string) => readonly RelatedSite[] {
  const rest = relations[Symbol.iterator]();
  let next = rest.next();
  return (id) => {
    const related: RelatedSite[] = [];
    for (; next.done !== true && compareUtf8(next.value.place, id) <= 0; next = rest.next()) {
      if (next.value.place === id) related.push(next.value.related);
    }
    return related;
  };
}
