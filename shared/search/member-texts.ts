// Filters records by the exact text of a member, if the index has the text only in folded form or not at all: the
// identifiers and the owner of rights (ADR 0075). As few records as possible are read, and their texts stay in memory.

import type { TextTest } from '../query/condition';
import { getCurrentDeadline, giveWayIfSliceOver } from '../store/deadline';
import { toListText } from '../store/joined-fragments';
import type { ReleaseReader } from '../store/port';
import { findFirstNotBelow, numberAt } from '../values/number-arrays';
import { AllRecords, ListedRecords, type RecordSet } from './index/record-set';
import type { SearchableRelease } from './index/search-caches';
import { extractTexts } from './json-texts';
import { createTextMatcher } from './text-matcher';

/** Number of records to read at once (a few megabytes). */
const RECORDS_AT_ONCE = 2048;

/** Approximate memory of a text besides its characters. */
const TEXT_OBJECT_BYTES = 24;

/** A member's text in each of several records, in their order; null if a record has no text. */
type MemberTexts = readonly (string | null)[];

/**
 * Returns the candidates whose member exactly equals one of the texts. Reads only the candidates. Throws
 * DeadlinePassedError.
 */
export async function filterBySpelling(
  candidates: RecordSet,
  member: string,
  spellings: readonly string[],
  reader: ReleaseReader,
): Promise<RecordSet> {
  const isMatch = new Set<string | null>(spellings);
  const matches: number[] = [];
  for (let from = 0; from < candidates.size; from += RECORDS_AT_ONCE) {
    await giveWayIfSliceOver();
    const numbers = candidates.slice(from, from + RECORDS_AT_ONCE);
    const texts = await readMemberTexts(numbers, member, reader);
    texts.forEach((text, index) => {
      if (isMatch.has(text)) matches.push(numberAt(numbers, index));
    });
  }
  return new ListedRecords(Uint32Array.from(matches));
}

/**
 * Returns the candidates whose text passes the test. The first test of a member reads all chunks of records that have
 * candidates; later tests find the texts in memory. Throws DeadlinePassedError; texts that were already read stay in
 * memory for the next request.
 */
export async function filterByText(
  candidates: RecordSet,
  member: string,
  test: TextTest,
  release: SearchableRelease,
): Promise<RecordSet> {
  const numbers = candidates.slice();
  const isMatch = createTextMatcher(test);
  const deadline = getCurrentDeadline();
  const matches: number[] = [];
  let index = 0;
  while (index < numbers.length) {
    await giveWayIfSliceOver();
    const chunk = Math.floor(numberAt(numbers, index) / RECORDS_AT_ONCE);
    const first = chunk * RECORDS_AT_ONCE;
    const end = findFirstNotBelow(numbers, first + RECORDS_AT_ONCE, index);
    const texts = await loadChunkTexts(chunk, member, release);
    for (; index < end; index++) {
      if (deadline.isSliceOver()) await deadline.giveWay();
      const record = numberAt(numbers, index);
      const text = texts[record - first] ?? null;
      if (text !== null && isMatch(text)) matches.push(record);
    }
  }
  return new ListedRecords(Uint32Array.from(matches));
}

async function loadChunkTexts(
  chunk: number,
  member: string,
  { reader, caches }: SearchableRelease,
): Promise<MemberTexts> {
  const first = chunk * RECORDS_AT_ONCE;
  const end = Math.min(first + RECORDS_AT_ONCE, reader.facts.records);
  return caches.getCache<MemberTexts>('memberTexts').getOrCompute(
    `${reader.facts.releaseId}/${member}/${chunk}`,
    () => readMemberTexts(new AllRecords(end).slice(first, end), member, reader),
    (texts) => texts.reduce((sum, text) => sum + TEXT_OBJECT_BYTES + 2 * (text?.length ?? 0), 0),
  );
}

async function readMemberTexts(numbers: Uint32Array, member: string, reader: ReleaseReader): Promise<MemberTexts> {
  return extractTexts(toListText(await reader.texts('records', numbers)), member);
}
