// Counts how many of the matching records a map can show: those with a position or a shape.

import { getKind } from '../state/kinds';
import { getBoundary, parseNamedArea, toMapFilters } from '../state/map-kinds';
import { getFilterNames, orderFilters, type Selection } from '../state/state';
import { readTotalCount, type ServiceClient } from './client';
import { fetchFacets } from './facets';
import { combineReplies, mapReply, type Reply } from './reply';

/** A boundary that contains every position and shape. */
export const WORLD = 'POLYGON((-180 -89,180 -89,180 89,-180 89,-180 -89))';

interface WithMappable<Value> {
  readonly all: Value;
  readonly mappable: Value;
}

/** `countedFacets` are the facets that the page counts for all matching records, so that one request answers both. */
interface MappableQuestion extends WithMappable<Selection> {
  readonly countedFacets: readonly string[];
}

/** Counts the matching rights, amounts at sites, or areas, and those that a map can show. */
export async function fetchMappableCounts(
  client: ServiceClient,
  { all, mappable, countedFacets }: MappableQuestion,
): Promise<Reply<WithMappable<number>>> {
  const areSame = JSON.stringify(all) === JSON.stringify(mappable);
  const replies = [fetchCount(client, all, countedFacets), fetchCount(client, mappable, areSame ? countedFacets : [])];
  return mapReply(combineReplies(await Promise.all(replies)), ([allCount = 0, mappableCount = 0]) => {
    return { all: allCount, mappable: mappableCount };
  });
}

async function fetchCount(
  client: ServiceClient,
  selection: Selection,
  facets: readonly string[],
): Promise<Reply<number>> {
  if (selection.kind === 'aggregates') return fetchAreaCount(client, selection);
  return mapReply(await fetchFacets(client, selection, facets), ({ TotalCount }) => TotalCount);
}

/** Counts reporting units. */
function fetchAreaCount(client: ServiceClient, { kind, filters }: Selection): Promise<Reply<number>> {
  const query = { ...orderFilters({ kind, filters: toMapFilters(kind, filters) }), RecordCount: '1' };
  return client.request('v1/ReportingUnits', query, (response) => Promise.resolve(readTotalCount(response)));
}

/**
 * Selections of all matching records, and of those with a position. The second needs the boundary filter, and a request
 * can have only one boundary, so a named area is replaced with equivalent filters. In a drawn area every record has a
 * position. Undefined if the kind lacks one of these filters, or if one is already active.
 */
export function buildMappableSelections({ kind, filters }: Selection): WithMappable<Selection> | undefined {
  const { boundary } = getKind(kind);
  const boundaryText = getBoundary({ kind, filters });
  const terms = parseNamedArea(boundaryText);
  if (boundaryText !== '' && terms === undefined) return { all: { kind, filters }, mappable: { kind, filters } };
  const names = Object.keys(terms ?? {});
  if (names.some((name) => !getFilterNames(kind).includes(name) || filters[name] !== undefined)) return undefined;
  const all = { ...filters, ...terms, [boundary]: [] };
  return { all: { kind, filters: all }, mappable: { kind, filters: { ...all, [boundary]: [WORLD] } } };
}
