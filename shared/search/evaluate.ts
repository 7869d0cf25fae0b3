// Which numbers of a release a condition is true of (architecture.md, "The way of a request"): of records here, of
// places in places/evaluate-places.ts. The plan is the same for both: what has sets of its own comes first (posting
// lists, texts, boundaries), then columns are gone through for what is left, or whole where nothing narrowed it. A
// negation is pushed down to what it negates, where it is what is left of the numbers that have the member: so the
// logic of three values costs one set a comparison (ADR 0075).

import {
  boundaryOf,
  type ComparedMember,
  type Condition,
  conditionKey,
  conjunctsOfKind,
  isEverything,
} from '../query/condition';
import { giveWayInTurn } from '../store/deadline';
import type { ReleaseReader } from '../store/port';
import { dayOfIsoDate } from '../values/dates';
import { ringOfBox } from '../values/geometry';
import { recordsWithDates, recordsWithNumber } from './column-ranges';
import { rightsWithWords } from './index/name-words';
import { AllRecords, difference, intersection, NO_RECORDS, type RecordSet, union } from './index/record-set';
import { postingsOf } from './index/release-index';
import { byteLengthOf, type Searched } from './index/search-caches';
import { recordsInBoundary } from './records-in-boundary';
import { changesSince } from './release-changes';
import { recordsWithAnyText, recordsWithTerms, recordsWithText } from './text-conditions';

/** A release that is searched. */
export interface SearchedRelease extends Searched {
  /** The release that the data set had in the version of a condition on changes (D37); without one, all are changes. */
  readonly comparedWith?: ReleaseReader | undefined;
}

/** What a comparison is true of. */
export interface Decision {
  readonly met: () => Promise<RecordSet>;
  /** The numbers of which it is either true or false, where they are not those with the member that it compares. */
  readonly known?: () => Promise<RecordSet>;
  /** The candidates, ascending, that meet a condition which is found by going through a column. */
  readonly among?: (candidates: Uint32Array) => Promise<RecordSet>;
}

/** What conditions are about: the records of a release, or its places. */
export interface ConditionSubject {
  /** Numbers from 0 to before this one. */
  readonly size: number;
  /** Undefined for what is made of other conditions and is decided by them. */
  readonly decide: (condition: Condition) => Decision | undefined;
  /** Finds the numbers that have the member. */
  readonly having: (member: ComparedMember) => Promise<RecordSet>;
}

/** The records of the release of which the condition is true. Throws ReleaseGoneError and DeadlinePassedError. */
export async function evaluate(condition: Condition, release: SearchedRelease): Promise<RecordSet> {
  const size = release.reader.facts.records;
  if (isEverything(condition)) return new AllRecords(size);
  const subject: ConditionSubject = {
    size,
    decide: (one) => decide(one, release),
    having: (member) => recordsHaving(member, release),
  };
  return remembered(conditionKey(condition), release, () => numbersMeeting(condition, subject));
}

/** Whether the terms and the period of a release let it match at all, which shows without a search. */
export async function canMatch(searched: Searched, condition: Condition): Promise<boolean> {
  const { firstDay, lastDay, lastPublicationDay } = searched.reader.facts;
  for (const { dates, from, to } of conjunctsOfKind(condition, 'within')) {
    if (dates === 'published') {
      if (lastPublicationDay === null) return false;
    } else {
      if (from !== undefined && (lastDay === null || from > dayOfIsoDate(lastDay))) return false;
      if (to !== undefined && (firstDay === null || to < dayOfIsoDate(firstDay))) return false;
    }
  }
  // The posting lists of all terms are read at once here, and found in memory by the search.
  const terms = conjunctsOfKind(condition, 'term').map((one) => one.terms);
  if (terms.length === 0) return true;
  const postings = await postingsOf(searched, terms);
  return postings.every((alternatives) => alternatives.some((set) => set.size > 0));
}

/** The numbers of the subject of which the condition is true. Throws DeadlinePassedError. */
export async function numbersMeeting(
  condition: Condition,
  subject: ConditionSubject,
  isNegated = false,
): Promise<RecordSet> {
  const { size } = subject;
  await giveWayInTurn();
  const decision = subject.decide(condition);
  if (decision !== undefined) {
    const met = await decision.met();
    if (!isNegated) return met;
    return difference(await (decision.known ?? (() => numbersKnown(condition, subject)))(), met, size);
  }
  if (condition.kind === 'missing') {
    const having = await subject.having(condition.member);
    return isNegated ? having : difference(new AllRecords(size), having, size);
  }
  if (condition.kind === 'not') return numbersMeeting(condition.of, subject, !isNegated);
  if (condition.kind !== 'all' && condition.kind !== 'any') throw new Error(`nothing decides ${condition.kind}`);
  if (condition.kind === 'all' && !isNegated) return numbersMeetingAll(condition.of, subject);
  const sets: RecordSet[] = [];
  for (const one of condition.of) sets.push(await numbersMeeting(one, subject, isNegated));
  // Not one of several is true where each of them is false.
  return condition.kind === 'any' && isNegated ? intersection([new AllRecords(size), ...sets]) : union(sets);
}

