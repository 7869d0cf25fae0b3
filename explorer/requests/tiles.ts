// Addresses of the map tiles of a selection (D50).

import { getKind, type Kind } from '../state/kinds';
import { toMapFilters } from '../state/map-kinds';
import { orderFilters, type Selection } from '../state/state';
import { appendQuery, type Query } from './client';

/**
 * CQL2: the place has an amount, since every amount has a variable. This excludes sites that only have rights, as the
 * other views of time series do. Amounts without a date are included.
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
 * The address template of tiles, with placeholders for zoom, row and column. `service` includes scheme and host, and
 * `options` say how points are merged and which member's values are counted in each feature.
 */
export function buildTileTemplate(
  service: string,
  selection: Selection,
  options: { readonly cluster?: string; readonly spacing?: string; readonly mix?: string | undefined } = {},
): string {
  const query = { ...buildTileQuery(selection), ...options };
  return appendQuery(`${service}/${buildTilesetRoute(selection.kind)}/{z}/{y}/{x}`, query);
}
