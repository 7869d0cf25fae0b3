// Counts of the service about what is found and what is not: how much of it a map can show, since it has a position or
// a shape; and where filters find nothing, what lies in the area that is chosen, and which filters like these find
// something.

import { kindOf, KINDS } from '../state/kinds';
import { areaTerms, mapFilters, shownBoundary } from '../state/map-kinds';
import { filterNames, type Filters, filtersInOrder, type Selection } from '../state/state';
import { type ServiceClient, totalOf } from './client';
import { askFacets } from './operations';
import { type Reply, together, withValue } from './reply';

/** What has a shape lies in it. */
export const EVERYWHERE = 'POLYGON((-180 -89,180 -89,180 89,-180 89,-180 -89))';

interface Placed<Part> {
  readonly all: Part;
  readonly placed: Part;
}

/** How many rights, amounts at sites, or areas the filters leave, and how many of them a map can show. */
export async function askPlaced(
  client: ServiceClient,
  { all, placed }: Placed<Selection>,
): Promise<Reply<Placed<number>>> {
  const reply = together(await Promise.all([askCount(client, all), askCount(client, placed)]));
  return withValue(reply, ([ofAll = 0, ofPlaced = 0]) => ({ all: ofAll, placed: ofPlaced }));
}

function askCount(client: ServiceClient, { kind, filters }: Selection): Promise<Reply<number>> {
  const [route, asked] =
    kind === 'aggregates' ? ['v1/ReportingUnits', mapFilters(kind, filters)] : [kindOf(kind).route, filters];
  const query = { ...filtersInOrder({ kind, filters: asked }), RecordCount: '1' };
  return client.ask(route, query, (response) => Promise.resolve(totalOf(response)));
}

/**
 * Filters of what is found, and of those of it that lie somewhere. A request has one boundary, so an area that is named
 * is asked for by the terms that its name stands for; whatever lies in an area that is drawn lies somewhere. Undefined
 * where the kind has no filter for the terms, or where one is set.
 */
export function placedSelections({ kind, filters }: Selection): Placed<Selection> | undefined {
  const { boundary } = kindOf(kind);
  const present = shownBoundary({ kind, filters });
  const terms = areaTerms(present);
  if (present !== '' && terms === undefined) return { all: { kind, filters }, placed: { kind, filters } };
  const names = Object.keys(terms ?? {});
  if (names.some((name) => !filterNames(kind).includes(name) || filters[name] !== undefined)) return undefined;
  const all = { ...filters, ...terms, [boundary]: [] };
  return { all: { kind, filters: all }, placed: { kind, filters: { ...all, [boundary]: [EVERYWHERE] } } };
}

/** Filters that find something. */
export interface WayOut extends Selection {
  readonly count: number;
  /** The name of the filter that is left out; undefined where all are but the area, or the name of its county. */
  readonly without?: string;
}

export interface WhyNone {
  /** How many records of the kind lie in the area, whatever else is filtered; undefined where none is chosen. */
  readonly inArea: number | undefined;
  readonly ways: readonly WayOut[];
}

export async function askWhyNone(client: ServiceClient, selection: Selection): Promise<Reply<WhyNone>> {
  const { kind, filters } = selection;
  const without = filterNames(kind)
    .filter((name) => filters[name] !== undefined)
    .map((name) => ({ kind, filters: withoutFilter(filters, name), without: name }));
  const [area, ...elsewhere] = areaAlone(selection);
  const asked = [...(area === undefined ? [] : [area]), ...without, ...elsewhere];
  const reply = together(await Promise.all(asked.map((one) => askFacets(client, one, []))));
  return withValue(reply, (facets) => {
    const counted: WayOut[] = asked.map((way, index) => ({ ...way, count: facets[index]?.TotalCount ?? 0 }));
    const inArea = area === undefined ? undefined : counted.shift()?.count;
    // Where the area has records of the kind, those of others are no answer to the question.
    return { inArea, ways: counted.filter((way) => way.count > 0 && (way.without !== undefined || inArea === 0)) };
  });
}

/**
 * The questions about the area by itself: of the kind that is shown, of the others, and of every county of its name,
 * since a place may state its county and no state, or another. Empty where no area is chosen.
 */
function areaAlone({ kind, filters }: Selection): readonly Selection[] {
  const boundary = shownBoundary({ kind, filters });
  if (boundary === '') return [];
  // All are of one version of the data where one is asked for.
  const { DataVersion = [] } = filters;
  const others = KINDS.filter((one) => one !== kind);
  const within = [kind, ...others].map((one) => ({
    kind: one,
    filters: { [kindOf(one).boundary]: [boundary], DataVersion },
  }));
  const county = areaTerms(boundary)?.['County'];
  const isStated = kindOf(kind).facets.includes('County');
  return county === undefined || !isStated ? within : [...within, { kind, filters: { County: county, DataVersion } }];
}

function withoutFilter(filters: Filters, name: string): Filters {
  return Object.fromEntries(Object.entries(filters).filter(([one]) => one !== name));
}
