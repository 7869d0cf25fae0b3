// The places of a release whose text meets a test of a condition: by the values of the places' columns, and where only
// some spellings of a value meet it, by the texts of the places themselves.

import type { TextMember, TextTest } from '../query/condition';
import type { FilterField } from '../query/filter-terms';
import { dataSetLayouts } from '../records/data-sets';
import type { Item } from '../records/record-references';
import { AllRecords, ListedRecords, NO_RECORDS, union, type RecordSet } from '../search/index/record-set';
import { placeColumnsOf, placeNamesOf, placeRecordsOf } from '../search/release/release-columns';
import { lookupRange, vocabularyOf } from '../search/release/release-index';
import type { SearchCaches } from '../search/release/search-caches';
import { textMatcher } from '../search/conditions/text-matcher';
import { currentDeadline } from '../store/deadline';
import { listText } from '../store/fragments';
import type { ReleaseReader } from '../store/port';
import { foldText } from '../values/text';
import { NO_VALUE, placesMarked } from './place-filters';

interface Searched {
  readonly reader: ReleaseReader;
  readonly caches: SearchCaches;
}

type Matches = (value: string) => boolean;

/** The members of places whose values have several spellings. */
const SPELLED: Readonly<Partial<Record<FilterField, string>>> = {
  siteType: 'SiteTypeCV',
  podOrPou: 'PODorPOUSite',
  county: 'County',
  huc8: 'HUC8',
  huc12: 'HUC12',
  reportingUnitType: 'ReportingUnitTypeCV',
};

/** Texts of places that are read at once: some megabytes. */
const PLACES_AT_ONCE = 4096;

/** The member is one of places. */
export async function placesWithText(member: TextMember, test: TextTest, searched: Searched): Promise<RecordSet> {
  const { organization } = searched.reader.facts;
  const matchesText = textMatcher(test);
  const matches: Matches = (value) => matchesText(test.isFolded ? foldText(value) : value);
  if (member.kind !== 'field') return allIf(matches(organization.OrganizationUUID), searched);
  const { field } = member;
  if (field === 'site' || field === 'reportingUnit') {
    const names = await placeNamesOf(searched.reader, searched.caches);
    return new ListedRecords(Uint32Array.from(names.keys()).filter((rank) => matches(names[rank] ?? '')));
  }
  // D10: an organization's state finds all that it submitted.
  if (field === 'state' && matches(organization.OrganizationState)) return allIf(true, searched);
  return placesWithValue(field, matches, searched);
}

/** The places that have any value of the member. */
export async function placesWithAnyText(member: TextMember, searched: Searched): Promise<RecordSet> {
  const { reader, caches } = searched;
  if (member.kind !== 'field' || ['site', 'reportingUnit', 'state'].includes(member.field))
    return allIf(true, searched);
  const { field } = member;
  const values = (await vocabularyOf(reader, caches))[field] ?? [];
  const isThere = new Uint8Array(values.length + 1).fill(1);
  isThere[NO_VALUE] = 0;
  return placesMarked((await placeColumnsOf(reader, caches)).values[field] ?? [], isThere);
}

async function allIf(isMet: boolean, { reader, caches }: Searched): Promise<RecordSet> {
  const { length } = await placeRecordsOf(reader, caches);
  return isMet ? new AllRecords(length) : NO_RECORDS;
}

async function placesWithValue(field: FilterField, matches: Matches, searched: Searched): Promise<RecordSet> {
  const { reader, caches } = searched;
  const values = (await vocabularyOf(reader, caches))[field] ?? [];
  const column = (await placeColumnsOf(reader, caches)).values[field] ?? [];
  const isMet = new Uint8Array(values.length + 1);
  const isUnsure = new Uint8Array(values.length + 1);
  values.forEach(([value, , others = []], index) => {
    const spellings = [value, ...others];
    const matching = spellings.filter(matches).length;
    isMet[index + 1] = Number(matching === spellings.length);
    isUnsure[index + 1] = Number(matching > 0 && matching < spellings.length);
  });
  const met = placesMarked(column, isMet);
  if (!isUnsure.includes(1)) return met;
  const unsure = placesMarked(column, isUnsure).numbers();
  return union([met, new ListedRecords(Uint32Array.from(await ranksSpelled(field, unsure, matches, reader)))]);
}

async function ranksSpelled(
  field: FilterField,
  ranks: Uint32Array,
  matches: Matches,
  reader: ReleaseReader,
): Promise<readonly number[]> {
  const member = SPELLED[field];
  if (member === undefined) throw new Error(`the values of ${field} have one spelling each`);
  const [first] = lookupRange(reader, dataSetLayouts[reader.facts.dataSet].placeKind);
  const deadline = currentDeadline();
  const found: number[] = [];
  for (let start = 0; start < ranks.length; start += PLACES_AT_ONCE) {
    deadline.check();
    if (deadline.isSliceOver()) await deadline.giveWay();
    const some = ranks.subarray(start, start + PLACES_AT_ONCE);
    const texts = await reader.lookups(some.map((rank) => first + rank));
    const items = JSON.parse(listText(texts)) as readonly Item[]; // The loader wrote objects.
    some.forEach((rank, index) => {
      if (matches(String(items[index]?.[member]))) found.push(rank);
    });
  }
  return found;
}
