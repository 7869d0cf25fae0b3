// Finds the records with a text that passes a test (D47): by the posting lists of the values that pass it or, if there
// are many, by a scan of a column of codes. Tests distinct values rather than records. If the index has a text only in
// folded form, or not at all, the texts of records are read (member-texts.ts, ADR 0075).

import type { TextMember, TextTest } from '../query/condition';
import { type FilterField, filterFields, hasOnlyPostings, isPlaceIdentifier } from '../query/filter-fields';
import { toFilterTerm, toPresenceTerm, toSpellingTerm } from '../query/filter-terms';
import { type VocabularyValue } from '../query/vocabulary';
import { CHUNK_RECORDS } from '../store/artifacts';
import { giveWayIfSliceOver } from '../store/deadline';
import { BitSet, markCodes } from '../values/bytes/bit-set';
import { loadCodeChunk, loadFieldCodes, loadFieldValues, visitOrdinals } from './index/field-codes';
import { findRecordsOfOwners } from './index/owner-index';
import { AllRecords, NO_RECORDS, type RecordSet, toRecordSet, union } from './index/record-set';
import { loadOwnerIndex, loadPlaceIdentifiers, loadPostings, loadVocabulary } from './index/release-index';
import type { SearchableRelease } from './index/search-caches';
import { filterBySpelling, filterByText } from './member-texts';
import {
  createFoldedMatcher,
  createTextMatcher,
  listSpellings,
  type Matcher,
  matchTexts,
  matchValues,
} from './text-matcher';

const OWNER_MEMBER = 'AllocationOwner';

/** Above this number of posting lists, one pass over a column is faster. */
const MAX_POSTINGS = 48;

export async function findRecordsWithText(
  member: TextMember,
  test: TextTest,
  release: SearchableRelease,
): Promise<RecordSet> {
  switch (member.kind) {
    case 'organization': {
      const { records, organization } = release.reader.facts;
      return createTextMatcher(test)(organization.OrganizationUUID) ? new AllRecords(records) : NO_RECORDS;
    }
    case 'owner':
      return findRecordsWithOwner(test, release);
    case 'field':
      return findRecordsWithFieldText(member.field, test, release);
  }
}

/** Finds the records that have any value of the member. */
export async function findRecordsWithAnyText(member: TextMember, release: SearchableRelease): Promise<RecordSet> {
  const { records } = release.reader.facts;
  switch (member.kind) {
    case 'organization':
      return new AllRecords(records);
    case 'owner':
      return findRecordsOfOwners(await loadOwnerIndex(release), () => true, records);
    case 'field':
      // Every record has the state of its organization.
      if (member.field === 'state') return new AllRecords(records);
      if (getIdentifierMember(member.field) !== undefined) {
        return findRecordsWithTerms([toPresenceTerm(member.field)], release);
      }
      return findRecordsWithAnyValue(member.field, release);
  }
}

async function findRecordsWithAnyValue(field: FilterField, release: SearchableRelease): Promise<RecordSet> {
  const values = await loadFieldValues(field, release);
  // A field without values has no column.
  if (values.length === 0) return NO_RECORDS;
  if (hasOnlyPostings(field)) return findRecordsWithTerms(toTerms(field, values), release);
  return findRecordsWithOrdinals(field, () => true, release);
}

export async function findRecordsWithTerms(terms: readonly string[], release: SearchableRelease): Promise<RecordSet> {
  const [sets = []] = await loadPostings(release, [terms]);
  return union(sets);
}

/** The index contains owners only in folded form. */
async function findRecordsWithOwner(test: TextTest, release: SearchableRelease): Promise<RecordSet> {
  const { reader } = release;
  if (!test.isFolded && test.kind !== 'one of') {
    const withOwner = await findRecordsWithAnyText({ kind: 'owner' }, release);
    return filterByText(withOwner, OWNER_MEMBER, test, release);
  }
  // Texts with the same spelling fold to the same text.
  const matches = createFoldedMatcher({ ...test, isFolded: true });
  const candidates = await findRecordsOfOwners(await loadOwnerIndex(release), matches, reader.facts.records);
  if (test.isFolded || test.kind !== 'one of') return candidates;
  return filterBySpelling(candidates, OWNER_MEMBER, test.values, reader);
}

