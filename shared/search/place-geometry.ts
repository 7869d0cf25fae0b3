// The geometry of a place by its identifier, from whichever release of a catalog state has it: one posting list a release is
// asked for, and of the first that has the place one record and its lookups. No index is needed for it.

import { dataSetLayouts } from '../records/data-sets';
import type { CatalogState } from '../store/catalog-types';
import { listText } from '../store/fragments';
import type { ReleaseReader, Store } from '../store/port';
import { readGeometry } from '../values/boundary/boundary';
import type { Geometry } from '../values/geometry';
import { readPoint } from '../values/numbers';
import type { PlaceName } from '../query/criteria';
import { filterTerm, type PlaceField } from '../query/filter-terms';
import { openEntry } from './open-entry';
import { readRecordSet } from './record-set';

/** Found in the order of D17; a place without a geometry has its point; undefined for no such place, or one without either. */
export async function geometryOfPlace(
  store: Store,
  { entries }: CatalogState,
  place: PlaceName,
): Promise<Geometry | undefined> {
  const term = filterTerm(place.field, place.id);
  const searched = entries.filter(({ dataSet }) => dataSetLayouts[dataSet].placeKind === LISTS[place.field].kind);
  const found = await Promise.all(
    searched.map(async (entry) => {
      const reader = await openEntry(store, entry);
      const [posting] = await reader.postings([term]);
      return { reader, first: posting === undefined ? undefined : readRecordSet(posting).slice(0, 1) };
    }),
  );
  for (const { reader, first } of found) {
    const geometry = first === undefined ? undefined : await geometryAt(reader, first, place.field, term);
    if (geometry !== undefined) return geometry;
  }
  return undefined;
}

/** Where lookups of a field's places stand, and what they call their identifier. */
const LISTS = {
  site: { kind: 'Sites', id: 'SiteUUID', geometry: 'SiteGeometry' },
  reportingUnit: { kind: 'ReportingUnits', id: 'ReportingUnitUUID', geometry: 'Geometry' },
} as const;

type PlaceItem = Readonly<Record<string, string | null>>;

/** `record` is one that belongs to the place; an allocation may belong to others too. */
async function geometryAt(
  reader: ReleaseReader,
  record: Uint32Array,
  field: PlaceField,
  term: string,
): Promise<Geometry | undefined> {
  const { kind, id, geometry } = LISTS[field];
  const { references } = await reader.records(record);
  const [first, end] = rangeOfKind(reader, kind);
  const places = references.filter((number) => number >= first && number < end);
  const items = JSON.parse(listText(await reader.lookups(places))) as readonly PlaceItem[]; // Its texts are all that is looked at.
  for (const item of items) {
    if (filterTerm(field, item[id] ?? '') !== term) continue;
    const read = readGeometry(item[geometry] ?? '');
    if (read.ok) return read.value;
    const point = readPoint(item['Longitude'] ?? null, item['Latitude'] ?? null);
    if (point !== undefined) return { type: 'Point', coordinates: [point.longitude, point.latitude] };
  }
  return undefined;
}

function rangeOfKind({ facts }: ReleaseReader, wanted: string): readonly [first: number, end: number] {
  let first = 0;
  for (const { kind, count } of facts.lookups) {
    if (kind === wanted) return [first, first + count];
    first += count;
  }
  return [0, 0];
}
