// Owners by name, over all rights of a state (D60). The distinct owners of each release are in memory for searches of
// their parts (D35). What is made of them here, once, is one list of all with how many rights AllocationOwner finds for
// each: those of every owner that contains it.

import { allocationOwner } from '../../query/filters';
import { NO_COUNTS, type FoundItem } from '../../records/found';
import { currentDeadline } from '../../store/deadline';
import { firstThat, numberAt } from '../../values/numbers';
import { compareUtf8, foldName } from '../../values/text';
import { runsOfOwner, textOfOwner } from '../index/owner-index';
import { ownersOf } from '../index/release-index';
import { byteLengthOf, type SearchCaches } from '../index/search-caches';
import type { ReadRelease } from '../plan-page';
import {
  compareRanked,
  filterText,
  matchOf,
  type FoundNames,
  type Match,
  type NameQuery,
  type RankedItem,
} from './ranked';
import { textOf, textsOf } from './release-names';

interface OwnerList {
  /** The folded names, each behind a line feed. */
  readonly text: string;
  /** Where in the text each name ends. */
  readonly ends: Uint32Array;
  /** The first release that has it, and its number there. */
  readonly sources: Uint32Array;
  /** How many rights have an owner that contains it. */
  readonly records: Float64Array;
  readonly byteLength: number;
}

interface FoundOwner {
  readonly owner: number;
  readonly match: Match;
  readonly records: number;
  readonly folded: string;
}

export async function findOwners(
  all: readonly ReadRelease[],
  query: NameQuery,
  caches: SearchCaches,
): Promise<FoundNames> {
  const releases = all.filter(({ reader }) => reader.facts.dataSet === 'WaterAllocations');
  const key = releases.map(({ reader }) => reader.facts.releaseId).join(' ');
  const make = (): Promise<OwnerList> => listOwners(releases, caches);
  const list = await caches.partOf<OwnerList>('namedOwners').remember(key, make, byteLengthOf);
  const found = [...ownersWithWords(list, query)].sort(
    (a, b) => a.match - b.match || b.records - a.records || compareUtf8(a.folded, b.folded),
  );
  return { total: found.length, ranked: itemsOf(found, list, releases, caches) };
}

/** Goes through the text by the longest word, which the fewest names have. */
function* ownersWithWords({ text, ends, records }: OwnerList, query: NameQuery): Iterable<FoundOwner> {
  const anchor = query.words.reduce((longest, word) => (word.length > longest.length ? word : longest), '');
  let owner = 0;
  for (let at = text.indexOf(anchor); at !== -1; at = text.indexOf(anchor, at)) {
    const before = text[at - 1];
    if (before !== ' ' && before !== '\n') {
      at++;
      continue;
    }
    owner = firstThat(owner, ends.length, (index) => numberAt(ends, index) > at);
    const end = numberAt(ends, owner);
    const folded = text.slice(owner === 0 ? 1 : numberAt(ends, owner - 1) + 1, end);
    const match = matchOf(query, { folded, identifier: '' });
    if (match !== undefined) yield { owner, match, records: numberAt(records, owner), folded };
    at = end;
  }
}

/** Owners that are read at once, and those that are equal to the last one in all that is known without reading. */
const OWNERS_AT_ONCE = 20;

async function* itemsOf(
  found: readonly FoundOwner[],
  list: OwnerList,
  releases: readonly ReadRelease[],
  caches: SearchCaches,
): AsyncIterable<RankedItem> {
  for (let from = 0; from < found.length;) {
    let end = Math.min(found.length, from + OWNERS_AT_ONCE);
    while (end < found.length && isEqual(found[end], found[end - 1])) end++;
    const items = await Promise.all(found.slice(from, end).map((one) => readOwner(one, list, releases, caches)));
    yield* items.sort(compareRanked);
    from = end;
  }
}

function isEqual(a: FoundOwner | undefined, b: FoundOwner | undefined): boolean {
  return a?.match === b?.match && a?.records === b?.records && a?.folded === b?.folded;
}

async function readOwner(
  { owner, match, records }: FoundOwner,
  { sources }: OwnerList,
  releases: readonly ReadRelease[],
  caches: SearchCaches,
): Promise<RankedItem> {
  const release = releases[numberAt(sources, 2 * owner)];
  if (release === undefined) throw new Error('an owner without a release');
  const index = await ownersOf(release.reader, caches);
  const [[first] = [0]] = runsOfOwner(numberAt(sources, 2 * owner + 1), index);
  const [text] = await textsOf([first], (numbers) => release.reader.records(numbers));
  const Name = textOf(text?.item ?? {}, 'AllocationOwner') ?? '';
  const item: FoundItem = {
    ...{ Kind: 'Owner', OrganizationUUID: null, Identifier: null, Name, State: null, County: null },
    RecordsCounts: { ...NO_COUNTS, SiteAllocationAmounts: records },
    Filter: filterText([allocationOwner.name, Name]),
  };
  return { match, records, item };
}

