// Counts records, in total and by the values of filters (D41).

import { getKind } from '../state/kinds';
import { orderFilters, type Selection } from '../state/state';
import type { ServiceClient } from './client';
import type { Reply } from './reply';

export interface CountedValue {
  readonly Value: string;
  readonly Count: number;
}

export interface Facet {
  readonly Name: string;
  readonly Values: readonly CountedValue[];
  readonly MoreValues: number;
}

export interface Facets {
  readonly TotalCount: number;
  readonly Facets: readonly Facet[];
}

/** The values of a facet; empty if it was not counted. */
export function getFacetValues(facets: Facets | undefined, name: string): readonly CountedValue[] {
  return facets?.Facets.find(({ Name }) => Name === name)?.Values ?? [];
}

/** The total, and the counts of the named facets (D41). */
export function fetchFacets(
  client: ServiceClient,
  selection: Selection,
  names: readonly string[],
): Promise<Reply<Facets>> {
  return client.request(`${getKind(selection.kind).route}/Facets`, { ...orderFilters(selection), Facet: names });
}
