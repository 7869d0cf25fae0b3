// Which numbers of a release a condition is true of (architecture.md, "The way of a request"): of records here, of
// places in places/evaluate-places.ts. The plan is the same for both: what has sets of its own comes first (posting
// lists, texts, boundaries), then columns are gone through for what is left, or whole where nothing narrowed it. A
// negation is pushed down to what it negates, where it is what is left of the numbers that have the member: so the
// logic of three values costs one set a comparison (ADR 0075).

import {
  boundaryOf,
  conditionKey,
  conjunctsOfKind,
  isEverything,
  type ComparedMember,
  type Condition,
} from '../query/condition';
import { giveWayInTurn } from '../store/deadline';
import type { ReleaseReader } from '../store/port';
import { dayOfIsoDate } from '../values/dates';
import { ringOfBox } from '../values/geometry';
import { recordsWithDates, recordsWithNumber, type DateComparison } from './column-ranges';
import { recordsInBoundary } from './records-in-boundary';
import { recordsWithAnyText, recordsWithTerms, recordsWithText } from './text-conditions';
import { AllRecords, difference, intersection, NO_RECORDS, union, type RecordSet } from './index/record-set';
import { changesSince } from './release-changes';
import { rightsWithWords } from './index/name-words';
import { postingsOf } from './index/release-index';
import { byteLengthOf, type Searched } from './index/search-caches';

/** A release that is searched. */
export interface SearchedRelease extends Searched {
  /** The release that the data set had in the version of a condition on changes (D37); without one, all are changes. */
  readonly comparedWith?: ReleaseReader | undefined;
}

/** What a condition is true of, and of what it is either true or false. */
export interface Decision {
  readonly met: () => Promise<RecordSet>;
  readonly known: () => Promise<RecordSet>;
  /** The candidates, ascending, that meet a condition which is found by going through a column. */
  readonly among?: (candidates: Uint32Array) => Promise<RecordSet>;
}

/** What conditions are about: the records of a release, or its places. */
export interface ConditionSubject {
  /** Numbers from 0 to before this one. */
  readonly size: number;
  /** Undefined for what is made of other conditions and is decided by them. */
  readonly decide: (condition: Condition) => Decision | undefined;
}

/** The records of the release of which the condition is true. Throws ReleaseGoneError and DeadlinePassedError. */
export async function evaluate(condition: Condition, release: SearchedRelease): Promise<RecordSet> {
  const size = release.reader.facts.records;
  if (isEverything(condition)) return new AllRecords(size);
  const find = (): Promise<RecordSet> => numbersMeeting(condition, { size, decide: (one) => decide(one, release) });
  return remembered(conditionKey(condition), release, find);
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
    return isNegated ? difference(await decision.known(), met, size) : met;
  }
  if (condition.kind === 'not') return numbersMeeting(condition.of, subject, !isNegated);
  if (condition.kind !== 'all' && condition.kind !== 'any') throw new Error(`nothing decides ${condition.kind}`);
  if (condition.kind === 'all' && !isNegated) return numbersMeetingAll(condition.of, subject);
  const sets: RecordSet[] = [];
  for (const one of condition.of) sets.push(await numbersMeeting(one, subject, isNegated));
  // Not one of several is true where each of them is false.
  return condition.kind === 'any' && isNegated ? intersection([new AllRecords(size), ...sets]) : union(sets);
}

/** Cheap conditions are looked for first, and none once nothing is left. */
async function numbersMeetingAll(conditions: readonly Condition[], subject: ConditionSubject): Promise<RecordSet> {
  const { size } = subject;
  const sets: RecordSet[] = [new AllRecords(size)];
  const passes: Required<Decision>[] = [];
  for (const one of conditions.toSorted((a, b) => costOf(a) - costOf(b))) {
    const { met, known, among } = subject.decide(one) ?? {};
    if (met !== undefined && known !== undefined && among !== undefined) {
      passes.push({ met, known, among });
      continue;
    }
    const set = await numbersMeeting(one, subject);
    if (set.size === 0) return NO_RECORDS;
    sets.push(set);
  }
  let found = intersection(sets);
  for (const { met, among } of passes) {
    if (found.size === 0) return NO_RECORDS;
    found = found.size === size ? await met() : await among(found.numbers());
  }
  return found;
}

