// The places of a release whose text meets a test of a condition: by the values of the places' columns, and where only
// some spellings of a value meet it, by the texts of the places themselves.

import type { TextMember, TextTest } from '../query/condition';
import type { FilterField } from '../query/filter-terms';
import { dataSetLayouts } from '../records/data-sets';
import type { Item } from '../records/record-references';
import { AllRecords } from '../search/index/record-set';
import { placeColumnsOf, placeNamesOf, placeRecordsOf } from '../search/release-columns';
import { lookupRange, vocabularyOf } from '../search/release-index';
import type { SearchCaches } from '../search/search-caches';
import { textMatcher } from '../search/text-matcher';
import { currentDeadline } from '../store/deadline';
import { listText } from '../store/fragments';
import type { ReleaseReader } from '../store/port';
import { foldText } from '../values/text';

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

/** Ascending. The member is one of places. */
export async function ranksWithText(member: TextMember, test: TextTest, searched: Searched): Promise<Uint32Array> {
  const { organization } = searched.reader.facts;
  const matchesText = textMatcher(test);
  const matches: Matches = (value) => matchesText(test.isFolded ? foldText(value) : value);
  if (member.kind !== 'field') return allIf(matches(organization.OrganizationUUID), searched);
  const { field } = member;
  if (field === 'site' || field === 'reportingUnit') {
    const names = await placeNamesOf(searched.reader, searched.caches);
    return Uint32Array.from(names.keys()).filter((rank) => matches(names[rank] ?? ''));
  }
  // D10: an organization's state finds all that it submitted.
  if (field === 'state' && matches(organization.OrganizationState)) return allIf(true, searched);
  return ranksWithValue(field, matches, searched);
}

/** The places that have any value of the member, ascending. */
export async function ranksWithAnyText(member: TextMember, searched: Searched): Promise<Uint32Array> {
  const { reader, caches } = searched;
  if (member.kind !== 'field' || ['site', 'reportingUnit', 'state'].includes(member.field))
    return allIf(true, searched);
  const column = (await placeColumnsOf(reader, caches)).values[member.field] ?? [];
  return ranksWhere(column, (ordinal) => ordinal !== 0);
}

async function allIf(isMet: boolean, { reader, caches }: Searched): Promise<Uint32Array> {
  const { length } = await placeRecordsOf(reader, caches);
  return new AllRecords(isMet ? length : 0).numbers();
}

/** How a value of the vocabulary is met. */
const [NOT, BY_EACH_SPELLING, BY_SOME] = [0, 1, 2];

async function ranksWithValue(field: FilterField, matches: Matches, searched: Searched): Promise<Uint32Array> {
  const { reader, caches } = searched;
  const values = (await vocabularyOf(reader, caches))[field] ?? [];
  const column = (await placeColumnsOf(reader, caches)).values[field] ?? [];
  // Ordinal 0 stands for no value.
  const met = Uint8Array.from([NOT, ...values.map(([value, , others = []]) => howMet([value, ...others], matches))]);
  const ranks = ranksWhere(column, (ordinal) => met[ordinal] !== NOT);
  const unsure = ranks.filter((rank) => met[column[rank] ?? 0] === BY_SOME);
  if (unsure.length === 0) return ranks;
  const spelled = new Set(await ranksSpelled(field, unsure, matches, reader));
  return ranks.filter((rank) => met[column[rank] ?? 0] === BY_EACH_SPELLING || spelled.has(rank));
}

function howMet(spellings: readonly string[], matches: Matches): number {
  const matching = spellings.filter(matches).length;
  if (matching === 0) return NOT;
  return matching === spellings.length ? BY_EACH_SPELLING : BY_SOME;
}

function ranksWhere(column: ArrayLike<number>, isWanted: (ordinal: number) => boolean): Uint32Array {
  return new AllRecords(column.length).numbers().filter((rank) => isWanted(column[rank] ?? 0));
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
