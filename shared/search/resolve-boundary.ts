// A boundary that is named as a place (ADR 0036), looked up once a data version: each release gives one posting list,
// the first that has the place one record and its lookups. No index is needed for it.

import {
  joinAll,
  type Boundary,
  toBoundary,
  type Condition,
  listConjuncts,
  findConjuncts,
  type PlaceName,
} from '../query/condition';
import { toFilterTerm } from '../query/filter-terms';
import { PLACE_FIELDS } from '../query/filter-fields';
import { dataSetLayouts } from '../records/data-sets';
import { geometryMembers, lookupIdentifiers } from '../records/lookups';
import type { CatalogState } from '../store/catalog-types';
import { giveWayIfSliceOver } from '../store/deadline';
import { toListText, type ReleaseReader, type Store } from '../store/port';
import { NAMED_BOUNDARY_POSITION_LIMIT, readGeometry } from '../values/boundary';
import { countPositions, type Geometry } from '../values/geometry';
import { readPoint } from '../values/numbers';
import { readRecordSet } from './index/record-set';
import { getLookupRange, openEntry } from './index/release-index';
import type { SearchContext } from './index/search-caches';

/** About what a position takes: an array of two numbers. */
const BYTES_PER_POSITION = 100;

/** A place that is named as a boundary has more positions than one may have (D15). */
export class LargeBoundaryError extends Error {
  constructor(id: string, positions: number) {
    super(`${id} has ${positions} positions; a boundary may have ${NAMED_BOUNDARY_POSITION_LIMIT}: draw a simpler one`);
  }
}

/**
 * The condition with a geometry where it names a place; undefined when there is no such place, so that nothing matches.
 * Throws ReleaseGoneError when a release of the state is no longer held, and LargeBoundaryError.
 */
export async function resolveBoundary(
  { store, caches }: SearchContext,
  state: CatalogState,
  condition: Condition,
): Promise<Condition | undefined> {
  const [named] = findConjuncts(condition, 'boundaryOfPlace');
  if (named === undefined) return condition;
  const { place } = named;
  const key = `${state.version}/${toFilterTerm(place.field, place.id)}`;
  const boundaries = caches.getCache<Boundary>('boundaries');
  let boundary = boundaries.get(key);
  if (boundary === undefined) {
    const geometry = await findPlaceGeometry(store, state, place);
    if (geometry === undefined) return undefined;
    boundary = toBoundary(geometry);
    boundaries.set(key, boundary, countPositions(geometry) * BYTES_PER_POSITION);
  }
  const resolved: Condition = { kind: 'boundary', boundary };
  return joinAll(listConjuncts(condition).map((one) => (one === named ? resolved : one)));
}

/** The first place in the order of D17: its geometry, else its point; undefined where there is neither. */
async function findPlaceGeometry(
  store: Store,
  { entries }: CatalogState,
  place: PlaceName,
): Promise<Geometry | undefined> {
  const term = toFilterTerm(place.field, place.id);
  const searched = entries.filter(({ dataSet }) => PLACE_FIELDS[dataSetLayouts[dataSet].placeKind] === place.field);
  const found = await Promise.all(
    searched.map(async (entry) => {
      const reader = await openEntry(store, entry);
      const [posting] = await reader.postings([term]);
      return { reader, first: posting === undefined ? undefined : readRecordSet(posting).slice(0, 1) };
    }),
  );
  for (const { reader, first } of found) {
    const geometry = first === undefined ? undefined : await readPlaceGeometry(reader, first, term);
    if (geometry !== undefined) return geometry;
  }
  return undefined;
}

type PlaceItem = Readonly<Record<string, string | null>>;

/** `record` is one that belongs to the place; an allocation may belong to others too. */
async function readPlaceGeometry(
  reader: ReleaseReader,
  record: Uint32Array,
  term: string,
): Promise<Geometry | undefined> {
  const { placeKind } = dataSetLayouts[reader.facts.dataSet];
  const { references } = await reader.texts('records', record);
  const [first, end] = getLookupRange(reader, placeKind);
  const places = references.filter((number) => number >= first && number < end);
  // Only texts are read.
  const items = JSON.parse(toListText(await reader.texts('lookups', places))) as readonly PlaceItem[];
  for (const item of items) {
    const id = item[lookupIdentifiers[placeKind]] ?? '';
    if (toFilterTerm(PLACE_FIELDS[placeKind], id) !== term) continue;
    const text = item[geometryMembers[placeKind]] ?? '';
    // A comma stands behind every position but the last, as it is written by the loader.
    const positions = text.split(',').length;
    if (positions > NAMED_BOUNDARY_POSITION_LIMIT) throw new LargeBoundaryError(id, positions);
    const read = readGeometry(text);
    await giveWayIfSliceOver();
    if (read.ok) return read.value;
    const point = readPoint(item['Longitude'] ?? null, item['Latitude'] ?? null);
    if (point !== undefined) return { type: 'Point', coordinates: [point.longitude, point.latitude] };
  }
  return undefined;
}
