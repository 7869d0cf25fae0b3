// The places of a release by what they themselves are (D42): by a text, by a boundary, by having records. Texts are
// found by the values of the places' columns, and where only some spellings of a value meet a test, by the texts of
// the places. No record is read.

import type { Boundary, TextMember, TextTest } from '../../query/condition';
import { toFilterTerm } from '../../query/filter-terms';
import { type FilterField, filterFields, isPlaceIdentifier, PLACE_FIELDS } from '../../query/filter-fields';
import { lookupIdentifiers } from '../../records/lookups';
import { giveWayIfSliceOver } from '../../store/deadline';
import type { ReleaseReader } from '../../store/port';
import { BitSet, markCodes } from '../../values/bytes/bit-set';
import { numberAt } from '../../values/numbers';
import { hashTerm, findNumbersWithHash } from '../index/hashes';
import { AllRecords, ListedRecords, toRecordSet, NO_RECORDS, type RecordSet, union } from '../index/record-set';
import {
  readLookups,
  loadPlaceColumns,
  loadPlaceHashes,
  getPlaceKind,
  loadPlaceIdentifiers,
  loadPlaceRecordCounts,
  countPlaces,
  loadVocabulary,
} from '../index/release-index';
import type { SearchableRelease } from '../index/search-caches';
import { visitPlacesInBoundary } from '../records-in-boundary';
import { matchValues, type Matcher, createTextMatcher } from '../text-matcher';

/** Texts of places that are read at once: some megabytes. */
const PLACES_AT_ONCE = 4096;

/** The places to which a record refers. */
export async function findPlacesWithRecords(searched: SearchableRelease): Promise<RecordSet> {
  const records = await loadPlaceRecordCounts(searched);
  if (records.every((count) => count > 0)) return new AllRecords(records.length);
  const found = new BitSet(records.length);
  for (let rank = 0; rank < records.length; rank++) if (records[rank] !== 0) found.add(rank);
  return toRecordSet(found);
}

/** The places that the boundary meets. */
export async function findPlacesInBoundary(boundary: Boundary, searched: SearchableRelease): Promise<RecordSet> {
  const met = new BitSet(countPlaces(searched));
  await visitPlacesInBoundary(searched, boundary, ({ ranks }, place) => {
    met.add(numberAt(ranks, place));
  });
  return toRecordSet(met);
}

/** The places that have one of the filter terms; the field is one of places. */
export async function findPlacesWithTerms(
  field: FilterField,
  terms: readonly string[],
  searched: SearchableRelease,
): Promise<RecordSet> {
  if (isPlaceIdentifier(field)) return findPlacesByIdentifier(terms, searched);
  const wanted = new Set(terms);
  return findPlacesWithValue(field, (value) => wanted.has(toFilterTerm(field, value)), searched);
}

/** The places whose text meets the test; the member is one of places. */
export async function findPlacesWithText(
  member: TextMember,
  test: TextTest,
  searched: SearchableRelease,
): Promise<RecordSet> {
  const matches = createTextMatcher(test);
  if (member.kind !== 'field')
    return allPlacesIf(matches(searched.reader.facts.organization.OrganizationUUID), searched);
  if (!isPlaceIdentifier(member.field)) return findPlacesWithValue(member.field, matches, searched);
  const names = await loadPlaceIdentifiers(searched);
  return new ListedRecords(Uint32Array.from(names.keys()).filter((rank) => matches(names[rank] ?? '')));
}

/** The places that have any value of the member. */
export async function findPlacesWithAnyText(member: TextMember, searched: SearchableRelease): Promise<RecordSet> {
  if (member.kind !== 'field' || isPlaceIdentifier(member.field) || member.field === 'state')
    return allPlacesIf(true, searched);
  return findPlacesWithValue(member.field, () => true, searched);
}

async function allPlacesIf(isMet: boolean, searched: SearchableRelease): Promise<RecordSet> {
  const { length } = await loadPlaceRecordCounts(searched);
  return isMet ? new AllRecords(length) : NO_RECORDS;
}

/** The places with one of the identifiers, which are filter terms; found without looking at the other places. */
export async function findPlacesByIdentifier(
  terms: readonly string[],
  searched: SearchableRelease,
): Promise<RecordSet> {
  const { reader } = searched;
  const hashes = await loadPlaceHashes(searched);
  const candidates = Uint32Array.from(
    new Set(terms.flatMap((term) => findNumbersWithHash(hashes, hashTerm(term)))),
  ).sort();
  const placeKind = getPlaceKind(reader);
  const items = await readLookups(reader, placeKind, candidates);
  const wanted = new Set(terms);
  const identifiers = items.map((item) => String(item[lookupIdentifiers[placeKind]]));
  const isWanted = (id = ''): boolean => wanted.has(toFilterTerm(PLACE_FIELDS[placeKind], id));
  return new ListedRecords(candidates.filter((_, index) => isWanted(identifiers[index])));
}

async function findPlacesWithValue(
  field: FilterField,
  matches: Matcher,
  searched: SearchableRelease,
): Promise<RecordSet> {
  const { organization } = searched.reader.facts;
  // D10: an organization's state finds all that it submitted.
  if (field === 'state' && matches(organization.OrganizationState)) return allPlacesIf(true, searched);
  const { [field]: column = [] } = (await loadPlaceColumns(searched)).values;
  const { full: wholes, partial: parts } = matchValues((await loadVocabulary(searched))[field] ?? [], matches);
  const met = findMarkedPlaces(column, wholes);
  if (!parts.includes(1)) return met;
  const unsure = findMarkedPlaces(column, parts).slice();
  return union([met, new ListedRecords(await filterBySpelling(field, unsure, matches, searched.reader))]);
}

/** The places whose code in a column a table of zeros and ones marks with 1. */
function findMarkedPlaces(column: ArrayLike<number>, wanted: Uint8Array): RecordSet {
  const found = new BitSet(column.length);
  markCodes(column, wanted, found, 0);
  return toRecordSet(found);
}

async function filterBySpelling(
  field: FilterField,
  ranks: Uint32Array,
  matches: Matcher,
  reader: ReleaseReader,
): Promise<Uint32Array> {
  const { member } = filterFields[field];
  if (member === undefined) throw new Error(`the values of ${field} have one spelling each`);
  const found: number[] = [];
  for (let start = 0; start < ranks.length; start += PLACES_AT_ONCE) {
    await giveWayIfSliceOver();
    const some = ranks.subarray(start, start + PLACES_AT_ONCE);
    const items = await readLookups(reader, getPlaceKind(reader), some);
    some.forEach((rank, index) => {
      if (matches(String(items[index]?.[member]))) found.push(rank);
    });
  }
  return Uint32Array.from(found);
}
