// The address of the tiles that show what is filtered (D50): of the page's own map, and of any other program with maps.

import { mapFilters } from '../state/map-kinds';
import { kindOf, type Kind } from '../state/kinds';
import type { Selection } from '../state/state';
import { withQuery, type Query } from './client';
import { filterQuery } from './operations';

/**
 * In CQL2: the place has an amount, since each amount has a variable. The sites of rights alone are left out, as they
 * are in the other views of time series; amounts without a date count.
 */
const WITH_AMOUNTS = ['filter', 'VariableCV IS NOT NULL'] as const;

/** Where the tiles of a kind are described and drawn, below the service's address. */
export function tilesetRoute(kind: Kind): string {
  return `ogc/collections/${kindOf(kind).places.collection}/tiles/WebMercatorQuad`;
}

/** What tiles are asked for to show what is filtered. */
export function tileQuery({ kind, filters }: Selection): Query {
  return [...filterQuery({ kind, filters: mapFilters(kind, filters) }), ...(kind === 'series' ? [WITH_AMOUNTS] : [])];
}

/** The width in pixels of squares whose points stand as one, and the member whose values are counted in each. */
export interface TileSquares {
  readonly cluster?: number | undefined;
  readonly mix?: string | undefined;
}

/**
 * With places for zoom, row and column. `service` has scheme and host.
 */
export function tileTemplate(service: string, selection: Selection, { cluster, mix }: TileSquares = {}): string {
  return withQuery(`${service}/${tilesetRoute(selection.kind)}/{z}/{y}/{x}`, [
    ...tileQuery(selection),
    ...(cluster === undefined ? [] : [['cluster', String(cluster)] as const]),
    ...(mix === undefined ? [] : [['mix', mix] as const]),
  ]);
}
