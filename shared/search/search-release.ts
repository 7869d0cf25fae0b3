// The records of one release that match criteria (architecture.md, "The way of a request"): posting lists united and
// intersected, the boundary resolved to places, the time ranges scanned last, over what is left.

import { changesSince } from './release-changes';
import { currentDeadline } from '../store/deadline';
import type { ReleaseReader } from '../store/port';
import { dayOfIsoDate } from '../values/dates';
import { hasPeriod, type Criteria, type Period } from '../query/criteria';
import { allWithinNumbers, candidatesWithinNumbers } from './conditions/number-ranges';
import { recordsOfOwners } from './index/owner-index';
import { allWithin, candidatesWithin } from './index/period-column';
import { recordsMeeting } from './conditions/conditions';
import { recordsOfBoundary } from './conditions/records-in-boundary';
import {
  AllRecords,
  intersection,
  ListedRecords,
  markedRecords,
  NO_RECORDS,
  union,
  type RecordSet,
} from './index/record-set';
import { ownersOf, periodColumnOf, postingsOf, type TimeColumn } from './release/release-index';
import type { SearchCaches } from './release/search-caches';

/** Whether the terms and the period of a release let it match at all, which shows without a search. */
export async function canMatch(reader: ReleaseReader, criteria: Criteria, caches: SearchCaches): Promise<boolean> {
  const { period, published } = criteria;
  const { firstDay, lastDay, lastPublicationDay } = reader.facts;
  if (period.from !== undefined && (lastDay === null || period.from > dayOfIsoDate(lastDay))) return false;
  if (period.to !== undefined && (firstDay === null || period.to < dayOfIsoDate(firstDay))) return false;
  if (hasPeriod(published) && lastPublicationDay === null) return false;
  if (criteria.terms.length === 0) return true;
  const postings = await postingsOf(reader, criteria.terms, caches);
  return postings.every((alternatives) => alternatives.some((set) => set.size > 0));
}

export async function hasTerm(reader: ReleaseReader, terms: readonly string[], caches: SearchCaches): Promise<boolean> {
  const [sets = []] = await postingsOf(reader, [terms], caches);
  return sets.some((set) => set.size > 0);
}

/** A release that is searched. */
export interface SearchedRelease {
  readonly reader: ReleaseReader;
  /** Only records that this former release of the data set lacks or has otherwise are found (D37). */
  readonly comparedWith?: ReleaseReader | undefined;
}

/** `key` is criteriaKey(criteria), made once for all releases. */
export async function searchRelease(
  { reader, comparedWith }: SearchedRelease,
  criteria: Criteria,
  key: string,
  caches: SearchCaches,
): Promise<RecordSet> {
  if (isEverything(criteria) && comparedWith === undefined) return new AllRecords(reader.facts.records);
  const cacheKey = `${reader.facts.releaseId}?${key}`;
  const known = caches.records.get(cacheKey);
  if (known !== undefined) return known;
  const matching = await resolve(reader, criteria, caches);
  const changes = comparedWith && (await changesSince(comparedWith, reader, caches));
  const found = changes === undefined ? matching : intersection([matching, changes.changed]);
  caches.records.set(cacheKey, found, found.byteLength);
  return found;
}

/** Whether all records of a release match. */
export function isEverything(criteria: Criteria): boolean {
  const { terms, boundary, owners, numbers, condition } = criteria;
  const isUnbound = [boundary, owners, numbers, condition].every((part) => part === undefined);
  return isUnbound && terms.length === 0 && rangesOf(criteria).length === 0;
}

async function resolve(reader: ReleaseReader, criteria: Criteria, caches: SearchCaches): Promise<RecordSet> {
  currentDeadline().check();
  const sets: RecordSet[] = [];
  for (const alternatives of await postingsOf(reader, criteria.terms, caches)) {
    const set = union(alternatives);
    if (set.size === 0) return NO_RECORDS;
    sets.push(set);
  }
  if (criteria.owners !== undefined) {
    sets.push(await recordsOfOwners(await ownersOf(reader, caches), criteria.owners, reader.facts.records));
  }
  if (criteria.boundary !== undefined) sets.push(await recordsOfBoundary(reader, criteria.boundary, caches));
  if (criteria.condition !== undefined) sets.push(await recordsMeeting(criteria.condition, { reader, caches }));
  let found = sets.length === 0 ? undefined : intersection(sets);
  for (const { column, range } of rangesOf(criteria)) {
    if (found?.size === 0) return NO_RECORDS;
    const dates = await periodColumnOf(reader, column, caches);
    found =
      found === undefined
        ? markedRecords(allWithin(dates, range))
        : new ListedRecords(candidatesWithin(dates, range, found.numbers()));
  }
  for (const range of criteria.numbers ?? []) {
    found =
      found === undefined
        ? await allWithinNumbers(reader, range, caches)
        : await candidatesWithinNumbers(reader, range, caches, found.numbers());
  }
  return found ?? new AllRecords(reader.facts.records);
}

function rangesOf({ period, published }: Criteria): readonly { readonly column: TimeColumn; readonly range: Period }[] {
  const ranges = [
    { column: 'periods', range: period },
    { column: 'publications', range: published },
  ] as const;
  return ranges.flatMap(({ column, range }) => (hasPeriod(range) ? [{ column, range }] : []));
}