/** The numbers of which a comparison is true or false: those with the member that it compares. */
async function numbersKnown(condition: Condition, { size, having }: ConditionSubject): Promise<RecordSet> {
  if (condition.kind === 'term') return having({ kind: 'field', field: condition.field });
  if (condition.kind === 'boundary') return having({ kind: 'geometry' });
  return 'member' in condition ? having(condition.member) : new AllRecords(size);
}

/** Cheap conditions are looked for first, and none once nothing is left. */
async function numbersMeetingAll(conditions: readonly Condition[], subject: ConditionSubject): Promise<RecordSet> {
  const { size } = subject;
  const sets: RecordSet[] = [new AllRecords(size)];
  const passes: Required<Pick<Decision, 'met' | 'among'>>[] = [];
  for (const one of conditions.toSorted((a, b) => costOf(a) - costOf(b))) {
    const { met, among } = subject.decide(one) ?? {};
    if (met !== undefined && among !== undefined) {
      passes.push({ met, among });
      continue;
    }
    const set = await numbersMeeting(one, subject);
    if (set.size === 0) return NO_RECORDS;
    sets.push(set);
  }
  let found = intersection(sets);
  for (const { met, among } of passes) {
    if (found.size === 0) return NO_RECORDS;
    found = found.size === size ? await met() : await among(found.slice());
  }
  return found;
}

function costOf({ kind }: Condition): number {
  return kind === 'term' ? 0 : kind === 'boundary' ? 2 : 1;
}

function decide(condition: Condition, searched: SearchedRelease): Decision | undefined {
  const remember = (find: () => Promise<RecordSet>) => () => remembered(conditionKey(condition), searched, find);
  switch (condition.kind) {
    case 'all':
    case 'any':
    case 'not':
    case 'missing':
      return undefined;
    case 'term':
      return { met: () => recordsWithTerms(condition.terms, searched) };
    case 'text':
      return { met: remember(() => recordsWithText(condition.member, condition.test, searched)) };
    case 'boundary':
      return { met: remember(() => recordsInBoundary(condition.boundary, searched)) };
    case 'number': {
      const find = (candidates?: Uint32Array): Promise<RecordSet> => recordsWithNumber(condition, searched, candidates);
      return { met: remember(find), among: find };
    }
    case 'within': {
      const { kind, dates } = condition;
      const find = (candidates?: Uint32Array): Promise<RecordSet> => recordsWithDates(condition, searched, candidates);
      return { met: remember(find), known: () => recordsWithDates({ kind, dates }, searched), among: find };
    }
    case 'day':
    case 'during': {
      const find = (candidates?: Uint32Array): Promise<RecordSet> => recordsWithDates(condition, searched, candidates);
      return { met: remember(find), among: find };
    }
    case 'named':
      return { met: remember(() => rightsWithWords(condition.words, searched)) };
    case 'changedSince':
      return { met: () => changedRecords(searched) };
    case 'boundaryOfPlace':
    case 'minimumYears':
      throw new Error(`records have no ${condition.kind}`);
  }
}

async function changedRecords({ reader, comparedWith, caches }: SearchedRelease): Promise<RecordSet> {
  if (comparedWith === undefined) return new AllRecords(reader.facts.records);
  return (await changesSince(comparedWith, reader, caches)).changed;
}

/** Whatever lies somewhere lies here. */
export const WORLD = boundaryOf({ type: 'Polygon', coordinates: [ringOfBox([-180, -90, 180, 90])] });

function recordsHaving(member: ComparedMember, searched: Searched): Promise<RecordSet> {
  const find = (): Promise<RecordSet> => {
    switch (member.kind) {
      case 'field':
      case 'owner':
      case 'organization':
        return recordsWithAnyText(member, searched);
      case 'number':
        return recordsWithNumber({ member }, searched);
      case 'firstDay':
      case 'lastDay':
      case 'published':
        return recordsWithDates({ kind: 'day', member }, searched);
      case 'geometry':
        return recordsInBoundary(WORLD, searched);
    }
  };
  return remembered(`any ${JSON.stringify(member)}`, searched, find);
}

/** Comparisons are found again by other conditions that have them. */
export async function remembered(
  key: string,
  { reader, caches }: Searched,
  find: () => Promise<RecordSet>,
): Promise<RecordSet> {
  return caches.partOf<RecordSet>('records').remember(`${reader.facts.releaseId}?${key}`, find, byteLengthOf);
}
