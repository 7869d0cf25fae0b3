// The places of one release that match criteria (D42, D43): first by what the places are, then by what their amounts
// meet. No record is read, and no place.

import type { Condition } from '../query/condition';
import { criteriaKey, type Boundary, type Criteria } from '../query/criteria';
import { fieldOfTerm, FIELDS_OF_PLACES } from '../query/filter-terms';
import { placeSeriesOf } from '../search/release-columns';
import { periodColumnOf } from '../search/release-index';
import type { SearchCaches } from '../search/search-caches';
import { canMatch, isEverything, searchRelease, type SearchedRelease } from '../search/search-release';
import type { ReleaseReader } from '../store/port';
import { currentDeadline } from '../store/deadline';
import { numberAt } from '../values/numbers';
import { conjunctsOf, placesMeeting } from './place-conditions';
import { ranksInBoundary, ranksOfIdentifiers, ranksWithRecords, ranksWithTerms } from './place-filters';
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
  const cacheKey = `${reader.facts.releaseId}?${key}`;
  const known = caches.placeSets.get(cacheKey);
  if (known !== undefined) return known;
  currentDeadline().check();
  const found = canMeetAmounts(reader, criteria) ? await resolve(release, criteria, caches) : new Uint32Array();
  caches.placeSets.set(cacheKey, found, found.byteLength);
  return found;
}

async function resolve(release: SearchedRelease, criteria: Criteria, caches: SearchCaches): Promise<Uint32Array> {
  const { reader } = release;
  const asked = split(criteria);
  let ranks = await ranksWithRecords(reader, caches);
  for (const found of await listedRanks(reader, asked, caches)) ranks = common(ranks, found);
  for (const terms of asked.termsOfPlaces.filter((list) => !areIdentifiers(list))) {
    ranks = await ranksWithTerms(reader, ranks, terms, caches);
  }
  for (const condition of asked.conditions) {
    if (ranks.length > 0) ranks = common(ranks, (await placesMeeting(condition, reader, caches)).numbers());
  }
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

/** The places that identifiers and the boundary name, which are found without looking at the others. */
async function listedRanks(
  reader: ReleaseReader,
  { termsOfPlaces, boundary }: SplitCriteria,
  caches: SearchCaches,
): Promise<readonly Uint32Array[]> {
  const identifiers = termsOfPlaces.filter(areIdentifiers);
  const named = await Promise.all(identifiers.map((terms) => ranksOfIdentifiers(reader, terms, caches)));
  return boundary === undefined ? named : [...named, await ranksInBoundary(reader, boundary, caches)];
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

/** What two ascending lists have in common. */
function common(a: Uint32Array, b: Uint32Array): Uint32Array {
  const both = new Uint32Array(Math.min(a.length, b.length));
  let count = 0;
  let inB = 0;
  for (const wanted of a) {
    while (inB < b.length && numberAt(b, inB) < wanted) inB++;
    if (inB === b.length) break;
    if (numberAt(b, inB) === wanted) both[count++] = wanted;
  }
  return both.slice(0, count);
}
