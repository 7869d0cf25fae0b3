// Which numbers of a release a condition is true of (architecture.md, "The way of a request"): of records here, of
// places in places/evaluate-places.ts. The plan is the same for both: what has sets of its own comes first (posting
// lists, texts, boundaries), then columns are gone through for what is left, or whole where nothing narrowed it. A
// negation is pushed down to what it negates, where it is what is left of the numbers that have the member: so the
// logic of three values costs one set a comparison (ADR 0075).

import {
  toBoundary,
  type ComparedMember,
  type Condition,
  buildConditionKey,
  findConjuncts,
  matchesEverything,
} from '../query/condition';
import { giveWayIfSliceOver } from '../store/deadline';
import type { ReleaseReader } from '../store/port';
import { parseIsoDay } from '../values/dates';
import { boxToRing } from '../values/geometry';
import { findRecordsWithDates, findRecordsWithNumber } from './column-ranges';
import { findRightsWithWords } from './index/name-words';
import { AllRecords, difference, intersection, NO_RECORDS, type RecordSet, union } from './index/record-set';
import { loadPostings } from './index/release-index';
import { getByteLength, type SearchableRelease } from './index/search-caches';
import { findRecordsInBoundary } from './records-in-boundary';
import { findChanges } from './release-changes';
import { findRecordsWithAnyText, findRecordsWithTerms, findRecordsWithText } from './text-conditions';

/** A release that is searched. */
export interface ComparedRelease extends SearchableRelease {
  /** The release that the data set had in the version of a condition on changes (D37); without one, all are changes. */
  readonly comparedWith?: ReleaseReader | undefined;
}

/** What a comparison is true of. */
export interface Predicate {
  readonly matches: () => Promise<RecordSet>;
  /** The numbers of which it is either true or false, where they are not those with the member that it compares. */
  readonly defined?: () => Promise<RecordSet>;
  /** The candidates, ascending, that meet a condition which is found by going through a column. */
  readonly filter?: (candidates: Uint32Array) => Promise<RecordSet>;
}

/** What conditions are about: the records of a release, or its places. */
export interface ConditionSubject {
  /** Numbers from 0 to before this one. */
  readonly size: number;
  /** Undefined for what is made of other conditions and is decided by them. */
  readonly toPredicate: (condition: Condition) => Predicate | undefined;
  /** Finds the numbers that have the member. */
  readonly findWithMember: (member: ComparedMember) => Promise<RecordSet>;
}

/** The records of the release of which the condition is true. Throws ReleaseGoneError and DeadlinePassedError. */
export async function evaluate(condition: Condition, release: ComparedRelease): Promise<RecordSet> {
  const size = release.reader.facts.records;
  if (matchesEverything(condition)) return new AllRecords(size);
  const subject: ConditionSubject = {
    size,
    toPredicate: (one) => toPredicate(one, release),
    findWithMember: (member) => findRecordsWithMember(member, release),
  };
  return computeOnce(buildConditionKey(condition), release, () => evaluateCondition(condition, subject));
}

/** Whether the terms and the period of a release let it match at all, which shows without a search. */
export async function canMatch(searched: SearchableRelease, condition: Condition): Promise<boolean> {
  const { firstDay, lastDay, lastPublicationDay } = searched.reader.facts;
  for (const { dates, from, to } of findConjuncts(condition, 'within')) {
    if (dates === 'published') {
      if (lastPublicationDay === null) return false;
    } else {
      if (from !== undefined && (lastDay === null || from > parseIsoDay(lastDay))) return false;
      if (to !== undefined && (firstDay === null || to < parseIsoDay(firstDay))) return false;
    }
  }
  // The posting lists of all terms are read at once here, and found in memory by the search.
  const terms = findConjuncts(condition, 'term').map((one) => one.terms);
  if (terms.length === 0) return true;
  const postings = await loadPostings(searched, terms);
  return postings.every((alternatives) => alternatives.some((set) => set.size > 0));
}

/** The numbers of the subject of which the condition is true. Throws DeadlinePassedError. */
export async function evaluateCondition(
  condition: Condition,
  subject: ConditionSubject,
  isNegated = false,
): Promise<RecordSet> {
  const { size } = subject;
  await giveWayIfSliceOver();
  const decision = subject.toPredicate(condition);
  if (decision !== undefined) {
    const met = await decision.matches();
    if (!isNegated) return met;
    return difference(await (decision.defined ?? (() => findDefined(condition, subject)))(), met, size);
  }
  if (condition.kind === 'missing') {
    const having = await subject.findWithMember(condition.member);
    return isNegated ? having : difference(new AllRecords(size), having, size);
  }
  if (condition.kind === 'not') return evaluateCondition(condition.operand, subject, !isNegated);
  if (condition.kind !== 'all' && condition.kind !== 'any') throw new Error(`nothing decides ${condition.kind}`);
  if (condition.kind === 'all' && !isNegated) return evaluateAll(condition.operands, subject);
  const sets: RecordSet[] = [];
  for (const one of condition.operands) sets.push(await evaluateCondition(one, subject, isNegated));
  // Not one of several is true where each of them is false.
  return condition.kind === 'any' && isNegated ? intersection([new AllRecords(size), ...sets]) : union(sets);
}

