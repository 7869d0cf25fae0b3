// How much of what is found a map can show: what has a position or a shape.

import { kindOf } from '../state/kinds';
import { areaTerms, mapFilters, shownBoundary } from '../state/map-kinds';
import { filterNames, type Selection } from '../state/state';
import { totalOf, type ServiceClient } from './client';
import { filterQuery } from './operations';
import { together, type Reply } from './reply';

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
  if (reply.kind !== 'answer') return reply;
  const [ofAll = 0, ofPlaced = 0] = reply.value;
  return { ...reply, value: { all: ofAll, placed: ofPlaced } };
}

function askCount(client: ServiceClient, { kind, filters }: Selection): Promise<Reply<number>> {
  const [route, asked] =
    kind === 'aggregates' ? ['v1/ReportingUnits', mapFilters(kind, filters)] : [kindOf(kind).route, filters];
  const query = [...filterQuery({ kind, filters: asked }), ['RecordCount', '1'] as const];
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
