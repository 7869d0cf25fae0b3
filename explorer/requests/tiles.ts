// Addresses of the map tiles of a selection (D50).

import { getKind, type Kind } from '../state/kinds';
import { toMapFilters } from '../state/map-kinds';
import { orderFilters, type Selection } from '../state/state';
import { appendQuery, type Query } from './client';

/**
 * In CQL2: the place has an amount, since each amount has a variable. The sites of rights alone are left out, as they
 * are in the other views of time series; amounts without a date count.
 */
const WITH_AMOUNTS = 'VariableCV IS NOT NULL';

/** The tileset of a kind, relative to the service's address. */
export function buildTilesetRoute(kind: Kind): string {
  return `ogc/collections/${getKind(kind).places.collection}/tiles/WebMercatorQuad`;
}

/** The parameters of tiles that show the matching records. */
export function buildTileQuery({ kind, filters }: Selection): Query {
  const asked = orderFilters({ kind, filters: toMapFilters(kind, filters) });
  return kind === 'series' ? { ...asked, filter: WITH_AMOUNTS } : asked;
}

/**
 * With places for zoom, row and column. `service` has scheme and host, `cluster` is the width in pixels of squares
 * whose points stand as one, `mix` the member whose values are counted in each.
 */
export function buildTileTemplate(
  service: string,
  selection: Selection,
  { cluster, mix }: { readonly cluster?: number | undefined; readonly mix?: string | undefined } = {},
): string {
  const query = { ...buildTileQuery(selection), cluster: cluster?.toString(), mix };
  return appendQuery(`${service}/${buildTilesetRoute(selection.kind)}/{z}/{y}/{x}`, query);
}
