// Finds the places of a release for which a condition is true (D42, D43, D47, ADR 0075). A negated comparison of
// amounts matches a place if the comparison is defined for at least one of its amounts and true for none of them. Reads
// no records, and reads places only if their texts must be compared in their exact spelling.

import { buildConditionKey, type ComparedMember, type Condition } from '../../query/condition';
import { getCurrentDeadline } from '../../store/deadline';
import type { ReleaseReader } from '../../store/port';
import { BitSet } from '../../values/bytes/bit-set';
import { canMatch, type ComparedRelease, computeOnce, evaluate, WORLD } from '../evaluate';
import { type ConditionSubject, evaluateCondition, type Predicate } from '../evaluate-condition';
import { findPlacesWithWords } from '../index/name-words';
import { getPlaceSpan } from '../index/place-series';
import {
  AllRecords,
  intersection,
  ListedRecords,
  NO_RECORDS,
  type RecordSet,
  toRecordSet,
  union,
} from '../index/record-set';
import { loadPlaceRecordCounts, loadPlaceSeries } from '../index/release-index';
import type { SearchableRelease } from '../index/search-caches';
import { filterByAmounts } from './amount-places';
import { isMemberOfPlaces, isOfOneAmount, type PlaceCondition, splitCondition } from './place-condition';
import {
  findPlacesInBoundary,
  findPlacesWithAnyText,
  findPlacesWithRecords,
  findPlacesWithTerms,
  findPlacesWithText,
} from './place-sets';

interface PlaceRelease extends ComparedRelease {
  readonly placeCount: number;
}

/** Whether the release can have matching places. Needs no search. */
export async function canHavePlaces(release: SearchableRelease, condition: Condition): Promise<boolean> {
  return canMeetAmounts(release.reader, splitCondition(condition)) && canMatch(release, condition);
}

/** Rights never match filters on amounts (D52). */
function canMeetAmounts({ facts }: ReleaseReader, { amounts, minimumYears }: PlaceCondition): boolean {
  return facts.dataSet !== 'WaterAllocations' || (amounts === undefined && minimumYears === undefined);
}

/** Returns the ranks of the matching places that records refer to, ascending. Throws the same errors as `evaluate`. */
export async function evaluatePlaces(condition: Condition, release: ComparedRelease): Promise<Uint32Array> {
  const { length: placeCount } = await loadPlaceRecordCounts(release);
  const placeRelease = { ...release, placeCount };
  const matches = await computeOnce(`places ${buildConditionKey(condition)}`, release, async () => {
    getCurrentDeadline().check();
    const placeCondition = splitCondition(condition);
    if (!canMeetAmounts(release.reader, placeCondition)) return NO_RECORDS;
    return new ListedRecords(await findRanks(placeCondition, placeRelease));
  });
  return matches.slice();
}

async function findRanks(
  { amounts, minimumYears, places }: PlaceCondition,
  release: PlaceRelease,
): Promise<Uint32Array> {
  const withRecords = await computeOnce('places with records', release, () => findPlacesWithRecords(release));
  const subject: ConditionSubject = {
    size: release.placeCount,
    toPredicate: (condition) => toPredicate(condition, release),
    findWithMember: (member) => findPlacesWithMember(member, release),
  };
  const matches = intersection([withRecords, await evaluateCondition({ kind: 'all', operands: places }, subject)]);
  const ranks = matches.slice();
  if (ranks.length === 0 || (amounts === undefined && minimumYears === undefined)) return ranks;
  const matchingAmounts = amounts && (await evaluate(amounts, release));
  return filterByAmounts(ranks, matchingAmounts, minimumYears, release);
}

function toPredicate(condition: Condition, release: PlaceRelease): Predicate | undefined {
  if (isOfOneAmount(condition)) return toAmountsPredicate(condition, release);
  const once = (find: () => Promise<RecordSet>) => () =>
    computeOnce(`places by ${buildConditionKey(condition)}`, release, find);
  switch (condition.kind) {
    case 'all':
    case 'any':
    case 'not':
    case 'missing':
      return undefined;
    case 'term':
      return { matches: once(() => findPlacesWithTerms(condition.field, condition.terms, release)) };
    case 'text':
      return { matches: once(() => findPlacesWithText(condition.member, condition.test, release)) };
    case 'boundary':
      return { matches: once(() => findPlacesInBoundary(condition.boundary, release)) };
    case 'named':
      return { matches: once(() => findPlacesWithWords(condition.words, release)) };
    case 'during':
      return { matches: once(() => findPlacesDuring(condition, release)) };
    case 'number':
    case 'day':
    case 'within':
    case 'changedSince':
    case 'boundaryOfPlace':
    case 'minimumYears':
      throw new Error(`places have no ${condition.kind}`);
  }
}

/** The predicate is defined for the places with an amount for which the condition or its negation is true. */
function toAmountsPredicate(condition: Condition, release: PlaceRelease): Predicate {
  const findMatches = (): Promise<RecordSet> => findPlacesWithAmount(condition, release);
  const findOpposite = (): Promise<RecordSet> => findPlacesWithAmount({ kind: 'not', operand: condition }, release);
  return {
    matches: findMatches,
    defined: async () => union([await findMatches(), await findOpposite()]),
  };
}

/** Finds the places with an amount for which the condition is true. Rights have no amounts. */
async function findPlacesWithAmount(condition: Condition, release: PlaceRelease): Promise<RecordSet> {
  const { reader, placeCount } = release;
  if (reader.facts.dataSet === 'WaterAllocations') return NO_RECORDS;
  return computeOnce(`places by ${buildConditionKey(condition)}`, release, async () => {
    const allRanks = new AllRecords(placeCount).slice();
    const amounts = await evaluate(condition, release);
    return new ListedRecords(await filterByAmounts(allRanks, amounts, undefined, release));
  });
}

/** Finds the places that have the member, or an amount with the member. */
function findPlacesWithMember(member: ComparedMember, release: PlaceRelease): Promise<RecordSet> {
  if (member.kind === 'geometry') {
    return computeOnce('places with a geometry', release, () => findPlacesInBoundary(WORLD, release));
  }
  if ((member.kind === 'field' || member.kind === 'organization') && isMemberOfPlaces(member)) {
    return computeOnce(`places with ${JSON.stringify(member)}`, release, () => findPlacesWithAnyText(member, release));
  }
  return findPlacesWithAmount({ kind: 'not', operand: { kind: 'missing', member } }, release);
}

/** The time span of a place covers all its series. A place without dates always matches (D48). */
async function findPlacesDuring(
  { from = -Infinity, to = Infinity }: Extract<Condition, { readonly kind: 'during' }>,
  release: PlaceRelease,
): Promise<RecordSet> {
  const { reader, placeCount } = release;
  if (reader.facts.dataSet === 'WaterAllocations') return new AllRecords(placeCount);
  const series = await loadPlaceSeries(release);
  const matches = new BitSet(placeCount);
  for (let rank = 0; rank < placeCount; rank++) {
    const span = getPlaceSpan(series, rank);
    if (span === undefined || (span.first <= to && span.last >= from)) matches.add(rank);
  }
  return toRecordSet(matches);
}
