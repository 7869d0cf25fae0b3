// The records of a release of which a condition is true (D47). A negation is pushed down to what it negates, where it
// is what is left of the records that have the member: so the logic of three values costs one set a comparison.

import { conditionKey, type MemberComparison, type Condition, type ComparedMember } from '../query/condition';
import { boundaryOf } from '../query/criteria';
import { currentDeadline } from '../store/deadline';
import type { ReleaseReader } from '../store/port';
import { allWithinNumbers } from './number-ranges';
import { allOfPeriods } from './index/period-column';
import { AllRecords, difference, intersection, markedRecords, union, type RecordSet } from './index/record-set';
import { periodColumnOf } from './release-index';
import { recordsOfBoundary } from './records-in-boundary';
import type { SearchCaches } from './search-caches';
import { recordsWithAnyText, recordsWithText } from './text-conditions';

interface Searched {
  readonly reader: ReleaseReader;
  readonly caches: SearchCaches;
}

export async function recordsMeeting(condition: Condition, searched: Searched): Promise<RecordSet> {
  return evaluate(condition, false, searched);
}

async function evaluate(condition: Condition, isNegated: boolean, searched: Searched): Promise<RecordSet> {
  const { facts } = searched.reader;
  await giveWay();
  switch (condition.kind) {
    case 'all':
    case 'any': {
      const sets: RecordSet[] = [];
      for (const one of condition.of) sets.push(await evaluate(one, isNegated, searched));
      if ((condition.kind === 'all') === isNegated) return union(sets);
      return sets.length === 0 ? new AllRecords(facts.records) : intersection(sets);
    }
    case 'not':
      return evaluate(condition.of, !isNegated, searched);
    case 'missing': {
      const known = await recordsWith(condition.member, searched);
      return isNegated ? known : difference(new AllRecords(facts.records), known, facts.records);
    }
    case 'text':
    case 'number':
    case 'day':
    case 'during':
    case 'boundary': {
      const found = await remembered(`=${conditionKey(condition)}`, searched, () => compare(condition, searched));
      if (!isNegated) return found;
      return difference(await recordsWith(memberOf(condition), searched), found, facts.records);
    }
  }
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
      const isWithin = (day: number): boolean => day >= least && day <= most;
      return markedRecords(
        allOfPeriods(column, false, (first, last) => isWithin(member.kind === 'lastDay' ? last : first)),
      );
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
const WORLD = boundaryOf({
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
