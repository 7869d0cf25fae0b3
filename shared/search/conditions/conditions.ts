// The records of a release of which a condition is true (D47). A negation is pushed down to what it negates, where it
// is what is left of the records that have the member: so the logic of three values costs one set a comparison.

import { conditionKey, type MemberComparison, type Condition, type ComparedMember } from '../../query/condition';
import { boundaryOf } from '../../query/criteria';
import { currentDeadline } from '../../store/deadline';
import type { ReleaseReader } from '../../store/port';
import { allWithinNumbers } from './number-ranges';
import { allOfPeriods, allOfShownDays } from '../index/period-column';
import { AllRecords, difference, intersection, markedRecords, union, type RecordSet } from '../index/record-set';
import { periodColumnOf } from '../release/release-index';
import { recordsOfBoundary } from './records-in-boundary';
import type { SearchCaches } from '../release/search-caches';
import { recordsWithAnyText, recordsWithText } from './text-conditions';

interface Searched {
  readonly reader: ReleaseReader;
  readonly caches: SearchCaches;
}

/** What a condition is true of, and of what it is either true or false. */
export interface Decision {
  readonly met: () => Promise<RecordSet>;
  readonly known: () => Promise<RecordSet>;
}

/** What conditions are about: the records of a release, or its places. */
export interface ConditionSubject {
  /** Numbers from 0 to before this one. */
  readonly size: number;
  /** Undefined for what is made of other conditions and is decided by them. */
  readonly decide: (condition: Condition) => Decision | undefined;
}

export async function recordsMeeting(condition: Condition, searched: Searched): Promise<RecordSet> {
  const { records } = searched.reader.facts;
  return numbersMeeting(condition, { size: records, decide: (one) => decideRecords(one, searched) });
}

/** The numbers of the subject of which the condition is true. Throws DeadlinePassedError. */
export async function numbersMeeting(
  condition: Condition,
  subject: ConditionSubject,
  isNegated = false,
): Promise<RecordSet> {
  const { size } = subject;
  await giveWay();
  const decision = subject.decide(condition);
  if (decision !== undefined) {
    const met = await decision.met();
    return isNegated ? difference(await decision.known(), met, size) : met;
  }
  switch (condition.kind) {
    case 'all':
    case 'any': {
      const sets: RecordSet[] = [];
      for (const one of condition.of) sets.push(await numbersMeeting(one, subject, isNegated));
      if ((condition.kind === 'all') === isNegated) return union(sets);
      return sets.length === 0 ? new AllRecords(size) : intersection(sets);
    }
    case 'not':
      return numbersMeeting(condition.of, subject, !isNegated);
    case 'missing':
    case 'text':
    case 'number':
    case 'day':
    case 'during':
    case 'boundary':
      throw new Error(`a comparison that nothing decides: ${condition.kind}`);
  }
}

function decideRecords(condition: Condition, searched: Searched): Decision | undefined {
  const { records } = searched.reader.facts;
  switch (condition.kind) {
    case 'all':
    case 'any':
    case 'not':
      return undefined;
    case 'missing':
      return missingIn(records, () => recordsWith(condition.member, searched));
    case 'text':
    case 'number':
    case 'day':
    case 'during':
    case 'boundary':
      return {
        met: () => remembered(`=${conditionKey(condition)}`, searched, () => compare(condition, searched)),
        known: () => recordsWith(memberOf(condition), searched),
      };
  }
}

/** Whether a value is missing is known of every number. */
export function missingIn(size: number, having: () => Promise<RecordSet>): Decision {
  const all = new AllRecords(size);
  return { met: async () => difference(all, await having(), size), known: () => Promise.resolve(all) };
}

async function giveWay(): Promise<void> {
  const deadline = currentDeadline();
  deadline.check();
  if (deadline.isSliceOver()) await deadline.giveWay();
}

async function compare(comparison: MemberComparison, searched: Searched): Promise<RecordSet> {
  const { reader, caches } = searched;
  switch (comparison.kind) {
    case 'text':
      return recordsWithText(comparison.member, comparison.test, searched);
    case 'number': {
      const { least, most, member } = comparison;
      const ends = { ...(least !== undefined && { minimum: least }), ...(most !== undefined && { maximum: most }) };
      return allWithinNumbers(reader, { column: member.column, ...ends }, caches);
    }
    case 'day': {
      const { member, least = -Infinity, most = Infinity } = comparison;
      const column = await periodColumnOf(reader, member.kind === 'published' ? 'publications' : 'periods', caches);
      const end = member.kind === 'lastDay' ? 'last' : 'first';
      return markedRecords(allOfShownDays(column, end, (day) => day >= least && day <= most));
    }
    case 'during': {
      const { from = -Infinity, to = Infinity } = comparison;
      const column = await periodColumnOf(reader, 'periods', caches);
      return markedRecords(allOfPeriods(column, true, (first, last) => first <= to && last >= from));
    }
    case 'boundary':
      return recordsOfBoundary(reader, comparison.boundary, caches);
  }
}

/** Undefined where every record has what is compared. */
function memberOf(comparison: MemberComparison): ComparedMember | undefined {
  switch (comparison.kind) {
    case 'text':
    case 'number':
    case 'day':
      return comparison.member;
    case 'during':
      return undefined;
    case 'boundary':
      return { kind: 'geometry' };
  }
}

const [WEST, SOUTH, EAST, NORTH] = [-180, -90, 180, 90];

/** Whatever lies somewhere lies here. */
export const WORLD = boundaryOf({
  type: 'Polygon',
  coordinates: [
    [
      [WEST, SOUTH],
      [EAST, SOUTH],
      [EAST, NORTH],
      [WEST, NORTH],
      [WEST, SOUTH],
    ],
  ],
});

/** The records that have the member. */
async function recordsWith(member: ComparedMember | undefined, searched: Searched): Promise<RecordSet> {
  const { reader, caches } = searched;
  switch (member?.kind) {
    case undefined:
      return new AllRecords(reader.facts.records);
    case 'field':
    case 'owner':
    case 'organization':
      return remembered(`any ${JSON.stringify(member)}`, searched, () => recordsWithAnyText(member, searched));
    case 'number':
      return remembered(`any ${member.column}`, searched, () => compare({ kind: 'number', member }, searched));
    case 'firstDay':
    case 'lastDay':
    case 'published':
      return remembered(`any ${member.kind}`, searched, () => compare({ kind: 'day', member }, searched));
    case 'geometry':
      return recordsOfBoundary(reader, WORLD, caches);
  }
}

/** Comparisons are found again by other conditions that have them. */
async function remembered(key: string, searched: Searched, find: () => Promise<RecordSet>): Promise<RecordSet> {
  const { reader, caches } = searched;
  const cacheKey = `${reader.facts.releaseId}#${key}`;
  const known = caches.records.get(cacheKey);
  if (known !== undefined) return known;
  const found = await find();
  caches.records.set(cacheKey, found, found.byteLength);
  return found;
}
