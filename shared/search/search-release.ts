// The records of one release that match criteria (architecture.md, "The way of a request"): posting lists united and
// intersected, the boundary resolved to places, the time ranges scanned last, over what is left.

import { currentDeadline } from '../store/deadline';
import type { ArtifactName, ReleaseReader } from '../store/port';
import { dayOfIsoDate } from '../values/dates';
import { hasPeriod, type Boundary, type Criteria, type Period } from '../query/criteria';
import { allWithin, candidatesWithin, readPeriodColumn, type PeriodColumn } from './period-column';
import { readPlaceIndex, type PlaceIndex } from './place-index';
import { recordsInBoundary } from './records-in-boundary';
import {
  allRecords,
  intersection,
  listedRecords,
  markedRecords,
  NO_RECORDS,
  readRecordSet,
  union,
  type RecordSet,
} from './record-set';
import type { SearchCaches } from './search-caches';

/** Whether the vocabulary and the period of a release leave it a chance to match: known without a search. */
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

/** Whether a release has a record with any of the terms. */
export async function hasTerm(reader: ReleaseReader, terms: readonly string[], caches: SearchCaches): Promise<boolean> {
  const [sets = []] = await postingsOf(reader, [terms], caches);
  return sets.some((set) => set.size > 0);
}

/** `key` is criteriaKey(criteria), made once for all releases. */
export async function searchRelease(
  reader: ReleaseReader,
  criteria: Criteria,
  key: string,
  caches: SearchCaches,
): Promise<RecordSet> {
  if (criteria.terms.length === 0 && criteria.boundary === undefined && rangesOf(criteria).length === 0) {
    return allRecords(reader.facts.records);
  }
  const cacheKey = `${reader.facts.releaseId}?${key}`;
  const known = caches.records.get(cacheKey);
  if (known !== undefined) return known;
  const found = await resolve(reader, criteria, caches);
  caches.records.set(cacheKey, found, found.byteLength);
  return found;
}

async function resolve(reader: ReleaseReader, criteria: Criteria, caches: SearchCaches): Promise<RecordSet> {
  currentDeadline().check();
  const sets: RecordSet[] = [];
  for (const alternatives of await postingsOf(reader, criteria.terms, caches)) {
    const set = union(alternatives);
    if (set.size === 0) return NO_RECORDS;
    sets.push(set);
  }
  if (criteria.boundary !== undefined) sets.push(await resolveBoundary(reader, criteria.boundary, caches));
  let found = sets.length === 0 ? undefined : intersection(sets);
  for (const { column, range } of rangesOf(criteria)) {
    if (found?.size === 0) return NO_RECORDS;
    const dates = await columnOf(reader, column, caches);
    found =
      found === undefined
        ? markedRecords(allWithin(dates, range))
        : listedRecords(candidatesWithin(dates, range, found.numbers()));
  }
  return found ?? allRecords(reader.facts.records);
}

type TimeColumn = Extract<ArtifactName, 'periods' | 'publications'>;

/** The period columns to scan, and for what. */
function rangesOf({ period, published }: Criteria): readonly { readonly column: TimeColumn; readonly range: Period }[] {
  const ranges = [
    { column: 'periods', range: period },
    { column: 'publications', range: published },
  ] as const;
  return ranges.flatMap(({ column, range }) => (hasPeriod(range) ? [{ column, range }] : []));
}

/** For each OR the posting lists of its terms that the release has, read together. */
async function postingsOf(
  reader: ReleaseReader,
  terms: Criteria['terms'],
  caches: SearchCaches,
): Promise<readonly (readonly RecordSet[])[]> {
  const keyOf = (term: string): string => `${reader.facts.releaseId}/${term}`;
  const unknown = [...new Set(terms.flat())].filter((term) => caches.records.get(keyOf(term)) === undefined);
  const contents = unknown.length === 0 ? [] : await reader.postings(unknown);
  const read = new Map<string, RecordSet>();
  unknown.forEach((term, index) => {
    const content = contents[index];
    const set = content === undefined ? NO_RECORDS : readRecordSet(content);
    read.set(term, set);
    caches.records.set(keyOf(term), set, set.byteLength);
  });
  const setOf = (term: string): RecordSet => read.get(term) ?? caches.records.get(keyOf(term)) ?? NO_RECORDS;
  return terms.map((alternatives) => alternatives.map(setOf));
}

async function resolveBoundary(reader: ReleaseReader, boundary: Boundary, caches: SearchCaches): Promise<RecordSet> {
  const key = `${reader.facts.releaseId}@${boundary.digest}`;
  const known = caches.records.get(key);
  if (known !== undefined) return known;
  const found = await recordsInBoundary(reader, await placesOf(reader, caches), boundary);
  caches.records.set(key, found, found.byteLength);
  return found;
}

async function columnOf(reader: ReleaseReader, name: TimeColumn, caches: SearchCaches): Promise<PeriodColumn> {
  const key = `${reader.facts.releaseId}/${name}`;
  const known = caches.columns.get(key);
  if (known !== undefined) return known;
  const content = await reader.artifact(name);
  if (content === undefined) throw new Error(`a release without ${name}`);
  const column = readPeriodColumn(content);
  caches.columns.set(key, column, content.byteLength);
  return column;
}

async function placesOf(reader: ReleaseReader, caches: SearchCaches): Promise<PlaceIndex> {
  const { releaseId } = reader.facts;
  const known = caches.places.get(releaseId);
  if (known !== undefined) return known;
  const content = await reader.artifact('places');
  if (content === undefined) throw new Error('a release without places');
  const places = readPlaceIndex(content);
  caches.places.set(releaseId, places, places.byteLength);
  return places;
}