function costOf({ kind }: Condition): number {
  return kind === 'term' ? 0 : kind === 'boundary' ? 2 : 1;
}

function decide(condition: Condition, searched: SearchedRelease): Decision | undefined {
  const all = new AllRecords(searched.reader.facts.records);
  const remember = (find: () => Promise<RecordSet>) => () => remembered(conditionKey(condition), searched, find);
  switch (condition.kind) {
    case 'all':
    case 'any':
    case 'not':
      return undefined;
    case 'missing':
      return missingIn(all.size, having(condition.member, searched));
    case 'term': {
      const { field, terms } = condition;
      return { met: () => recordsWithTerms(terms, searched), known: having({ kind: 'field', field }, searched) };
    }
    case 'text': {
      const { member, test } = condition;
      return { met: remember(() => recordsWithText(member, test, searched)), known: having(member, searched) };
    }
    case 'boundary': {
      const { boundary } = condition;
      const known = having({ kind: 'geometry' }, searched);
      return { met: remember(() => recordsInBoundary(boundary, searched)), known };
    }
    case 'number': {
      const find = (candidates?: Uint32Array): Promise<RecordSet> => recordsWithNumber(condition, searched, candidates);
      return { met: remember(find), known: having(condition.member, searched), among: find };
    }
    case 'day':
    case 'within':
    case 'during': {
      const find = (candidates?: Uint32Array): Promise<RecordSet> => recordsWithDates(condition, searched, candidates);
      return { met: remember(find), known: datedRecords(condition, searched), among: find };
    }
    case 'named':
      return { met: remember(() => rightsWithWords(condition.words, searched)), known: () => Promise.resolve(all) };
    case 'changedSince':
      return { met: () => changedRecords(searched), known: () => Promise.resolve(all) };
    case 'boundaryOfPlace':
    case 'minimumYears':
      throw new Error(`records have no ${condition.kind}`);
  }
}

/** Whether a value is missing is known of every number. */
export function missingIn(size: number, findHaving: () => Promise<RecordSet>): Decision {
  const all = new AllRecords(size);
  return { met: async () => difference(all, await findHaving(), size), known: () => Promise.resolve(all) };
}

/** The records of which a comparison of dates is known. */
function datedRecords(condition: DateComparison, searched: Searched): () => Promise<RecordSet> {
  switch (condition.kind) {
    case 'day':
      return having(condition.member, searched);
    case 'within':
      return () => recordsWithDates({ kind: 'within', dates: condition.dates }, searched);
    case 'during':
      return () => Promise.resolve(new AllRecords(searched.reader.facts.records));
  }
}

async function changedRecords({ reader, comparedWith, caches }: SearchedRelease): Promise<RecordSet> {
  if (comparedWith === undefined) return new AllRecords(reader.facts.records);
  return (await changesSince(comparedWith, reader, caches)).changed;
}

/** Whatever lies somewhere lies here. */
export const WORLD = boundaryOf({ type: 'Polygon', coordinates: [ringOfBox([-180, -90, 180, 90])] });

/** Finds the records that have the member. */
function having(member: ComparedMember, searched: Searched): () => Promise<RecordSet> {
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
  return () => remembered(`any ${JSON.stringify(member)}`, searched, find);
}

/** Comparisons are found again by other conditions that have them. */
export async function remembered(
  key: string,
  { reader, caches }: Searched,
  find: () => Promise<RecordSet>,
): Promise<RecordSet> {
  return caches.partOf<RecordSet>('records').remember(`${reader.facts.releaseId}?${key}`, find, byteLengthOf);
}
