// A place that is the boundary (ADR 0036), looked up once a data version.

import type { CatalogState } from '../store/catalog-types';
import { countPositions } from '../values/geometry';
import { boundaryOf, type Criteria } from '../query/criteria';
import { filterTerm } from '../query/filter-terms';
import type { SearchContext } from './search-caches';
import { geometryOfPlace } from './place-geometry';

/** An array of two numbers, and its share of the grid that is made of the boundary, about. */
const BYTES_PER_POSITION = 300;

/**
 * The criteria with a geometry where they name a place; undefined when there is no such place, so that nothing matches. Throws
 * ReleaseGoneError when a release of the state is no longer held.
 */
export async function resolveBoundary(
  { store, caches }: SearchContext,
  state: CatalogState,
  criteria: Criteria,
): Promise<Criteria | undefined> {
  const { boundaryPlace: place, ...others } = criteria;
  if (place === undefined) return criteria;
  const key = `${state.version}/${filterTerm(place.field, place.id)}`;
  const known = caches.boundaries.get(key);
  if (known !== undefined) return { ...others, boundary: known };
  const geometry = await geometryOfPlace(store, state, place);
  if (geometry === undefined) return undefined;
  const boundary = boundaryOf(geometry);
  caches.boundaries.set(key, boundary, countPositions(geometry) * BYTES_PER_POSITION);
  return { ...others, boundary };
}
