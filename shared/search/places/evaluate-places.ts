// The places of one release of which a condition is true (D42, D43, D47, ADR 0075). A comparison is either of the place
// itself or of its amounts: one amount must meet all comparisons of amounts that AND joins. A negation holds where it
// is known of some amount and no amount meets what is negated. No record is read, and no place but those whose columns
// do not tell how a value is spelled.
//
// Which places have amounts that meet filters of amounts, and a series with amounts in enough years (D42). The records
// that a search finds are told by place and series from the series alone, since amounts stand by place and variable.

import {
  buildConditionKey,
  type ComparedMember,
  type Condition,
  findConjuncts,
  joinAll,
  listConjuncts,
} from '../../query/condition';
import { isPlaceField } from '../../query/filter-fields';
import { toYear } from '../../query/time-groups';
import { getCurrentDeadline, giveWayIfSliceOver } from '../../store/deadline';
import type { ReleaseReader } from '../../store/port';
import { BitSet } from '../../values/bytes/bit-set';
import { findFirstNotBelow, getRangeStart, numberAt } from '../../values/numbers';
import {
  canMatch,
  type ComparedRelease,
  computeOnce,
  type ConditionSubject,
  evaluate,
  evaluateCondition,
  type Predicate,
  WORLD,
} from '../evaluate';
import type { PeriodColumn } from '../index/column-format';
import { findPlacesWithWords } from '../index/name-words';
import { getPlaceSpan, type PlaceSeries } from '../index/place-series';
import {
  AllRecords,
  intersection,
  ListedRecords,
  NO_RECORDS,
  type RecordSet,
  toRecordSet,
  union,
} from '../index/record-set';
import { loadPeriodColumn, loadPlaceRecordCounts, loadPlaceSeries } from '../index/release-index';
import type { SearchableRelease } from '../index/search-caches';
import {
  findPlacesInBoundary,
  findPlacesWithAnyText,
  findPlacesWithRecords,
  findPlacesWithTerms,
  findPlacesWithText,
} from './place-sets';

/** A condition on places, by what it asks. */
interface SplitCondition {
  /** What one amount of the place must meet; undefined for nothing. */
  readonly amounts: Condition | undefined;
  /** In how many years a series of such amounts must have one. */
  readonly minimumYears: number | undefined;
  /** Whatever else must be true of the place. */
  readonly places: readonly Condition[];
}

function splitCondition(condition: Condition): SplitCondition {
  const all = listConjuncts(condition);
  const ofAmounts = all.filter(isOfOneAmount);
  return {
    amounts: ofAmounts.length === 0 ? undefined : joinAll(ofAmounts),
    minimumYears: findConjuncts(condition, 'minimumYears')[0]?.years,
    places: all.filter((one) => !isOfOneAmount(one) && one.kind !== 'minimumYears').map(groupAmounts),
  };
}

/** The same condition, where what one amount must meet stands together. */
function groupAmounts(condition: Condition): Condition {
  if (condition.kind === 'any') return { kind: 'any', operands: condition.operands.map(groupAmounts) };
  if (condition.kind === 'not') return { kind: 'not', operand: groupAmounts(condition.operand) };
  if (condition.kind !== 'all') return condition;
  const { amounts: ofAmounts, places: ofPlaces } = splitCondition(condition);
  return { kind: 'all', operands: ofAmounts === undefined ? ofPlaces : [...ofPlaces, ofAmounts] };
}

/** Whether it is made of comparisons of what amounts have, without a negation. */
function isOfOneAmount(condition: Condition): boolean {
  switch (condition.kind) {
    case 'all':
    case 'any':
      return condition.operands.length > 0 && condition.operands.every(isOfOneAmount);
    case 'term':
      return !isPlaceField(condition.field);
    case 'text':
    case 'number':
    case 'day':
      return !isMemberOfPlaces(condition.member);
    case 'within':
    case 'changedSince':
      return true;
    case 'not':
    case 'missing':
    case 'during':
    case 'boundary':
    case 'boundaryOfPlace':
    case 'minimumYears':
    case 'named':
      return false;
  }
}

function isMemberOfPlaces(member: ComparedMember): boolean {
  if (member.kind === 'field') return isPlaceField(member.field);
  return member.kind === 'organization' || member.kind === 'geometry';
}

/** Whether the release can have places that match, which shows without a search. */
export async function canHavePlaces(searched: SearchableRelease, condition: Condition): Promise<boolean> {
  return canMeetAmounts(searched.reader, splitCondition(condition)) && canMatch(searched, condition);
}

