// The records of a release that have a text which meets a test (D47): by the posting lists of the values that meet it,
// or, where these are many, by the codes of a column. Tests are made of the values, never of records.
//
// Which records have a text that meets a test, where the index knows it folded alone or not as a text: the identifiers
// and the owner of rights (ADR 0075). Their texts are read from the records, as few as can be, and stay in memory.

import type { TextMember, TextTest } from '../query/condition';
import { toFilterTerm, toPresenceTerm, toSpellingTerm } from '../query/filter-terms';
import { type FilterField, filterFields, isPlaceIdentifier } from '../query/filter-fields';
import { CHUNK_RECORDS } from '../store/artifacts';
import { giveWayIfSliceOver } from '../store/deadline';
import { toListText, type ReleaseReader } from '../store/port';
import { BitSet, markCodes } from '../values/bytes/bit-set';
import { findFirstNotBelow, numberAt } from '../values/numbers';
import { findRecordsOfOwners } from './index/owner-index';
import { AllRecords, ListedRecords, toRecordSet, NO_RECORDS, type RecordSet, union } from './index/record-set';
import {
  loadCodeChunk,
  loadFieldCodes,
  loadOwnerIndex,
  loadPlaceIdentifiers,
  loadPostings,
  loadFieldValues,
  visitOrdinals,
  loadVocabulary,
} from './index/release-index';
import type { SearchableRelease } from './index/search-caches';
import { createFoldedMatcher, matchValues, listSpellings, createTextMatcher } from './text-matcher';

const OWNER = 'AllocationOwner';

/** Beyond so many posting lists one pass over a column takes less time. */
const MAX_POSTINGS = 48;

export async function findRecordsWithText(
  member: TextMember,
  test: TextTest,
  searched: SearchableRelease,
): Promise<RecordSet> {
  const { reader } = searched;
  const { records, organization } = reader.facts;
  switch (member.kind) {
    case 'organization': {
      return createTextMatcher(test)(organization.OrganizationUUID) ? new AllRecords(records) : NO_RECORDS;
    }
    case 'owner': {
      if (!test.isFolded && test.kind !== 'one of') {
        return filterByText(await findRecordsWithAnyText(member, searched), OWNER, test, searched);
      }
      // Texts that are spelled alike are folded alike.
      const matches = createFoldedMatcher({ ...test, isFolded: true });
      const found = await findRecordsOfOwners(await loadOwnerIndex(searched), matches, records);
      return test.isFolded || test.kind !== 'one of' ? found : filterBySpelling(found, OWNER, test.values, reader);
    }
    case 'field':
      return findRecordsWithFieldText(member.field, test, searched);
  }
}

/** The records that have any value of the member. */
export async function findRecordsWithAnyText(member: TextMember, searched: SearchableRelease): Promise<RecordSet> {
  const { records } = searched.reader.facts;
  switch (member.kind) {
    case 'organization':
      return new AllRecords(records);
    case 'owner':
      return findRecordsOfOwners(await loadOwnerIndex(searched), () => true, records);
    case 'field':
      // Every record has the state of its organization.
      if (member.field === 'state') return new AllRecords(records);
      if (getIdentifierMember(member.field) !== undefined)
        return findRecordsWithTerms([toPresenceTerm(member.field)], searched);
      // A field of which no record has a value has no column either.
      if ((await loadFieldValues(member.field, searched)).length === 0) return NO_RECORDS;
      return findRecordsWithOrdinals(member.field, () => true, searched);
  }
}

/** The member of records that has identifiers of the field: they have posting lists and no vocabulary. */
function getIdentifierMember(field: FilterField): string | undefined {
  const { valueKind: values, member } = filterFields[field];
  return values === 'recordIdentifier' ? member : undefined;
}

async function findRecordsWithFieldText(
  field: FilterField,
  test: TextTest,
  searched: SearchableRelease,
): Promise<RecordSet> {
  const { reader } = searched;
  const identifier = getIdentifierMember(field);
  const isOfPlace = isPlaceIdentifier(field);
  if (test.kind === 'one of' && (identifier !== undefined || (isOfPlace && test.isFolded))) {
    const terms = test.values.map((value) => toFilterTerm(field, value));
    const found = await findRecordsWithTerms(terms, searched);
    return identifier === undefined || test.isFolded ? found : filterBySpelling(found, identifier, test.values, reader);
  }
  if (identifier !== undefined) {
    return filterByText(await findRecordsWithTerms([toPresenceTerm(field)], searched), identifier, test, searched);
  }
  const matches = createTextMatcher(test);
  if (isOfPlace) {
    const names = await loadPlaceIdentifiers(searched);
    return findRecordsWithOrdinals(field, (ordinal) => matches(names[ordinal - 1] ?? ''), searched);
  }
  const values = (await loadVocabulary(searched))[field] ?? [];
  const { full: wholes, partial: parts } = matchValues(values, matches);
  const terms = values.flatMap(([value], index) => (wholes[index + 1] === 1 ? [toFilterTerm(field, value)] : []));
  const spellings = values.flatMap((value, index) =>
    parts[index + 1] === 1 ? listSpellings(value).filter(matches) : [],
  );
  const ofSpellings = spellings.map((spelling) => toSpellingTerm(field, spelling));
  // The filter by state finds by two things, of which only posting lists know both; it has some fifty values.
  if (terms.length <= MAX_POSTINGS || field === 'state')
    return findRecordsWithTerms([...terms, ...ofSpellings], searched);
  const found = await findRecordsWithOrdinals(field, (ordinal) => wholes[ordinal] === 1, searched);
  return union([found, await findRecordsWithTerms(ofSpellings, searched)]);
}