/** The numbers of which a comparison is true or false: those with the member that it compares. */
async function findDefined(
  condition: Condition,
  { size, findWithMember: having }: ConditionSubject,
): Promise<RecordSet> {
  if (condition.kind === 'term') return having({ kind: 'field', field: condition.field });
  if (condition.kind === 'boundary') return having({ kind: 'geometry' });
  return 'member' in condition ? having(condition.member) : new AllRecords(size);
}

/** Cheap conditions are looked for first, and none once nothing is left. */
async function evaluateAll(conditions: readonly Condition[], subject: ConditionSubject): Promise<RecordSet> {
  const { size } = subject;
  const sets: RecordSet[] = [new AllRecords(size)];
  const columnPredicates: Required<Pick<Predicate, 'matches' | 'filter'>>[] = [];
  for (const one of conditions.toSorted((a, b) => estimateCost(a) - estimateCost(b))) {
    const { matches: met, filter: among } = subject.toPredicate(one) ?? {};
    if (met !== undefined && among !== undefined) {
      columnPredicates.push({ matches: met, filter: among });
      continue;
    }
    const set = await evaluateCondition(one, subject);
    if (set.size === 0) return NO_RECORDS;
    sets.push(set);
  }
  let found = intersection(sets);
  for (const { matches: met, filter: among } of columnPredicates) {
    if (found.size === 0) return NO_RECORDS;
    found = found.size === size ? await met() : await among(found.slice());
  }
  return found;
}

function estimateCost({ kind }: Condition): number {
  return kind === 'term' ? 0 : kind === 'boundary' ? 2 : 1;
}

function toPredicate(condition: Condition, searched: ComparedRelease): Predicate | undefined {
  const remember = (find: () => Promise<RecordSet>) => () => computeOnce(buildConditionKey(condition), searched, find);
  switch (condition.kind) {
    case 'all':
    case 'any':
    case 'not':
    case 'missing':
      return undefined;
    case 'term':
      return { matches: () => findRecordsWithTerms(condition.terms, searched) };
    case 'text':
      return { matches: remember(() => findRecordsWithText(condition.member, condition.test, searched)) };
    case 'boundary':
      return { matches: remember(() => findRecordsInBoundary(condition.boundary, searched)) };
    case 'number': {
      const find = (candidates?: Uint32Array): Promise<RecordSet> =>
        findRecordsWithNumber(condition, searched, candidates);
      return { matches: remember(find), filter: find };
    }
    case 'within': {
      const { kind, dates } = condition;
      const find = (candidates?: Uint32Array): Promise<RecordSet> =>
        findRecordsWithDates(condition, searched, candidates);
      return { matches: remember(find), defined: () => findRecordsWithDates({ kind, dates }, searched), filter: find };
    }
    case 'day':
    case 'during': {
      const find = (candidates?: Uint32Array): Promise<RecordSet> =>
        findRecordsWithDates(condition, searched, candidates);
      return { matches: remember(find), filter: find };
    }
    case 'named':
      return { matches: remember(() => findRightsWithWords(condition.words, searched)) };
    case 'changedSince':
      return { matches: () => findChangedRecords(searched) };
    case 'boundaryOfPlace':
    case 'minimumYears':
      throw new Error(`records have no ${condition.kind}`);
  }
}

async function findChangedRecords({ reader, comparedWith, caches }: ComparedRelease): Promise<RecordSet> {
  if (comparedWith === undefined) return new AllRecords(reader.facts.records);
  return (await findChanges(comparedWith, reader, caches)).changed;
}

/** Whatever lies somewhere lies here. */
export const WORLD = toBoundary({ type: 'Polygon', coordinates: [boxToRing([-180, -90, 180, 90])] });

function findRecordsWithMember(member: ComparedMember, searched: SearchableRelease): Promise<RecordSet> {
  const find = (): Promise<RecordSet> => {
    switch (member.kind) {
      case 'field':
      case 'owner':
      case 'organization':
        return findRecordsWithAnyText(member, searched);
      case 'number':
        return findRecordsWithNumber({ member }, searched);
      case 'firstDay':
      case 'lastDay':
      case 'published':
        return findRecordsWithDates({ kind: 'day', member }, searched);
      case 'geometry':
        return findRecordsInBoundary(WORLD, searched);
    }
  };
  return computeOnce(`any ${JSON.stringify(member)}`, searched, find);
}

/** Comparisons are found again by other conditions that have them. */
export async function computeOnce(
  key: string,
  { reader, caches }: SearchableRelease,
  find: () => Promise<RecordSet>,
): Promise<RecordSet> {
  return caches.getCache<RecordSet>('records').getOrCompute(`${reader.facts.releaseId}?${key}`, find, getByteLength);
}
