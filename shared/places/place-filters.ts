// The filters of places by what the places themselves are (D42): by identifier, by attribute, by boundary. They give
// ranks and read no record.

import { fieldOfTerm, filterTerm, PLACE_FIELDS, type FilterField } from '../query/filter-terms';
import type { Boundary } from '../query/criteria';
import { dataSetLayouts } from '../records/data-sets';
import { lookupIdentifiers } from '../records/lookups';
import type { Item } from '../records/record-references';
import { ranksOfTerm } from '../search/columns/place-hashes';
import { visitPlacesInBoundary } from '../search/records-in-boundary';
import { placeColumnsOf, placeHashesOf, placeRecordsOf } from '../search/release-columns';
import { lookupRange, vocabularyOf } from '../search/release-index';
import type { SearchCaches } from '../search/search-caches';
import { listText } from '../store/fragments';
import type { ReleaseReader } from '../store/port';
import { BitSet } from '../values/bit-set';
import { numberAt } from '../values/numbers';

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

/** The places that the boundary meets; ascending. */
export async function ranksInBoundary(
  reader: ReleaseReader,
  boundary: Boundary,
  caches: SearchCaches,
): Promise<Uint32Array> {
  const key = `${reader.facts.releaseId}@${boundary.digest}`;
  const known = caches.placeSets.get(key);
  if (known !== undefined) return known;
  const [first, end] = lookupRange(reader, dataSetLayouts[reader.facts.dataSet].placeKind);
  const met = new BitSet(end - first);
  await visitPlacesInBoundary(reader, boundary, caches, ({ ranks }, place) => {
    met.add(numberAt(ranks, place));
  });
  const found = met.numbers();
  caches.placeSets.set(key, found, found.byteLength);
  return found;
}

/** The places to which a record refers; ascending. */
export async function ranksWithRecords(reader: ReleaseReader, caches: SearchCaches): Promise<Uint32Array> {
  const key = `${reader.facts.releaseId}#with records`;
  const known = caches.placeSets.get(key);
  if (known !== undefined) return known;
  const records = await placeRecordsOf(reader, caches);
  const found = new BitSet(records.length);
  for (let rank = 0; rank < records.length; rank++) if (records[rank] !== 0) found.add(rank);
  const ranks = found.numbers();
  caches.placeSets.set(key, ranks, ranks.byteLength);
  return ranks;
}

/** Those of the ranks that have one of the terms, all of one field which is not that of identifiers. */
export async function ranksWithTerms(
  reader: ReleaseReader,
  ranks: Uint32Array,
  terms: readonly string[],
  caches: SearchCaches,
): Promise<Uint32Array> {
  const field = fieldOfTerm(terms[0] ?? '');
  const { OrganizationState: organizationState } = reader.facts.organization;
  // D10: an organization's state finds all that it submitted.
  if (field === 'state' && terms.includes(filterTerm(field, organizationState))) return ranks;
  const { values } = await placeColumnsOf(reader, caches);
  const column = values[field];
  if (column === undefined) return new Uint32Array();
  const numbers = await termNumbersOf(reader, field, caches);
  const wanted = new BitSet(numbers.size + 1);
  for (const term of terms) wanted.add(numbers.get(term) ?? NOT_THERE);
  wanted.delete(NOT_THERE);
  return ranks.filter((rank) => wanted.has(column[rank] ?? NOT_THERE));
}

/** The ordinal of places without a value. */
const NOT_THERE = 0;

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