interface Owner {
  readonly release: number;
  readonly number: number;
  records: number;
}

async function listOwners(releases: readonly ReadRelease[], caches: SearchCaches): Promise<OwnerList> {
  const owners = new Map<string, Owner>();
  for (const [release, { reader }] of releases.entries()) {
    const index = await ownersOf(reader, caches);
    for (let number = 0; number < index.ends.length; number++) {
      await giveWay(number);
      const text = textOfOwner(number, index);
      let records = 0;
      for (const [first, last] of runsOfOwner(number, index)) records += last - first + 1;
      const known = owners.get(text);
      if (known === undefined) owners.set(text, { release, number, records });
      else known.records += records;
    }
  }
  const texts = [...owners.keys()].sort();
  const own = Float64Array.from(texts, (text) => owners.get(text)?.records ?? 0);
  const containing = await recordsOfContaining(texts, own);
  // A shorter one cannot be asked for.
  const asked = [...texts.keys()].filter((at) => allocationOwner.read(texts[at] ?? '', READING).ok);
  const folded = asked.map((at) => foldName(texts[at] ?? ''));
  let end = 0;
  const ends = Uint32Array.from(folded, (name) => (end += 1 + name.length));
  const sources = asked.flatMap((at) => {
    const owner = owners.get(texts[at] ?? '');
    return owner === undefined ? [] : [owner.release, owner.number];
  });
  const records = Float64Array.from(asked, (at) => numberAt(containing, at));
  const text = `\n${folded.join('\n')}\n`;
  return { text, ends, sources: Uint32Array.from(sources), records, byteLength: 2 * text.length + 20 * ends.length };
}

/** Owners are read alike whatever the settings are. */
const READING = { slashDateOrder: 'MDY' } as const;

/** Owners between two looks at the clock. */
const OWNERS_BETWEEN = 512;

async function giveWay(count: number): Promise<void> {
  const deadline = currentDeadline();
  if (count % OWNERS_BETWEEN === 0 && deadline.isSliceOver()) await deadline.giveWay();
}

/** Beginnings of texts are marked by a hash of their first characters, so that most ends of texts cost no search. */
const MARKED = 3;
const MARKS = 2 ** 20;

/**
 * For each text how many records those that contain it have, itself among them. `texts` are ascending, each once. The
 * texts that an end of a text begins with are the nearest one that is not above it, if it is one of them, and its
 * beginnings among the texts: each knows the longest of its own.
 */
async function recordsOfContaining(texts: readonly string[], own: Float64Array): Promise<Float64Array> {
  const beginnings = beginningsOf(texts);
  const isMarked = new Uint8Array(MARKS);
  for (const text of texts) isMarked[hashAt(text, 0)] = 1;
  const records = own.slice();
  const seenBy = new Int32Array(texts.length).fill(-1);
  for (const [number, text] of texts.entries()) {
    await giveWay(number);
    seenBy[number] = number;
    for (let start = 0; start + MARKED <= text.length; start++) {
      if (isMarked[hashAt(text, start)] === 0) continue;
      const end = text.slice(start);
      let at = firstThat(0, texts.length, (index) => (texts[index] ?? '') > end) - 1;
      while (at >= 0 && !end.startsWith(texts[at] ?? '')) at = numberAt(beginnings, at);
      for (; at >= 0; at = numberAt(beginnings, at)) {
        if (numberAt(seenBy, at) === number) continue;
        seenBy[at] = number;
        records[at] = numberAt(records, at) + numberAt(own, number);
      }
    }
  }
  return records;
}

/** The longest other text that each text begins with; -1 for none. */
function beginningsOf(texts: readonly string[]): Int32Array {
  const open: number[] = [];
  return Int32Array.from(texts, (text, number) => {
    while (open.length > 0 && !text.startsWith(texts[open.at(-1) ?? 0] ?? '')) open.pop();
    const longest = open.at(-1) ?? -1;
    open.push(number);
    return longest;
  });
}

function hashAt(text: string, start: number): number {
  const [a, b, c] = [text.charCodeAt(start), text.charCodeAt(start + 1), text.charCodeAt(start + 2)];
  return (a * 1031 + b * 131 + c * 17) % MARKS;
}
