// The places of one release that match criteria (D42, D43): first by what the places are, then by what their amounts
// meet. No record is read, and no place.

import type { Condition } from '../query/condition';
import { criteriaKey, type Boundary, type Criteria } from '../query/criteria';
import { fieldOfTerm, FIELDS_OF_PLACES } from '../query/filter-terms';
import { intersection, ListedRecords, NO_RECORDS, type RecordSet } from '../search/index/record-set';
import { placeSeriesOf } from '../search/release/release-columns';
import { periodColumnOf } from '../search/release/release-index';
import type { SearchCaches } from '../search/release/search-caches';
import { canMatch, isEverything, searchRelease, type SearchedRelease } from '../search/search-release';
import type { ReleaseReader } from '../store/port';
import { currentDeadline } from '../store/deadline';
import { conjunctsOf, placesMeeting } from './place-conditions';
import {
  placesInBoundary,
  placesWithRecords,
  placesWithTerms,
  ranksOfIdentifiers,
  rememberedPlaces,
} from './place-filters';
import { ranksWithAmounts } from './series-search';

/** The criteria of places, and those that one amount of the place meets together. */
interface SplitCriteria {
  readonly termsOfPlaces: Criteria['terms'];
  readonly boundary: Boundary | undefined;
  /** What else must be true of a place. */
  readonly conditions: readonly Condition[];
  readonly minimumYears: number | undefined;
  readonly ofAmounts: Criteria;
}

/** Whether the release can have places that match, which shows without a search. */
export async function canHavePlaces(reader: ReleaseReader, criteria: Criteria, caches: SearchCaches): Promise<boolean> {
  return canMeetAmounts(reader, criteria) && canMatch(reader, criteria, caches);
}

/** The ranks of the places, ascending; `key` is criteriaKey(criteria). Throws as a search does. */
export async function searchPlaces(
  release: SearchedRelease,
  criteria: Criteria,
  key: string,
  caches: SearchCaches,
): Promise<Uint32Array> {
  const { reader } = release;
  const found = await rememberedPlaces(`?${key}`, { reader, caches }, async () => {
    currentDeadline().check();
    if (!canMeetAmounts(reader, criteria)) return NO_RECORDS;
    return new ListedRecords(await resolve(release, criteria, caches));
  });
  return found.numbers();
}

async function resolve(release: SearchedRelease, criteria: Criteria, caches: SearchCaches): Promise<Uint32Array> {
  const { reader } = release;
  const asked = split(criteria);
  const ranks = (await placesOfCriteria(reader, asked, caches)).numbers();
  if (ranks.length === 0 || !asksForAmounts(asked)) return ranks;
  const { ofAmounts, minimumYears } = asked;
  const amounts = isEverything(ofAmounts)
    ? undefined
    : await searchRelease(release, ofAmounts, criteriaKey(ofAmounts), caches);
  return ranksWithAmounts(ranks, {
    series: await placeSeriesOf(reader, caches),
    found: amounts?.numbers(),
    minimumYears,
    periods: await periodColumnOf(reader, 'periods', caches),
  });
}

/** The places with records that are what the criteria ask for, whatever their amounts have. */
async function placesOfCriteria(
  reader: ReleaseReader,
  { termsOfPlaces, boundary, conditions }: SplitCriteria,
  caches: SearchCaches,
): Promise<RecordSet> {
  let found = await placesWithRecords(reader, caches);
  const narrow = async (find: () => Promise<RecordSet>): Promise<void> => {
    if (found.size > 0) found = intersection([found, await find()]);
  };
  // Identifiers and the boundary are found without looking at the other places.
  const [identifiers, others] = [termsOfPlaces.filter(areIdentifiers), termsOfPlaces.filter((t) => !areIdentifiers(t))];
  for (const terms of identifiers) {
    await narrow(async () => new ListedRecords(await ranksOfIdentifiers(reader, terms, caches)));
  }
  if (boundary !== undefined) await narrow(() => placesInBoundary(reader, boundary, caches));
  for (const terms of others) await narrow(() => placesWithTerms(reader, terms, caches));
  for (const condition of conditions) await narrow(() => placesMeeting(condition, reader, caches));
  return found;
}

/** Rights do not meet filters of amounts (D52). */
function canMeetAmounts({ facts }: ReleaseReader, criteria: Criteria): boolean {
  return facts.dataSet !== 'WaterAllocations' || !asksForAmounts(split(criteria));
}

function asksForAmounts({ minimumYears, ofAmounts }: SplitCriteria): boolean {
  return minimumYears !== undefined || !isEverything(ofAmounts);
}

function split({ terms, boundary, condition, minimumYears, ...others }: Criteria): SplitCriteria {
  const isOfPlaces = (list: readonly string[]): boolean => FIELDS_OF_PLACES.has(fieldOfTerm(list[0] ?? ''));
  const conjuncts = conjunctsOf(condition);
  const ofAmounts = {
    ...others,
    terms: terms.filter((list) => !isOfPlaces(list)),
    ...(conjuncts.ofAmounts === undefined ? {} : { condition: conjuncts.ofAmounts }),
  };
  return { termsOfPlaces: terms.filter(isOfPlaces), boundary, conditions: conjuncts.others, minimumYears, ofAmounts };
}

function areIdentifiers(terms: readonly string[]): boolean {
  return ['site', 'reportingUnit'].includes(fieldOfTerm(terms[0] ?? ''));
}
