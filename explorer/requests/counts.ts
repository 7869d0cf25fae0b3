// Counts of the service about what is found and what is not: how much of it a map can show, since it has a position or
// a shape; and where filters find nothing, what lies in the area that is chosen, and which filters like these find
// something.

import { getKind, KINDS } from '../state/kinds';
import { getBoundary, parseNamedArea, toMapFilters } from '../state/map-kinds';
import { type Filters, getFilterNames, orderFilters, type Selection } from '../state/state';
import { readTotalCount, type ServiceClient } from './client';
import { fetchFacets } from './operations';
import { combineReplies, mapReply, type Reply } from './reply';

/** What has a shape lies in it. */
export const WORLD = 'POLYGON((-180 -89,180 -89,180 89,-180 89,-180 -89))';

interface WithMappable<Value> {
  readonly all: Value;
  readonly mappable: Value;
}

/** How many rights, amounts at sites, or areas the filters leave, and how many of them a map can show. */
export async function fetchMappableCounts(
  client: ServiceClient,
  { all, mappable }: WithMappable<Selection>,
): Promise<Reply<WithMappable<number>>> {
  const reply = combineReplies(await Promise.all([fetchCount(client, all), fetchCount(client, mappable)]));
  return mapReply(reply, ([allCount = 0, mappableCount = 0]) => ({ all: allCount, mappable: mappableCount }));
}

function fetchCount(client: ServiceClient, { kind, filters }: Selection): Promise<Reply<number>> {
  const [route, asked] =
    kind === 'aggregates' ? ['v1/ReportingUnits', toMapFilters(kind, filters)] : [getKind(kind).route, filters];
  const query = { ...orderFilters({ kind, filters: asked }), RecordCount: '1' };
  return client.request(route, query, (response) => Promise.resolve(readTotalCount(response)));
}

/**
 * Filters of what is found, and of those of it that lie somewhere. A request has one boundary, so an area that is named
 * is asked for by the terms that its name stands for; whatever lies in an area that is drawn lies somewhere. Undefined
 * where the kind has no filter for the terms, or where one is set.
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

/** Filters that find something. */
export interface Alternative extends Selection {
  readonly count: number;
  /** The name of the filter that is left out; undefined where all are but the area, or the name of its county. */
  readonly omittedFilter?: string;
}

export interface EmptyResult {
  /** How many records of the kind lie in the area, whatever else is filtered; undefined where none is chosen. */
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
    // Where the area has records of the kind, those of others are no answer to the question.
    return {
      countInArea,
      alternatives: counted.filter((way) => way.count > 0 && (way.omittedFilter !== undefined || countInArea === 0)),
    };
  });
}

/**
 * The questions about the area by itself: of the kind that is shown, of the others, and of every county of its name,
 * since a place may state its county and no state, or another. Empty where no area is chosen.
 */
function buildAreaSelections({ kind, filters }: Selection): readonly Selection[] {
  const boundary = getBoundary({ kind, filters });
  if (boundary === '') return [];
  // All are of one version of the data where one is asked for.
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
