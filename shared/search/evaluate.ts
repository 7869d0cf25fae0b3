// Finds the records of a release for which a condition is true (docs/architecture.md, "The path of a request").

import {
  buildConditionKey,
  type ComparedMember,
  type Condition,
  findConjuncts,
  matchesEverything,
  toBoundary,
} from '../query/condition';
import type { ReleaseReader } from '../store/port';
import { parseIsoDay } from '../values/dates';
import { boxToRing } from '../values/geometry';
import { findRecordsWithDates } from './date-ranges';
import { type ConditionSubject, evaluateCondition, type Predicate } from './evaluate-condition';
import { findRightsWithWords } from './index/name-words';
import { AllRecords, type RecordSet } from './index/record-set';
import { loadPostings } from './index/release-index';
import { getByteLength, type SearchableRelease } from './index/search-caches';
import { findRecordsWithNumber } from './number-ranges';
import { findRecordsInBoundary } from './records-in-boundary';
import { findChanges } from './release-changes';
import { findRecordsWithAnyText, findRecordsWithTerms, findRecordsWithText } from './text-conditions';

/** A release to search, optionally for changes. */
export interface ComparedRelease extends SearchableRelease {
  /**
   * For a search for changes (D37), the release of the same data set in the earlier version. If undefined, every record
   * counts as changed.
   */
  readonly comparedWith?: ReleaseReader | undefined;
}

/** A boundary that contains every location. */
export const WORLD = toBoundary({ type: 'Polygon', coordinates: [boxToRing([-180, -90, 180, 90])] });

/** Throws ReleaseGoneError and DeadlinePassedError. */
export async function evaluate(condition: Condition, release: ComparedRelease): Promise<RecordSet> {
  const size = release.reader.facts.records;
  if (matchesEverything(condition)) return new AllRecords(size);
  const subject: ConditionSubject = {
    size,
    toPredicate: (comparison) => toPredicate(comparison, release),
    findWithMember: (member) => findRecordsWithMember(member, release),
  };
  return computeOnce(buildConditionKey(condition), release, () => evaluateCondition(condition, subject));
}

/** Whether a release can have matches, judged by its terms and its period, without a search. */
export async function canMatch(release: SearchableRelease, condition: Condition): Promise<boolean> {
  const { firstDay, lastDay, lastPublicationDay } = release.reader.facts;
  for (const { dates, from, to } of findConjuncts(condition, 'within')) {
    if (dates === 'published') {
      if (lastPublicationDay === null) return false;
    } else {
      if (from !== undefined && (lastDay === null || from > parseIsoDay(lastDay))) return false;
      if (to !== undefined && (firstDay === null || to < parseIsoDay(firstDay))) return false;
    }
  }
  // Reads the posting lists of all terms at once, so that the search finds them in memory.
  const termGroups = findConjuncts(condition, 'term').map(({ terms }) => terms);
  if (termGroups.length === 0) return true;
  const postings = await loadPostings(release, termGroups);
  return postings.every((alternatives) => alternatives.some((set) => set.size > 0));
}

/** Caches a set of numbers of a release, so that other conditions with the same comparison need not compute it. */
export async function computeOnce(
  key: string,
  { reader, caches }: SearchableRelease,
  compute: () => Promise<RecordSet>,
): Promise<RecordSet> {
  return caches.getCache<RecordSet>('records').getOrCompute(`${reader.facts.releaseId}?${key}`, compute, getByteLength);
}

function toPredicate(condition: Condition, release: ComparedRelease): Predicate | undefined {
  const once = (find: () => Promise<RecordSet>) => () => computeOnce(buildConditionKey(condition), release, find);
  switch (condition.kind) {
    case 'all':
    case 'any':
    case 'not':
    case 'missing':
      return undefined;
    case 'term':
      return { matches: () => findRecordsWithTerms(condition.terms, release) };
    case 'text':
      return { matches: once(() => findRecordsWithText(condition.member, condition.test, release)) };
    case 'boundary':
      return { matches: once(() => findRecordsInBoundary(condition.boundary, release)) };
    case 'number': {
      const find = (candidates?: Uint32Array): Promise<RecordSet> =>
        findRecordsWithNumber(condition, release, candidates);
      return { matches: once(find), filter: find };
    }
    case 'within': {
      const { kind, dates } = condition;
      const find = (candidates?: Uint32Array): Promise<RecordSet> =>
        findRecordsWithDates(condition, release, candidates);
      return {
        matches: once(find),
        defined: () => findRecordsWithDates({ kind, dates }, release),
        filter: find,
      };
    }
    case 'day':
    case 'during': {
      const find = (candidates?: Uint32Array): Promise<RecordSet> =>
        findRecordsWithDates(condition, release, candidates);
      return { matches: once(find), filter: find };
    }
    case 'named':
      return { matches: once(() => findRightsWithWords(condition.words, release)) };
    case 'changedSince':
      return { matches: () => findChangedRecords(release) };
    case 'boundaryOfPlace':
    case 'minimumYears':
      throw new Error(`records have no ${condition.kind}`);
  }
}

async function findChangedRecords({ reader, comparedWith, caches }: ComparedRelease): Promise<RecordSet> {
  if (comparedWith === undefined) return new AllRecords(reader.facts.records);
  return (await findChanges(comparedWith, reader, caches)).changed;
}

function findRecordsWithMember(member: ComparedMember, release: SearchableRelease): Promise<RecordSet> {
  const find = (): Promise<RecordSet> => {
    switch (member.kind) {
      case 'field':
      case 'owner':
      case 'organization':
        return findRecordsWithAnyText(member, release);
      case 'number':
        return findRecordsWithNumber({ member }, release);
      case 'firstDay':
      case 'lastDay':
      case 'published':
        return findRecordsWithDates({ kind: 'day', member }, release);
      case 'geometry':
        return findRecordsInBoundary(WORLD, release);
    }
  };
  return computeOnce(`any ${JSON.stringify(member)}`, release, find);
}
