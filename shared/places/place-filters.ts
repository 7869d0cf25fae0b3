// The filters of places by what the places themselves are (D42): by identifier, by attribute, by boundary. They give
// ranks and read no record.

import { fieldOfTerm, filterTerm, PLACE_FIELDS, type FilterField } from '../query/filter-terms';
import type { Boundary } from '../query/criteria';
import { dataSetLayouts } from '../records/data-sets';
import { lookupIdentifiers } from '../records/lookups';
import type { Item } from '../records/record-references';
import { ranksOfTerm } from '../search/columns/place-hashes';
import { AllRecords, markedRecords, NO_RECORDS, type RecordSet } from '../search/index/record-set';
import { visitPlacesInBoundary } from '../search/conditions/records-in-boundary';
import { placeColumnsOf, placeHashesOf, placeRecordsOf } from '../search/release/release-columns';
import { lookupRange, vocabularyOf } from '../search/release/release-index';
import type { SearchCaches } from '../search/release/search-caches';
import { listText } from '../store/fragments';
import type { ReleaseReader } from '../store/port';
import { BitSet, markCodes } from '../values/bytes/bit-set';
import { numberAt } from '../values/numbers';

/** The ordinal of places without a value. */
export const NO_VALUE = 0;

/** About what an entry of a map of terms takes in memory. */
const BYTES_PER_TERM = 100;

/** The places with one of the identifiers, which are terms of filters; ascending. */
export async function ranksOfIdentifiers(
  reader: ReleaseReader,
  terms: readonly string[],
  caches: SearchCaches,
): Promise<Uint32Array> {
  const hashes = await placeHashesOf(reader, caches);
  const candidates = Uint32Array.from(new Set(terms.flatMap((term) => ranksOfTerm(hashes, term)))).sort();
  if (candidates.length === 0) return candidates;
  const { placeKind } = dataSetLayouts[reader.facts.dataSet];
  const [first] = lookupRange(reader, placeKind);
  const texts = await reader.lookups(candidates.map((rank) => first + rank));
  const items = JSON.parse(listText(texts)) as readonly Item[]; // The loader wrote objects.
  const wanted = new Set(terms);
  const isWanted = (item: Item | undefined): boolean =>
    wanted.has(filterTerm(PLACE_FIELDS[placeKind], String(item?.[lookupIdentifiers[placeKind]])));
  return candidates.filter((_, index) => isWanted(items[index]));
}

/** The places that the boundary meets. */
export async function placesInBoundary(
  reader: ReleaseReader,
  boundary: Boundary,
  caches: SearchCaches,
): Promise<RecordSet> {
  const [first, end] = lookupRange(reader, dataSetLayouts[reader.facts.dataSet].placeKind);
  return rememberedPlaces(`@${boundary.digest}`, { reader, caches }, async () => {
    const met = new BitSet(end - first);
    await visitPlacesInBoundary(reader, boundary, caches, ({ ranks }, place) => {
      met.add(numberAt(ranks, place));
    });
    return markedRecords(met);
  });
}

/** The places to which a record refers. */
export function placesWithRecords(reader: ReleaseReader, caches: SearchCaches): Promise<RecordSet> {
  return rememberedPlaces('#with records', { reader, caches }, async () => {
    const records = await placeRecordsOf(reader, caches);
    if (records.every((count) => count > 0)) return new AllRecords(records.length);
    const found = new BitSet(records.length);
    for (let rank = 0; rank < records.length; rank++) if (records[rank] !== 0) found.add(rank);
    return markedRecords(found);
  });
}

/** The places that have one of the terms, all of one field which is not that of identifiers. */
export async function placesWithTerms(
  reader: ReleaseReader,
  terms: readonly string[],
  caches: SearchCaches,
): Promise<RecordSet> {
  const field = fieldOfTerm(terms[0] ?? '');
  const { OrganizationState: organizationState } = reader.facts.organization;
  const { length: places } = await placeRecordsOf(reader, caches);
  // D10: an organization's state finds all that it submitted.
  if (field === 'state' && terms.includes(filterTerm(field, organizationState))) return new AllRecords(places);
  const { values } = await placeColumnsOf(reader, caches);
  const column = values[field];
  if (column === undefined) return NO_RECORDS;
  const numbers = await termNumbersOf(reader, field, caches);
  const wanted = new Uint8Array(numbers.size + 1);
  for (const term of terms) wanted[numbers.get(term) ?? NO_VALUE] = 1;
  wanted[NO_VALUE] = 0;
  return placesMarked(column, wanted);
}

/** The places whose code in a column a table of zeros and ones marks with 1. */
export function placesMarked(column: ArrayLike<number>, wanted: Uint8Array): RecordSet {
  const found = new BitSet(column.length);
  markCodes(column, wanted, found, 0);
  return markedRecords(found);
}

/** What was found of a release is remembered under a key. */
export async function rememberedPlaces(
  key: string,
  { reader, caches }: { readonly reader: ReleaseReader; readonly caches: SearchCaches },
  find: () => Promise<RecordSet>,
): Promise<RecordSet> {
  const cacheKey = `${reader.facts.releaseId}${key}`;
  const known = caches.placeSets.get(cacheKey);
  if (known !== undefined) return known;
  const found = await find();
  caches.placeSets.set(cacheKey, found, found.byteLength);
  return found;
}

/** The ordinals of the field's terms, as the columns of places have them. */
async function termNumbersOf(
  reader: ReleaseReader,
  field: FilterField,
  caches: SearchCaches,
): Promise<ReadonlyMap<string, number>> {
  const key = `${reader.facts.releaseId}/${field}`;
  const known = caches.termNumbers.get(key);
  if (known !== undefined) return known;
  const vocabulary = await vocabularyOf(reader, caches);
  const terms = (vocabulary[field] ?? []).map(([value], index) => [filterTerm(field, value), index + 1] as const);
  const numbers = new Map(terms);
  caches.termNumbers.set(key, numbers, numbers.size * BYTES_PER_TERM);
  return numbers;
}
