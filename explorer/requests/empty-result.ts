// Explains an empty result: which records are in the chosen area, and which similar filters match something.

import { getKind, KINDS } from '../state/kinds';
import { getBoundary, parseNamedArea } from '../state/map-kinds';
import { type Filters, getFilterNames, type Selection } from '../state/state';
import type { ServiceClient } from './client';
import { fetchFacets } from './facets';
import { combineReplies, mapReply, type Reply } from './reply';

/** Filters that match something, with the number of matches. */
export interface Alternative extends Selection {
  readonly count: number;
  /** The filter that is omitted; undefined if only the area, or the name of its county, is kept. */
  readonly omittedFilter?: string;
}

export interface EmptyResult {
  /** The records of the kind in the area, without the other filters; undefined if no area is chosen. */
  readonly countInArea: number | undefined;
  readonly alternatives: readonly Alternative[];
}

export async function explainEmptyResult(client: ServiceClient, selection: Selection): Promise<Reply<EmptyResult>> {
  const { kind, filters } = selection;
  const without = getFilterNames(kind)
    .filter((name) => filters[name] !== undefined)
    .map((name) => ({ kind, filters: omitFilter(filters, name), omittedFilter: name }));
  const [area, ...elsewhere] = buildAreaSelections(selection);
  const asked = [...(area === undefined ? [] : [area]), ...without, ...elsewhere];
  const reply = combineReplies(await Promise.all(asked.map((one) => fetchFacets(client, one, []))));
  return mapReply(reply, (facets) => {
    const counted: Alternative[] = asked.map((way, index) => ({ ...way, count: facets[index]?.TotalCount ?? 0 }));
    const countInArea = area === undefined ? undefined : counted.shift()?.count;
    // Other kinds and counties are alternatives only if the area has no record of this kind.
    return {
      countInArea,
      alternatives: counted.filter((way) => way.count > 0 && (way.omittedFilter !== undefined || countInArea === 0)),
    };
  });
}

/**
 * Selections by the area alone: for the shown kind, for the other kinds, and by the name of its county, since a site can
 * state a county without a state, or with another one. Empty if no area is chosen.
 */
function buildAreaSelections({ kind, filters }: Selection): readonly Selection[] {
  const boundary = getBoundary({ kind, filters });
  if (boundary === '') return [];
  // Keeps a pinned data version.
  const { DataVersion = [] } = filters;
  const others = KINDS.filter((one) => one !== kind);
  const within = [kind, ...others].map((one) => ({
    kind: one,
    filters: { [getKind(one).boundary]: [boundary], DataVersion },
  }));
  const county = parseNamedArea(boundary)?.['County'];
  const hasCountyFilter = getKind(kind).facets.includes('County');
  return county === undefined || !hasCountyFilter
    ? within
    : [...within, { kind, filters: { County: county, DataVersion } }];
}

function omitFilter(filters: Filters, name: string): Filters {
  return Object.fromEntries(Object.entries(filters).filter(([one]) => one !== name));
}