export async function findRecordsWithTerms(terms: readonly string[], searched: SearchableRelease): Promise<RecordSet> {
  const [found = []] = await loadPostings(searched, [terms]);
  return union(found);
}

/** Ordinal 0 stands for no value, and is never asked about. */
async function findRecordsWithOrdinals(
  field: FilterField,
  isWanted: (ordinal: number) => boolean,
  searched: SearchableRelease,
): Promise<RecordSet> {
  const ofField = await loadFieldCodes(field, searched);
  const codes = new Uint8Array(ofField.ordinals.length + ofField.lists.length);
  visitOrdinals(ofField, (code, ordinal) => {
    if (ordinal !== 0 && isWanted(ordinal)) codes[code] = 1;
  });
  const { records } = searched.reader.facts;
  const found = new BitSet(records);
  for (let first = 0; first < records; first += CHUNK_RECORDS) {
    await giveWayIfSliceOver();
    markCodes(await loadCodeChunk(searched, ofField.column, first / CHUNK_RECORDS), codes, found, first);
  }
  return toRecordSet(found);
}

/** So many records have some megabytes. */
const RECORDS_AT_ONCE = 2048;

/** What a text in memory takes beside its characters, about. */
const TEXT_OBJECT_BYTES = 24;

/** The texts of a member of some neighbouring records; null where one has none. */
type MemberTexts = readonly (string | null)[];

/** Those of the candidates whose member is one of the texts; none but the candidates is read. */
async function filterBySpelling(
  candidates: RecordSet,
  member: string,
  texts: readonly string[],
  reader: ReleaseReader,
): Promise<RecordSet> {
  const wanted = new Set<string | null>(texts);
  const found: number[] = [];
  for (let from = 0; from < candidates.size; from += RECORDS_AT_ONCE) {
    await giveWayIfSliceOver();
    const numbers = candidates.slice(from, from + RECORDS_AT_ONCE);
    const read = await readMemberTexts(numbers, member, reader);
    for (let at = 0; at < read.length; at++) if (wanted.has(read[at] ?? null)) found.push(numberAt(numbers, at));
  }
  return new ListedRecords(Uint32Array.from(found));
}

/**
 * Those of the candidates, which have the member, whose text meets the test. The first test of a member reads the
 * records of a release once. Throws DeadlinePassedError; what was read until then is not read again.
 */
async function filterByText(
  candidates: RecordSet,
  member: string,
  test: TextTest,
  { reader, caches }: SearchableRelease,
): Promise<RecordSet> {
  const numbers = candidates.slice();
  const matches = createTextMatcher(test);
  const found: number[] = [];
  for (let at = 0; at < numbers.length;) {
    await giveWayIfSliceOver();
    const chunk = Math.floor(numberAt(numbers, at) / RECORDS_AT_ONCE);
    const first = chunk * RECORDS_AT_ONCE;
    const end = findFirstNotBelow(numbers, first + RECORDS_AT_ONCE, at);
    const texts = await loadChunkTexts(chunk, member, { reader, caches });
    for (; at < end; at++) {
      const record = numberAt(numbers, at);
      const text = texts[record - first] ?? null;
      if (text !== null && matches(text)) found.push(record);
    }
  }
  return new ListedRecords(Uint32Array.from(found));
}

async function loadChunkTexts(
  chunk: number,
  member: string,
  { reader, caches }: SearchableRelease,
): Promise<MemberTexts> {
  const first = chunk * RECORDS_AT_ONCE;
  const end = Math.min(first + RECORDS_AT_ONCE, reader.facts.records);
  return caches.getCache<MemberTexts>('memberTexts').getOrCompute(
    `${reader.facts.releaseId}/${member}/${chunk}`,
    () => readMemberTexts(new AllRecords(end).slice(first, end), member, reader),
    (texts) => texts.reduce((sum, text) => sum + TEXT_OBJECT_BYTES + 2 * (text?.length ?? 0), 0),
  );
}

/** `member` is a text of the record itself, which no object inside of it has. */
async function readMemberTexts(numbers: Uint32Array, member: string, reader: ReleaseReader): Promise<MemberTexts> {
  // Parsing whole records takes many times as long. No value has the name inside: there, its quotes are escaped.
  const found = new RegExp(`"${member}":(?:null|("[^"\\\\]*(?:\\\\.[^"\\\\]*)*"))`, 'g');
  const records = toListText(await reader.texts('records', numbers));
  return Array.from(records.matchAll(found), ([, json]) => (json === undefined ? null : parseJsonText(json)));
}

function parseJsonText(json: string): string {
  return json.includes('\\') ? (JSON.parse(json) as string) : json.slice(1, -1); // The loader wrote a text.
}