/**
 * Returns the member of records that contains the identifiers of the field. Identifiers have posting lists but no
 * vocabulary.
 */
function getIdentifierMember(field: FilterField): string | undefined {
  const { valueKind, member } = filterFields[field];
  return valueKind === 'recordIdentifier' ? member : undefined;
}

async function findRecordsWithFieldText(
  field: FilterField,
  test: TextTest,
  release: SearchableRelease,
): Promise<RecordSet> {
  const identifierMember = getIdentifierMember(field);
  if (identifierMember !== undefined) return findRecordsWithIdentifier(field, identifierMember, test, release);
  const matches = createTextMatcher(test);
  if (isPlaceIdentifier(field)) {
    if (test.kind === 'one of' && test.isFolded) return findRecordsWithTerms(toTerms(field, test.values), release);
    const isMatch = await matchTexts(await loadPlaceIdentifiers(release), matches);
    return findRecordsWithOrdinals(field, (ordinal) => isMatch[ordinal - 1] === 1, release);
  }
  const values = (await loadVocabulary(release))[field] ?? [];
  return findRecordsWithValues(field, values, matches, release);
}

/** The index contains identifiers only in folded form. */
async function findRecordsWithIdentifier(
  field: FilterField,
  member: string,
  test: TextTest,
  release: SearchableRelease,
): Promise<RecordSet> {
  if (test.kind !== 'one of') {
    const candidates = await findRecordsWithTerms([toPresenceTerm(field)], release);
    return filterByText(candidates, member, test, release);
  }
  const candidates = await findRecordsWithTerms(toTerms(field, test.values), release);
  return test.isFolded ? candidates : filterBySpelling(candidates, member, test.values, release.reader);
}

function toTerms(field: FilterField, values: readonly string[]): readonly string[] {
  return values.map((value) => toFilterTerm(field, value));
}

/**
 * A value whose spellings all match uses its own posting list; other values use the posting lists of their matching
 * spellings.
 */
async function findRecordsWithValues(
  field: FilterField,
  values: readonly VocabularyValue[],
  matches: Matcher,
  release: SearchableRelease,
): Promise<RecordSet> {
  const { full, partial } = await matchValues(values, matches);
  const terms: string[] = [];
  const spellingTerms: string[] = [];
  values.forEach((value, index) => {
    const ordinal = index + 1;
    if (full[ordinal] === 1) terms.push(toFilterTerm(field, value[0]));
    if (partial[ordinal] !== 1) return;
    for (const spelling of listSpellings(value).filter(matches)) spellingTerms.push(toSpellingTerm(field, spelling));
  });
  if (terms.length <= MAX_POSTINGS || hasOnlyPostings(field)) {
    return findRecordsWithTerms([...terms, ...spellingTerms], release);
  }
  const records = await findRecordsWithOrdinals(field, (ordinal) => full[ordinal] === 1, release);
  return union([records, await findRecordsWithTerms(spellingTerms, release)]);
}

/** `isMatch` is not called for ordinal 0, which means no value. */
async function findRecordsWithOrdinals(
  field: FilterField,
  isMatch: (ordinal: number) => boolean,
  release: SearchableRelease,
): Promise<RecordSet> {
  const fieldCodes = await loadFieldCodes(field, release);
  const isMatchingCode = new Uint8Array(fieldCodes.ordinals.length + fieldCodes.lists.length);
  visitOrdinals(fieldCodes, (code, ordinal) => {
    if (ordinal !== 0 && isMatch(ordinal)) isMatchingCode[code] = 1;
  });
  const { records } = release.reader.facts;
  const matches = new BitSet(records);
  for (let first = 0; first < records; first += CHUNK_RECORDS) {
    await giveWayIfSliceOver();
    const codes = await loadCodeChunk(release, fieldCodes.column, first / CHUNK_RECORDS);
    markCodes(codes, isMatchingCode, matches, first);
  }
  return toRecordSet(matches);
}
