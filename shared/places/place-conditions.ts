// The places of a release of which a condition is true (D42, D47, ADR 0075). A comparison is either of the place itself
// or of its amounts: one amount must meet all comparisons that AND joins. A negation holds where it is known of some
// amount and no amount meets what is negated.

import { allOf, conditionKey, type ComparedMember, type Condition } from '../query/condition';
import { FIELDS_OF_PLACES } from '../query/filter-terms';
import { spanOfPlace } from '../search/columns/place-series';
import { missingIn, numbersMeeting, recordsMeeting, WORLD, type Decision } from '../search/conditions/conditions';
import {
  AllRecords,
  ListedRecords,
  markedRecords,
  NO_RECORDS,
  union,
  type RecordSet,
} from '../search/index/record-set';
import { placeRecordsOf, placeSeriesOf } from '../search/release/release-columns';
import { periodColumnOf } from '../search/release/release-index';
import type { SearchCaches } from '../search/release/search-caches';
import type { ReleaseReader } from '../store/port';
import { BitSet } from '../values/bytes/bit-set';
import { placesInBoundary, rememberedPlaces } from './place-filters';
import { placesWithAnyText, placesWithText } from './place-text-conditions';
import { ranksWithAmounts } from './series-search';

interface Searched {
  readonly reader: ReleaseReader;
  readonly caches: SearchCaches;
  readonly places: number;
}

/** What AND joins at the top of a condition. */
export interface Conjuncts {
  /** What one amount of the place must meet with all other filters of amounts; undefined for nothing. */
  readonly ofAmounts: Condition | undefined;
  readonly others: readonly Condition[];
}

export function conjunctsOf(condition: Condition | undefined): Conjuncts {
  const all = condition === undefined ? [] : flattened(condition);
  const ofAmounts = all.filter(isOfOneAmount);
  return {
    ofAmounts: ofAmounts.length === 0 ? undefined : allOf(ofAmounts),
    others: all.filter((one) => !isOfOneAmount(one)).map(grouped),
  };
}

/** The ranks of the places; `condition` is one of the others of `conjunctsOf`. Throws DeadlinePassedError. */
export async function placesMeeting(
  condition: Condition,
  reader: ReleaseReader,
  caches: SearchCaches,
): Promise<RecordSet> {
  const { length: places } = await placeRecordsOf(reader, caches);
  const searched = { reader, caches, places };
  return numbersMeeting(condition, { size: places, decide: (one) => decide(one, searched) });
}

function flattened(condition: Condition): readonly Condition[] {
  return condition.kind === 'all' ? condition.of.flatMap(flattened) : [condition];
}

/** The same condition, where what one amount must meet stands together. */
function grouped(condition: Condition): Condition {
  switch (condition.kind) {
    case 'all': {
      const { ofAmounts, others } = conjunctsOf(condition);
      return { kind: 'all', of: ofAmounts === undefined ? others : [...others, ofAmounts] };
    }
    case 'any':
      return { kind: 'any', of: condition.of.map(grouped) };
    case 'not':
      return { kind: 'not', of: grouped(condition.of) };
    case 'missing':
    case 'text':
    case 'number':
    case 'day':
    case 'during':
    case 'boundary':
      return condition;
  }
}

/** Whether it is made of comparisons of what amounts have, without a negation. */
function isOfOneAmount(condition: Condition): boolean {
  switch (condition.kind) {
    case 'all':
    case 'any':
      return condition.of.length > 0 && condition.of.every(isOfOneAmount);
    case 'text':
    case 'number':
    case 'day':
      return !isOfPlaces(condition.member);
    case 'not':
    case 'missing':
    case 'during':
    case 'boundary':
      return false;
  }
}

function isOfPlaces(member: ComparedMember): boolean {
  if (member.kind === 'field') return FIELDS_OF_PLACES.has(member.field);
  return member.kind === 'organization' || member.kind === 'geometry';
}

function decide(condition: Condition, searched: Searched): Decision | undefined {
  if (isOfOneAmount(condition)) return decideAmounts(condition, searched);
  const { reader, caches, places } = searched;
  switch (condition.kind) {
    case 'all':
    case 'any':
    case 'not':
      return undefined;
    case 'missing':
      return missingIn(places, () => placesWith(condition.member, searched));
    case 'text': {
      const met = (): Promise<RecordSet> => placesWithText(condition.member, condition.test, searched);
      return {
        met: () => rememberedPlaces(`#${conditionKey(condition)}`, searched, met),
        known: () => placesWith(condition.member, searched),
      };
    }
    case 'during':
      return {
        met: () => rememberedPlaces(`#${conditionKey(condition)}`, searched, () => placesDuring(condition, searched)),
        known: () => Promise.resolve(new AllRecords(places)),
      };
    case 'boundary':
      return {
        met: () => placesInBoundary(reader, condition.boundary, caches),
        known: () => placesWith({ kind: 'geometry' }, searched),
      };
    case 'number':
    case 'day':
      throw new Error('amounts have all members that are numbers and days');
  }
}

/** A condition that is known of no amount is not known of the place. */
function decideAmounts(condition: Condition, searched: Searched): Decision {
  const met = (): Promise<RecordSet> => placesOfAmounts(condition, searched);
  const known = async (): Promise<RecordSet> =>
    union([await met(), await placesOfAmounts({ kind: 'not', of: condition }, searched)]);
  return { met, known };
}

/** The places with an amount of which the condition is true; rights are none. */
async function placesOfAmounts(condition: Condition, searched: Searched): Promise<RecordSet> {
  const { reader, caches, places } = searched;
  if (reader.facts.dataSet === 'WaterAllocations') return NO_RECORDS;
  return rememberedPlaces(`#${conditionKey(condition)}`, searched, async () => {
    const ranks = new AllRecords(places).numbers();
    const found = await recordsMeeting(condition, { reader, caches });
    const series = await placeSeriesOf(reader, caches);
    const periods = await periodColumnOf(reader, 'periods', caches);
    const search = { series, found: found.numbers(), minimumYears: undefined, periods };
    return new ListedRecords(await ranksWithAmounts(ranks, search));
  });
}

/** The places that have the member, or an amount that has it. */
async function placesWith(member: ComparedMember, searched: Searched): Promise<RecordSet> {
  const { reader, caches } = searched;
  if (member.kind === 'geometry') return placesInBoundary(reader, WORLD, caches);
  if ((member.kind === 'field' || member.kind === 'organization') && isOfPlaces(member)) {
    return rememberedPlaces(`#any ${JSON.stringify(member)}`, searched, () => placesWithAnyText(member, searched));
  }
  return placesOfAmounts({ kind: 'not', of: { kind: 'missing', member } }, searched);
}

/** A place lies within the span of all its series; one without dates always matches (D48). */
async function placesDuring(
  { from = -Infinity, to = Infinity }: Extract<Condition, { readonly kind: 'during' }>,
  { reader, caches, places }: Searched,
): Promise<RecordSet> {
  const all = new AllRecords(places);
  if (reader.facts.dataSet === 'WaterAllocations') return all;
  const series = await placeSeriesOf(reader, caches);
  const found = new BitSet(places);
  for (let rank = 0; rank < places; rank++) {
    const span = spanOfPlace(series, rank);
    if (span === undefined || (span.first <= to && span.last >= from)) found.add(rank);
  }
  return markedRecords(found);
}
