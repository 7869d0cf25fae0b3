// The address of the tiles that show what is filtered (D50): of the page's own map, and of any other program with maps.

import { mapCollectionOf, mapFilters } from '../state/map-kinds';
import { filterQuery, type Selection } from './operations';

/** With places for zoom, row and column. `service` has scheme and host. */
export function tileTemplate(service: string, { kind, filters }: Selection): string {
  const { collection } = mapCollectionOf(kind);
  const asked = filterQuery(kind, mapFilters(kind, filters)).map(([name, value]): [string, string] => [name, value]);
  const query = new URLSearchParams(asked).toString();
  const path = `${service}/ogc/collections/${collection}/tiles/WebMercatorQuad/{z}/{y}/{x}`;
  return query === '' ? path : `${path}?${query}`;
}
