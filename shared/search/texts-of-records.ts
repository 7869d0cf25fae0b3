// Which records have a text that meets a test, where the index knows it folded alone or not as a text: the identifiers
// and the owner of rights (ADR 0075). Their texts are read from the records, as few as can be, and stay in memory.

import type { TextTest } from '../query/condition';
import { currentDeadline, giveWayInTurn } from '../store/deadline';
import { listText } from '../store/fragments';
import type { ReleaseReader } from '../store/port';
import { firstNotBelow, numberAt } from '../values/numbers';
import { compareUtf8 } from '../values/text';
import { AllRecords, ListedRecords, type RecordSet } from './index/record-set';
import { beginningOfPattern, isBefore, textMatcher } from './text-matcher';
import type { Searched } from './index/search-caches';

/** So many records have some megabytes. */
const RECORDS_AT_ONCE = 2048;

/** What a text in memory takes beside its characters, about. */
const TEXT_OBJECT_BYTES = 24;

/** The member by which records stand in their order (D17), among those that have it. */
const ORDERED_MEMBER = 'AllocationUUID';

/** The texts of a member of some neighbouring records; null where one has none. */
type MemberTexts = readonly (string | null)[];

/** Those of the candidates whose member is one of the texts; none but the candidates is read. */
export async function recordsSpelled(
  candidates: RecordSet,
  member: string,
  texts: readonly string[],
  reader: ReleaseReader,
): Promise<RecordSet> {
  const wanted = new Set<string | null>(texts);
  const found: number[] = [];
  for (let from = 0; from < candidates.size; from += RECORDS_AT_ONCE) {
    await giveWayInTurn();
    const numbers = candidates.slice(from, from + RECORDS_AT_ONCE);
    const read = await readTexts(numbers, member, reader);
    for (let at = 0; at < read.length; at++) if (wanted.has(read[at] ?? null)) found.push(numberAt(numbers, at));
  }
  return new ListedRecords(Uint32Array.from(found));
}

/**
 * Those of the candidates, which have the member, whose text meets the test. The first test of a member reads the
 * records of a release once. Throws DeadlinePassedError; what was read until then is not read again.
 */
export async function recordsTested(
  candidates: RecordSet,
  member: string,
  test: TextTest,
  { reader, caches }: Searched,
): Promise<RecordSet> {
  const all = candidates.numbers();
  const textOf = async (record: number): Promise<string> =>
    (await readTexts(Uint32Array.of(record), member, reader))[0] ?? '';
  const { numbers, isExact } =
    member === ORDERED_MEMBER ? await narrowedByOrder(all, test, textOf) : { numbers: all, isExact: false };
  if (isExact) return new ListedRecords(numbers);
  const matches = textMatcher(test);
  const found: number[] = [];
  for (let at = 0; at < numbers.length;) {
    await giveWayInTurn();
    const chunk = Math.floor(numberAt(numbers, at) / RECORDS_AT_ONCE);
    const first = chunk * RECORDS_AT_ONCE;
    const end = firstNotBelow(numbers, first + RECORDS_AT_ONCE, at);
    const texts = await textsOfChunk(chunk, member, { reader, caches });
    for (; at < end; at++) {
      const record = numberAt(numbers, at);
      const text = texts[record - first] ?? null;
      if (text !== null && matches(text)) found.push(record);
    }
  }
  return new ListedRecords(Uint32Array.from(found));
}

async function textsOfChunk(chunk: number, member: string, { reader, caches }: Searched): Promise<MemberTexts> {
  const first = chunk * RECORDS_AT_ONCE;
  const end = Math.min(first + RECORDS_AT_ONCE, reader.facts.records);
  return caches.partOf<MemberTexts>('memberTexts').remember(
    `${reader.facts.releaseId}/${member}/${chunk}`,
    () => readTexts(new AllRecords(end).slice(first, end), member, reader),
    (texts) => texts.reduce((sum, text) => sum + TEXT_OBJECT_BYTES + 2 * (text?.length ?? 0), 0),
  );
}

/** `member` is a text of the record itself, which no object inside of it has. */
async function readTexts(numbers: Uint32Array, member: string, reader: ReleaseReader): Promise<MemberTexts> {
  // Parsing whole records takes many times as long. No value has the name inside: there, its quotes are escaped.
  const found = new RegExp(`"${member}":(?:null|("[^"\\\\]*(?:\\\\.[^"\\\\]*)*"))`, 'g');
  const records = listText(await reader.records(numbers));
  return Array.from(records.matchAll(found), ([, json]) => (json === undefined ? null : textOfJson(json)));
}

function textOfJson(json: string): string {
  return json.includes('\\') ? (JSON.parse(json) as string) : json.slice(1, -1); // The loader wrote a text.
}

// Records stand in the order of their identifiers, by UTF-8 bytes (D17). So those within an interval, or with texts
// that begin alike, follow one another, and both ends are found by bisection: some twenty texts are read, however many
// records there are.

/** Records of which none but the given ones can meet a test; where it is exact, each of them does. */
interface Narrowed {
  readonly numbers: Uint32Array;
  readonly isExact: boolean;
}

/** `numbers` are ascending, and so are their texts. */
async function narrowedByOrder(
  numbers: Uint32Array,
  test: TextTest,
  textOf: (record: number) => Promise<string>,
): Promise<Narrowed> {
  if (test.isFolded || test.kind === 'one of' || test.kind === 'contains') return { numbers, isExact: false };
  if (test.kind === 'between') {
    const { least, most } = test;
    const from = await firstThat(
      numbers,
      textOf,
      (text) => least === undefined || isBefore(least.value, text, least.isIncluded),
    );
    const to = await firstThat(
      numbers,
      textOf,
      (text) => most !== undefined && !isBefore(text, most.value, most.isIncluded),
    );
    return { numbers: numbers.subarray(from, Math.max(from, to)), isExact: true };
  }
  const { text: beginning, isAllOfIt } = beginningOfPattern(test.pattern);
  const from = await firstThat(numbers, textOf, (text) => compareUtf8(text, beginning) >= 0);
  const to = await firstThat(
    numbers,
    textOf,
    (text) => compareUtf8(text, beginning) > 0 && !text.startsWith(beginning),
  );
  return { numbers: numbers.subarray(from, to), isExact: isAllOfIt };
}

/** The index of the first record whose text is so, as all behind it are; that behind the last where none is. */
async function firstThat(
  numbers: Uint32Array,
  textOf: (record: number) => Promise<string>,
  isSo: (text: string) => boolean,
): Promise<number> {
  let [low, high] = [0, numbers.length];
  while (low < high) {
    currentDeadline().check();
    const middle = (low + high) >>> 1;
    if (isSo(await textOf(numberAt(numbers, middle)))) high = middle;
    else low = middle + 1;
  }
  return low;
}
