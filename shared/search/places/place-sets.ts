// Finds the places of a release by their own attributes (D42): by a text, by a boundary, or by whether they have
// records. Texts are matched through the columns of places. If only some spellings of a value pass a test, the texts of
// the places are read. Reads no records.

import type { Boundary, TextMember, TextTest } from '../../query/condition';
import { type FilterField, filterFields, isPlaceIdentifier, PLACE_FIELDS } from '../../query/filter-fields';
import { toFilterTerm } from '../../query/filter-terms';
import { lookupIdentifiers } from '../../records/lookups';
import { giveWayIfSliceOver } from '../../store/deadline';
import type { ReleaseReader } from '../../store/port';
import { BitSet, markCodes } from '../../values/bytes/bit-set';
import { numberAt } from '../../values/number-arrays';
import { findNumbersWithHash, hashTerm } from '../index/hash-entries';
import { AllRecords, ListedRecords, NO_RECORDS, type RecordSet, toRecordSet, union } from '../index/record-set';
import {
  loadPlaceColumns,
  loadPlaceHashes,
  loadPlaceIdentifiers,
  loadPlaceRecordCounts,
  loadVocabulary,
} from '../index/release-index';
import { countPlaces, getPlaceKind, readLookups } from '../index/release-lookups';
import type { SearchableRelease } from '../index/search-caches';
import { visitPlacesInBoundary } from '../records-in-boundary';
import { createTextMatcher, type Matcher, matchTexts, matchValues } from '../text-matcher';

/** Number of places whose texts are read at once (a few megabytes). */
const PLACES_AT_ONCE = 4096;

/** Finds the places that records refer to. */
export async function findPlacesWithRecords(release: SearchableRelease): Promise<RecordSet> {
  const records = await loadPlaceRecordCounts(release);
  if (records.every((count) => count > 0)) return new AllRecords(records.length);
  const withRecords = new BitSet(records.length);
  for (let rank = 0; rank < records.length; rank++) {
    if (records[rank] !== 0) withRecords.add(rank);
  }
  return toRecordSet(withRecords);
}

/** Finds the places that match the boundary (D15). */
export async function findPlacesInBoundary(boundary: Boundary, release: SearchableRelease): Promise<RecordSet> {
  const matches = new BitSet(countPlaces(release));
  await visitPlacesInBoundary(release, boundary, ({ ranks }, index) => {
    matches.add(numberAt(ranks, index));
  });
  return toRecordSet(matches);
}

/** Finds the places with one of the filter terms. The field must be a field of places. */
export async function findPlacesWithTerms(
  field: FilterField,
  terms: readonly string[],
  release: SearchableRelease,
): Promise<RecordSet> {
  if (isPlaceIdentifier(field)) return findPlacesByIdentifier(terms, release);
  const termSet = new Set(terms);
  return findPlacesWithValue(field, (value) => termSet.has(toFilterTerm(field, value)), release);
}

/** Finds the places whose text passes the test. The member must be a member of places. */
export async function findPlacesWithText(
  member: TextMember,
  test: TextTest,
  release: SearchableRelease,
): Promise<RecordSet> {
  const matches = createTextMatcher(test);
  if (member.kind !== 'field') return allPlacesIf(matches(release.reader.facts.organization.OrganizationUUID), release);
  if (!isPlaceIdentifier(member.field)) return findPlacesWithValue(member.field, matches, release);
  const isMatch = await matchTexts(await loadPlaceIdentifiers(release), matches);
  return new ListedRecords(Uint32Array.from(isMatch.keys()).filter((rank) => isMatch[rank] === 1));
}

/** Finds the places that have any value of the member. */
export async function findPlacesWithAnyText(member: TextMember, release: SearchableRelease): Promise<RecordSet> {
  if (member.kind !== 'field' || isPlaceIdentifier(member.field) || member.field === 'state')
    return allPlacesIf(true, release);
  return findPlacesWithValue(member.field, () => true, release);
}

async function allPlacesIf(isMatch: boolean, release: SearchableRelease): Promise<RecordSet> {
  const { length } = await loadPlaceRecordCounts(release);
  return isMatch ? new AllRecords(length) : NO_RECORDS;
}

/** Finds the places with one of the identifiers, which are filter terms. Only places with the same hashes are read. */
export async function findPlacesByIdentifier(terms: readonly string[], release: SearchableRelease): Promise<RecordSet> {
  const { reader } = release;
  const hashes = await loadPlaceHashes(release);
  const candidateRanks = terms.flatMap((term) => findNumbersWithHash(hashes, hashTerm(term)));
  const candidates = Uint32Array.from(new Set(candidateRanks)).sort();
  const placeKind = getPlaceKind(reader);
  const items = await readLookups(reader, placeKind, candidates);
  const termSet = new Set(terms);
  const isMatch = items.map((item) => {
    const identifier = String(item[lookupIdentifiers[placeKind]]);
    return termSet.has(toFilterTerm(PLACE_FIELDS[placeKind], identifier));
  });
  return new ListedRecords(candidates.filter((_, index) => isMatch[index] === true));
}

async function findPlacesWithValue(
  field: FilterField,
  matches: Matcher,
  release: SearchableRelease,
): Promise<RecordSet> {
  const { organization } = release.reader.facts;
  // A filter by the state of an organization matches everything that the organization submitted (D10).
  if (field === 'state' && matches(organization.OrganizationState)) return allPlacesIf(true, release);
  const { [field]: column = [] } = (await loadPlaceColumns(release)).values;
  const { full, partial } = await matchValues((await loadVocabulary(release))[field] ?? [], matches);
  const certain = findMarkedPlaces(column, full);
  if (!partial.includes(1)) return certain;
  const uncertain = findMarkedPlaces(column, partial).slice();
  return union([certain, new ListedRecords(await filterByPlaceText(field, uncertain, matches, release.reader))]);
}

/** Finds the places whose code in the column is marked with 1 in `isMarked`. */
function findMarkedPlaces(column: ArrayLike<number>, isMarked: Uint8Array): RecordSet {
  const places = new BitSet(column.length);
  markCodes(column, isMarked, places, 0);
  return toRecordSet(places);
}

/** Reads the places to see how they spell the value of the field. */
async function filterByPlaceText(
  field: FilterField,
  ranks: Uint32Array,
  matches: Matcher,
  reader: ReleaseReader,
): Promise<Uint32Array> {
  const { member } = filterFields[field];
  if (member === undefined) throw new Error(`the values of ${field} have one spelling each`);
  const matchingRanks: number[] = [];
  for (let start = 0; start < ranks.length; start += PLACES_AT_ONCE) {
    await giveWayIfSliceOver();
    const batch = ranks.subarray(start, start + PLACES_AT_ONCE);
    const items = await readLookups(reader, getPlaceKind(reader), batch);
    const isMatch = await matchTexts(
      items.map((item) => String(item[member])),
      matches,
    );
    matchingRanks.push(...batch.filter((_, index) => isMatch[index] === 1));
  }
  return Uint32Array.from(matchingRanks);
}
