// The records of a release that have a text which meets a test (D47): by the posting lists of the values that meet it,
// or, where these are many, by the codes of a column. Tests are made of the values, never of records.

import type { TextMember, TextTest } from '../query/condition';
import {
  filterFields,
  filterTerm,
  presenceTerm,
  spellingTerm,
  type FilterField,
  type VocabularyValue,
} from '../query/text-filters';
import { CHUNK_RECORDS } from '../store/artifacts';
import { giveWayInTurn } from '../store/deadline';
import { BitSet, markCodes } from '../values/bytes/bit-set';
import { foldText } from '../values/text';
import { chunkOfCodes, codesOfField, type FieldCodes } from './index/field-codes';
import { recordsOfMatchingOwners, recordsOfOwners } from './index/owner-index';
import { AllRecords, markedRecords, NO_RECORDS, union, type RecordSet } from './index/record-set';
import { placeCodesOf, placeNamesOf, ownersOf, postingsOf, vocabularyOf } from './index/release-index';
import type { Searched } from './index/search-caches';
import { recordsSpelled, recordsTested } from './texts-of-records';
import { foldedMatcher, textMatcher } from './text-matcher';

const OWNER = 'AllocationOwner';

/** Beyond so many posting lists one pass over a column takes less time. */
const MOST_POSTINGS = 48;

export async function recordsWithText(member: TextMember, test: TextTest, searched: Searched): Promise<RecordSet> {
  const { reader } = searched;
  const { records, organization } = reader.facts;
  switch (member.kind) {
    case 'organization': {
      return textMatcher(test)(organization.OrganizationUUID) ? new AllRecords(records) : NO_RECORDS;
    }
    case 'owner': {
      if (test.kind === 'contains' && test.isFolded) {
        return recordsOfOwners(await ownersOf(searched), test.values.map(foldText), records);
      }
      if (!test.isFolded && test.kind !== 'one of') {
        return recordsTested(await recordsWithAnyText(member, searched), OWNER, test, searched);
      }
      // Texts that are spelled alike are folded alike.
      const found = recordsOfMatchingOwners(
        await ownersOf(searched),
        foldedMatcher({ ...test, isFolded: true }),
        records,
      );
      return test.isFolded || test.kind !== 'one of' ? found : recordsSpelled(found, OWNER, test.values, reader);
    }
    case 'field':
      return recordsWithField(member.field, test, searched);
  }
}

/** The records that have any value of the member. */
export async function recordsWithAnyText(member: TextMember, searched: Searched): Promise<RecordSet> {
  const { records } = searched.reader.facts;
  switch (member.kind) {
    case 'organization':
      return new AllRecords(records);
    case 'owner':
      return recordsOfMatchingOwners(await ownersOf(searched), () => true, records);
    case 'field':
      // Every record has the state of its organization.
      if (member.field === 'state') return new AllRecords(records);
      if (identifierMember(member.field) !== undefined) return recordsWithTerms([presenceTerm(member.field)], searched);
      if (filterFields[member.field].values === 'placeIdentifier') return recordsOfPlaces(() => true, searched);
      // A field of which no record has a value has no column either.
      if ((await vocabularyOf(searched))[member.field] === undefined) return NO_RECORDS;
      return recordsOfOrdinals(await codesOfField(member.field, searched), () => true, searched);
  }
}

/** The member of records that has identifiers of the field: they have posting lists and no vocabulary. */
function identifierMember(field: FilterField): string | undefined {
  const { values, member } = filterFields[field];
  return values === 'recordIdentifier' ? member : undefined;
}

async function recordsWithField(field: FilterField, test: TextTest, searched: Searched): Promise<RecordSet> {
  const { reader } = searched;
  const identifier = identifierMember(field);
  const isOfPlace = filterFields[field].values === 'placeIdentifier';
  if (test.kind === 'one of' && (identifier !== undefined || (isOfPlace && test.isFolded))) {
    const terms = test.values.map((value) => filterTerm(field, value));
    const found = await recordsWithTerms(terms, searched);
    return identifier === undefined || test.isFolded ? found : recordsSpelled(found, identifier, test.values, reader);
  }
  if (identifier !== undefined) {
    return recordsTested(await recordsWithTerms([presenceTerm(field)], searched), identifier, test, searched);
  }
  const matches = textMatcher(test);
  if (isOfPlace) return recordsOfPlaces(matches, searched);
  const values = (await vocabularyOf(searched))[field] ?? [];
  const { wholes, spellings, isWhole } = chooseValues(field, values, matches);
  // The filter by state finds by two things, of which only posting lists know both; it has some fifty values.
  if (wholes.length <= MOST_POSTINGS || field === 'state') return recordsWithTerms([...wholes, ...spellings], searched);
  const codes = await codesOfField(field, searched);
  const found = await recordsOfOrdinals(codes, (ordinal) => isWhole[ordinal - 1] === 1, searched);
  return union([found, await recordsWithTerms(spellings, searched)]);
}

interface ChosenValues {
  /** Terms of the values of which every spelling matches, and 1 for each at its place in the vocabulary. */
  readonly wholes: readonly string[];
  readonly isWhole: Uint8Array;
  /** Terms of the spellings that match while others of their value do not. */
  readonly spellings: readonly string[];
}

function chooseValues(
  field: FilterField,
  values: readonly VocabularyValue[],
  matches: (value: string) => boolean,
): ChosenValues {
  const wholes: string[] = [];
  const spellings: string[] = [];
  const isWhole = new Uint8Array(values.length);
  values.forEach(([value, , others = []], index) => {
    const all = [value, ...others];
    const matching = all.filter(matches);
    if (matching.length < all.length) {
      spellings.push(...matching.map((spelling) => spellingTerm(field, spelling)));
    } else {
      isWhole[index] = 1;
      wholes.push(filterTerm(field, value));
    }
  });
  return { wholes, spellings, isWhole };
}

export async function recordsWithTerms(terms: readonly string[], searched: Searched): Promise<RecordSet> {
  const [found = []] = await postingsOf(searched, [terms]);
  return union(found);
}

/** Ordinal 0 stands for no value, and is never asked about. */
async function recordsOfOrdinals(
  { column, ordinals, lists, ordinalsOfItems }: FieldCodes,
  isWanted: (ordinal: number) => boolean,
  searched: Searched,
): Promise<RecordSet> {
  const isTaken = (ordinal: number): boolean => ordinal !== 0 && isWanted(ordinal);
  const codes = new Uint8Array(ordinals.length + lists.length);
  for (let code = 0; code < ordinals.length; code++) codes[code] = isTaken(ordinals[code] ?? 0) ? 1 : 0;
  lists.forEach((list, index) => {
    codes[ordinals.length + index] = list.some((item) => isTaken(ordinalsOfItems[item] ?? 0)) ? 1 : 0;
  });
  const { records } = searched.reader.facts;
  const found = new BitSet(records);
  for (let first = 0; first < records; first += CHUNK_RECORDS) {
    await giveWayInTurn();
    markCodes(await chunkOfCodes(searched, column, first / CHUNK_RECORDS), codes, found, first);
  }
  return markedRecords(found);
}

async function recordsOfPlaces(matches: (name: string) => boolean, searched: Searched): Promise<RecordSet> {
  const names = await placeNamesOf(searched);
  const { sets } = await placeCodesOf(searched);
  const ordinals = Uint32Array.from({ length: names.length + 1 }, (_, code) => code);
  return recordsOfOrdinals(
    { column: 'place', ordinals, lists: sets, ordinalsOfItems: ordinals.subarray(1) },
    (ordinal) => matches(names[ordinal - 1] ?? ''),
    searched,
  );
}
