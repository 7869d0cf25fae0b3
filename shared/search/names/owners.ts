// Owners by name, over all rights of a state (D60). The distinct owners of each release are in memory for searches of
// their parts (D35). What is made of them here, once, is one list of all with how many rights AllocationOwner finds for
// each: those of every owner that contains it.

import { allocationOwner, OWNER_CHARACTERS } from '../../query/filters';
import { NO_COUNTS } from '../../records/found';
import { currentDeadline } from '../../store/deadline';
import { compareUtf8, foldName } from '../../values/text';
import { runsOfOwner, textOfOwner } from '../index/owner-index';
import { ownersOf } from '../index/release-index';
import { byteLengthOf, type SearchCaches } from '../index/search-caches';
import type { ReadRelease } from '../plan-page';
import {
  compareRanked,
  foundItem,
  itemsInOrder,
  matchOf,
  type FoundNames,
  type Match,
  type NameQuery,
  type RankedItem,
} from './ranked';
import { textOf, textsOf } from './release-names';

interface Owner {
  /** The first release that has it, and its number there. */
  readonly release: ReadRelease;
  readonly number: number;
  /** How many rights it has. */
  rights: number;
  /** How many rights have an owner that contains it. */
  records: number;
}

interface OwnerList {
  readonly owners: readonly Owner[];
  /** A line for each owner, behind a line feed: the folded name, a tab, and its index in `owners`. */
  readonly lines: string;
  readonly byteLength: number;
}

interface FoundOwner {
  readonly owner: Owner;
  readonly match: Match;
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
    (a, b) => a.match - b.match || b.owner.records - a.owner.records || compareUtf8(a.folded, b.folded),
  );
  // Those of a group are equal in all that is known without reading them.
  const groups = Map.groupBy(found, ({ match, owner, folded }) => `${match} ${owner.records} ${folded}`).values();
  const read = async (batch: readonly FoundOwner[][]): Promise<readonly RankedItem[]> => {
    const items = await Promise.all(batch.flat().map((one) => readOwner(one, caches)));
    return items.sort(compareRanked);
  };
  return { total: found.length, ranked: itemsInOrder(groups, read) };
}

/** Goes through the lines by the longest word, which the fewest names have. */
function* ownersWithWords({ lines, owners }: OwnerList, query: NameQuery): Iterable<FoundOwner> {
  const anchor = query.words.reduce((longest, word) => (word.length > longest.length ? word : longest), '');
  for (let at = lines.indexOf(anchor); at !== -1; at = lines.indexOf(anchor, at + 1)) {
    const before = lines[at - 1];
    if (before !== ' ' && before !== '\n') continue;
    const end = lines.indexOf('\n', at);
    const [folded = '', index] = lines.slice(lines.lastIndexOf('\n', at) + 1, end).split('\t');
    const owner = owners[Number(index)];
    const match = matchOf(query, { folded, identifier: '' });
    if (match !== undefined && owner !== undefined) yield { owner, match, folded };
    at = end;
  }
}

async function readOwner(
  { owner: { release, number, records }, match }: FoundOwner,
  caches: SearchCaches,
): Promise<RankedItem> {
  const [[first] = [0]] = runsOfOwner(number, await ownersOf(release.reader, caches));
  const [text] = await textsOf([first], (numbers) => release.reader.records(numbers));
  const Name = textOf(text?.item ?? {}, 'AllocationOwner') ?? '';
  const counts = { ...NO_COUNTS, SiteAllocationAmounts: records };
  return { match, records, item: foundItem({ Kind: 'Owner', Name }, counts, [[allocationOwner.name, Name]]) };
}

async function listOwners(releases: readonly ReadRelease[], caches: SearchCaches): Promise<OwnerList> {
  const owners = new Map<string, Owner>();
  for (const release of releases) {
    const index = await ownersOf(release.reader, caches);
    for (let number = 0; number < index.ends.length; number++) {
      await giveWay(number);
      const text = textOfOwner(number, index);
      const owner = owners.get(text) ?? { release, number, rights: 0, records: 0 };
      for (const [first, last] of runsOfOwner(number, index)) owner.rights += last - first + 1;
      owners.set(text, owner);
    }
  }
  await countContaining(owners);
  // A shorter one cannot be asked for.
  const asked = [...owners].filter(([text]) => allocationOwner.read(text, READING).ok);
  const lines = `\n${asked.map(([text], index) => `${foldName(text)}\t${index}\n`).join('')}`;
  return {
    ...{ owners: asked.map(([, owner]) => owner), lines },
    byteLength: 2 * lines.length + OWNER_BYTES * asked.length,
  };
}

/** Owners are read alike whatever the settings are. */
const READING = { slashDateOrder: 'MDY' } as const;

/** About what an owner takes in memory beside its line. */
const OWNER_BYTES = 60;

/** Counts for each owner the rights of those that contain it, itself among them. */
async function countContaining(owners: ReadonlyMap<string, Owner>): Promise<void> {
  const lengths = new Map<string, Set<number>>();
  const beginning = (text: string, start: number): string => text.slice(start, start + OWNER_CHARACTERS);
  for (const text of owners.keys()) {
    const known = lengths.get(beginning(text, 0)) ?? new Set();
    lengths.set(beginning(text, 0), known.add(text.length));
  }
  let count = 0;
  for (const [text, { rights }] of owners) {
    await giveWay(count++);
    const parts = new Set<Owner>();
    for (let start = 0; start < text.length; start++) {
      for (const length of lengths.get(beginning(text, start)) ?? []) {
        const part = start + length <= text.length ? owners.get(text.slice(start, start + length)) : undefined;
        if (part !== undefined) parts.add(part);
      }
    }
    for (const part of parts) part.records += rights;
  }
}

/** Owners between two looks at the clock. */
const OWNERS_BETWEEN = 512;

async function giveWay(count: number): Promise<void> {
  const deadline = currentDeadline();
  if (count % OWNERS_BETWEEN === 0 && deadline.isSliceOver()) await deadline.giveWay();
}