/** Rights do not meet filters of amounts (D52). */
function canMeetAmounts({ facts }: ReleaseReader, { amounts: ofAmounts, minimumYears }: SplitCondition): boolean {
  return facts.dataSet !== 'WaterAllocations' || (ofAmounts === undefined && minimumYears === undefined);
}

interface PlaceRelease extends ComparedRelease {
  /** How many places the release has. */
  readonly placeCount: number;
}

/** The ranks of the places of the release that records refer to and of which the condition is true, ascending. */
export async function evaluatePlaces(condition: Condition, release: ComparedRelease): Promise<Uint32Array> {
  const { length: placeCount } = await loadPlaceRecordCounts(release);
  const searched = { ...release, placeCount };
  const found = await computeOnce(`places ${buildConditionKey(condition)}`, searched, async () => {
    getCurrentDeadline().check();
    const split = splitCondition(condition);
    if (!canMeetAmounts(release.reader, split)) return NO_RECORDS;
    return new ListedRecords(await findRanks(split, searched));
  });
  return found.slice();
}

async function findRanks(
  { amounts: ofAmounts, minimumYears, places: ofPlaces }: SplitCondition,
  searched: PlaceRelease,
): Promise<Uint32Array> {
  const { placeCount: places } = searched;
  const withRecords = await computeOnce('places with records', searched, () => findPlacesWithRecords(searched));
  const subject: ConditionSubject = {
    size: places,
    toPredicate: (one) => toPredicate(one, searched),
    findWithMember: (member) => findPlacesWithMember(member, searched),
  };
  const found = intersection([withRecords, await evaluateCondition({ kind: 'all', operands: ofPlaces }, subject)]);
  const ranks = found.slice();
  if (ranks.length === 0 || (ofAmounts === undefined && minimumYears === undefined)) return ranks;
  const amounts = ofAmounts && (await evaluate(ofAmounts, searched));
  return filterByAmounts(ranks, amounts, minimumYears, searched);
}

function toPredicate(condition: Condition, searched: PlaceRelease): Predicate | undefined {
  if (isOfOneAmount(condition)) return toAmountsPredicate(condition, searched);
  const remember = (find: () => Promise<RecordSet>) => () =>
    computeOnce(`places by ${buildConditionKey(condition)}`, searched, find);
  switch (condition.kind) {
    case 'all':
    case 'any':
    case 'not':
    case 'missing':
      return undefined;
    case 'term':
      return { matches: remember(() => findPlacesWithTerms(condition.field, condition.terms, searched)) };
    case 'text':
      return { matches: remember(() => findPlacesWithText(condition.member, condition.test, searched)) };
    case 'boundary':
      return { matches: remember(() => findPlacesInBoundary(condition.boundary, searched)) };
    case 'named':
      return { matches: remember(() => findPlacesWithWords(condition.words, searched)) };
    case 'during':
      return { matches: remember(() => findPlacesDuring(condition, searched)) };
    case 'number':
    case 'day':
    case 'within':
    case 'changedSince':
    case 'boundaryOfPlace':
    case 'minimumYears':
      throw new Error(`places have no ${condition.kind}`);
  }
}

/** A condition that is known of no amount is not known of the place. */
function toAmountsPredicate(condition: Condition, searched: PlaceRelease): Predicate {
  const met = (): Promise<RecordSet> => findPlacesWithAmount(condition, searched);
  const known = async (): Promise<RecordSet> =>
    union([await met(), await findPlacesWithAmount({ kind: 'not', operand: condition }, searched)]);
  return { matches: met, defined: known };
}

/** The places with an amount of which the condition is true; rights are none. */
async function findPlacesWithAmount(condition: Condition, searched: PlaceRelease): Promise<RecordSet> {
  const { reader, placeCount: places } = searched;
  if (reader.facts.dataSet === 'WaterAllocations') return NO_RECORDS;
  return computeOnce(`places by ${buildConditionKey(condition)}`, searched, async () => {
    const ranks = new AllRecords(places).slice();
    const amounts = await evaluate(condition, searched);
    return new ListedRecords(await filterByAmounts(ranks, amounts, undefined, searched));
  });
}

