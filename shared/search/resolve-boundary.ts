// Looks up the geometry of a boundary that a query specifies by the name of a place (ADR 0036), once per data version.
// It reads one posting list per release, and one record with its lookups from the first release that has the place. It
// needs no index of its own.

import {
  type Boundary,
  buildTermCondition,
  type Condition,
  findConjuncts,
  joinAll,
  listConjuncts,
  type PlaceName,
  toBoundary,
} from '../query/condition';
import { PLACE_FIELDS, type PlaceField } from '../query/filter-fields';
import { toFilterTerm } from '../query/filter-terms';
import { dataSetLayouts } from '../records/data-sets';
import { geometryMembers, lookupIdentifiers } from '../records/lookups';
import type { CatalogState } from '../store/catalog-types';
import { giveWayIfSliceOver } from '../store/deadline';
import { toListText } from '../store/joined-fragments';
import type { ReleaseReader, Store } from '../store/port';
import { NAMED_BOUNDARY_POSITION_LIMIT, readGeometry } from '../values/boundary';
import { type CountyOutline, findCountyOutline } from '../values/county-outlines';
import { countPositions, type Geometry } from '../values/geometry';
import { readPoint } from '../values/site-point';
import { openEntry } from './index/open-release';
import { readRecordSet } from './index/record-set';
import { getLookupRange } from './index/release-lookups';
import type { SearchContext } from './index/search-caches';

/** Approximate memory of a position: an array of two numbers. */
const BYTES_PER_POSITION = 100;

/** The named place has more positions than a boundary may have (D15). */
export class LargeBoundaryError extends Error {
  constructor(id: string, positions: number) {
    super(`${id} has ${positions} positions; a boundary may have ${NAMED_BOUNDARY_POSITION_LIMIT}: draw a simpler one`);
  }
}

/**
 * Replaces the name of the place in the condition with its geometry. Returns undefined if there is no such place; then
 * nothing matches. Throws ReleaseGoneError if the store no longer holds a release of the state, and LargeBoundaryError.
 */
export async function resolveBoundary(
  context: SearchContext,
  state: CatalogState,
  condition: Condition,
): Promise<Condition | undefined> {
  const [named] = findConjuncts(condition, 'boundaryOfPlace');
  if (named === undefined) return condition;
  const { field, id } = named.place;
  const resolved =
    field === 'placeCounty' ? resolveCounty(context, id) : await resolvePlace(context, state, { field, id });
  if (resolved === undefined) return undefined;
  return joinAll(listConjuncts(condition).map((conjunct) => (conjunct === named ? resolved : conjunct)));
}

/** Matches records that state the county, and records that state no county but lie in its outline (D78). */
function resolveCounty(
  { caches, countyOutlines }: Pick<SearchContext, 'caches' | 'countyOutlines'>,
  id: string,
): Condition {
  const stated = buildTermCondition('placeCounty', [id]);
  const outline = findCountyOutline(countyOutlines, id);
  return outline === undefined ? stated : { kind: 'any', operands: [stated, buildOutlineCondition(caches, outline)] };
}

export const STATES_NO_COUNTY: Condition = { kind: 'missing', member: { kind: 'field', field: 'placeCounty' } };

/** Matches records that state no county and lie in the outline. */
export function buildOutlineCondition(
  caches: SearchContext['caches'],
  { state, name, geometry }: CountyOutline,
): Condition {
  const key = `county/${state}/${name}`;
  const boundaries = caches.getCache<Boundary>('boundaries');
  const boundary = boundaries.get(key) ?? toBoundary(geometry);
  boundaries.set(key, boundary, countPositions(geometry) * BYTES_PER_POSITION);
  return { kind: 'all', operands: [STATES_NO_COUNTY, { kind: 'boundary', boundary }] };
}

async function resolvePlace(
  { store, caches }: SearchContext,
  state: CatalogState,
  place: PlaceWithGeometry,
): Promise<Condition | undefined> {
  const key = `${state.version}/${toFilterTerm(place.field, place.id)}`;
  const boundaries = caches.getCache<Boundary>('boundaries');
  let boundary = boundaries.get(key);
  if (boundary === undefined) {
    const geometry = await findPlaceGeometry(store, state, place);
    if (geometry === undefined) return undefined;
    boundary = toBoundary(geometry);
    boundaries.set(key, boundary, countPositions(geometry) * BYTES_PER_POSITION);
  }
  return { kind: 'boundary', boundary };
}

/** A site or a reporting unit. */
interface PlaceWithGeometry extends PlaceName {
  readonly field: PlaceField;
}

/** Searches the releases in the order of D17. Returns the first geometry of the place, or else its first point. */
async function findPlaceGeometry(
  store: Store,
  { entries }: CatalogState,
  place: PlaceWithGeometry,
): Promise<Geometry | undefined> {
  const term = toFilterTerm(place.field, place.id);
  const candidates = entries.filter(({ dataSet }) => PLACE_FIELDS[dataSetLayouts[dataSet].placeKind] === place.field);
  const firstRecords = await Promise.all(
    candidates.map(async (entry) => {
      const reader = await openEntry(store, entry);
      const [posting] = await reader.postings([term]);
      return { reader, record: posting === undefined ? undefined : readRecordSet(posting).slice(0, 1) };
    }),
  );
  for (const { reader, record } of firstRecords) {
    const geometry = record === undefined ? undefined : await readPlaceGeometry(reader, record, term);
    if (geometry !== undefined) return geometry;
  }
  return undefined;
}

type PlaceItem = Readonly<Record<string, string | null>>;

/** `record` belongs to the place; an allocation may belong to other places, too. */
async function readPlaceGeometry(
  reader: ReleaseReader,
  record: Uint32Array,
  term: string,
): Promise<Geometry | undefined> {
  const { placeKind } = dataSetLayouts[reader.facts.dataSet];
  const { references } = await reader.texts('records', record);
  const [first, end] = getLookupRange(reader, placeKind);
  const places = references.filter((number) => number >= first && number < end);
  // The members that are used below are declared as texts.
  const items = JSON.parse(toListText(await reader.texts('lookups', places))) as readonly PlaceItem[];
  for (const item of items) {
    const id = item[lookupIdentifiers[placeKind]] ?? '';
    if (toFilterTerm(PLACE_FIELDS[placeKind], id) !== term) continue;
    const text = item[geometryMembers[placeKind]] ?? '';
    // The loader writes a comma between two positions and nowhere else.
    const positions = text.split(',').length;
    if (positions > NAMED_BOUNDARY_POSITION_LIMIT) throw new LargeBoundaryError(id, positions);
    const geometry = readGeometry(text);
    await giveWayIfSliceOver();
    if (geometry.ok) return geometry.value;
    const point = readPoint(item['Longitude'] ?? null, item['Latitude'] ?? null);
    if (point !== undefined) return { type: 'Point', coordinates: [point.longitude, point.latitude] };
  }
  return undefined;
}
