// Reads the relations of each site in site order.

import type { RelatedSite } from '../../shared/records/lookups';
import { compareUtf8 } from '../../shared/values/compare-utf8';
import { buildSortableKey } from '../format/sortable-key';
import type { Staging } from '../stage/staging';

/**
 * Creates a function that reads a site's relations. It must be called in site order. Reporting units have no relations.
 */
export function createRelationReader(
  staging: Staging,
  placeTable: 'sites' | 'reportingunits',
): (id: string) => { readonly pods: readonly RelatedSite[]; readonly pous: readonly RelatedSite[] } {
  const readPods = createSequentialReader(placeTable === 'sites' ? readRelationsByUse(staging) : []);
  const readPous = createSequentialReader(placeTable === 'sites' ? readRelationsByDiversion(staging) : []);
  return (id) => ({ pods: readPods(id), pous: readPous(id) });
}

/** A relation and the place to which it belongs. */
interface PlaceRelation {
  readonly place: string;
  readonly related: RelatedSite;
}

/** Yields relations sorted by point of diversion, then in the order of D29. */
function* readRelationsByDiversion(staging: Staging): Iterable<PlaceRelation> {
  for (const { readRow } of staging.getLookups('relations').readRows()) {
    const { PODSiteUUID: place, POUSiteUUID: SiteUUID, StartDate, EndDate } = readRow();
    yield { place, related: { SiteUUID, StartDate, EndDate } };
  }
}

/** Yields relations sorted by place of use, then in the order of D29. */
function* readRelationsByUse(staging: Staging): Iterable<PlaceRelation> {
  const sorted = staging.startRuns('relations_of_uses');
  for (const { place: pod, related } of readRelationsByDiversion(staging)) {
    const { SiteUUID: place, ...dates } = related;
    const relation: PlaceRelation = { place, related: { SiteUUID: pod, ...dates } };
    sorted.add(buildSortableKey([place, pod, dates.StartDate, dates.EndDate]), JSON.stringify(relation));
  }
  // This is what the code above wrote.
  for (const row of sorted.rows()) yield JSON.parse(row.getField(0).toString()) as PlaceRelation;
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