/** Those of the places that have one of the amounts, or amounts in so many years. Throws DeadlinePassedError. */
async function filterByAmounts(
  ranks: Uint32Array,
  amounts: RecordSet | undefined,
  minimumYears: number | undefined,
  searched: PlaceRelease,
): Promise<Uint32Array> {
  const series = await loadPlaceSeries(searched);
  const periods = await loadPeriodColumn(searched, 'periods');
  const matches = createSeriesMatcher({ series, found: amounts?.slice(), minimumYears, periods });
  const matching = new Uint32Array(ranks.length);
  let count = 0;
  for (let start = 0; start < ranks.length; start += PLACES_AT_ONCE) {
    await giveWayIfSliceOver();
    for (const rank of ranks.subarray(start, start + PLACES_AT_ONCE)) if (matches(rank)) matching[count++] = rank;
  }
  return matching.slice(0, count);
}

/** Finds the places that have the member, or an amount that has it. */
function findPlacesWithMember(member: ComparedMember, searched: PlaceRelease): Promise<RecordSet> {
  if (member.kind === 'geometry') {
    return computeOnce('places with a geometry', searched, () => findPlacesInBoundary(WORLD, searched));
  }
  if ((member.kind === 'field' || member.kind === 'organization') && isMemberOfPlaces(member)) {
    return computeOnce(`places with ${JSON.stringify(member)}`, searched, () =>
      findPlacesWithAnyText(member, searched),
    );
  }
  return findPlacesWithAmount({ kind: 'not', operand: { kind: 'missing', member } }, searched);
}

/** A place lies within the span of all its series; one without dates always matches (D48). */
async function findPlacesDuring(
  { from = -Infinity, to = Infinity }: Extract<Condition, { readonly kind: 'during' }>,
  searched: PlaceRelease,
): Promise<RecordSet> {
  const { reader, placeCount: places } = searched;
  const all = new AllRecords(places);
  if (reader.facts.dataSet === 'WaterAllocations') return all;
  const series = await loadPlaceSeries(searched);
  const found = new BitSet(places);
  for (let rank = 0; rank < places; rank++) {
    const span = getPlaceSpan(series, rank);
    if (span === undefined || (span.first <= to && span.last >= from)) found.add(rank);
  }
  return toRecordSet(found);
}

/** Places between two looks at the clock: below a millisecond. */
const PLACES_AT_ONCE = 4096;

interface SeriesSearch {
  readonly series: PlaceSeries;
  /** The amounts that meet the filters, ascending; undefined where all do. */
  readonly found: Uint32Array | undefined;
  /** Undefined where one amount is enough. */
  readonly minimumYears: number | undefined;
  readonly periods: PeriodColumn;
}

/** What says of one place after the other, in ascending order, whether it has them. */
function createSeriesMatcher({ series, found, minimumYears, periods }: SeriesSearch): (rank: number) => boolean {
  const haveYears = createYearsTest(periods);
  // Where the next of the found records stands.
  let next = 0;
  const matches = (at: number): boolean => {
    if (found === undefined) return true;
    const first = getRangeStart(series.recordEnds, at);
    const end = numberAt(series.recordEnds, at);
    const from = findFirstNotBelow(found, first, next);
    next = findFirstNotBelow(found, end, from);
    if (minimumYears === undefined) return from < next;
    if (next - from === end - first) return true;
    return next - from >= minimumYears && haveYears(found.subarray(from, next), minimumYears);
  };
  return (rank) => {
    const end = numberAt(series.ends, rank);
    for (let at = getRangeStart(series.ends, rank); at < end; at++) {
      // The years of all its amounts bound those of some.
      if (numberAt(series.years, at) >= (minimumYears ?? 0) && matches(at)) return true;
    }
    return false;
  };
}

/** What says whether records lie in so many distinct years (D39). */
function createYearsTest({ periods, codes }: PeriodColumn): (records: Uint32Array, least: number) => boolean {
  // The year plus one; 0 for none, as of code 0, which stands for no dates.
  const yearOfCode = Uint32Array.from({ length: periods.length / 2 }, (_, code) => {
    const year = code === 0 ? undefined : toYear(numberAt(periods, 2 * code), numberAt(periods, 2 * code + 1));
    return year === undefined ? 0 : year + 1;
  });
  // By year, the number of the last count in which it was seen.
  const seen = new Uint32Array(yearOfCode.reduce((most, year) => Math.max(most, year), 0) + 1);
  let counts = 0;
  return (records, least) => {
    counts++;
    let distinct = 0;
    for (const record of records) {
      const year = numberAt(yearOfCode, numberAt(codes, record));
      if (year === 0 || numberAt(seen, year) === counts) continue;
      seen[year] = counts;
      distinct++;
      if (distinct >= least) return true;
    }
    return false;
  };
}
