// Owners, counties, watersheds, uses, variables and organizations by name (D60). Each catalog state has one list of
// these names, in the order of an answer, which a search scans.

import type { FindResult } from '../../records/find-results';
import { compareUtf8 } from '../../values/compare-utf8';
import type { CountyOutlines } from '../../values/county-outlines';
import { foldName } from '../../values/fold-text';
import { getByteLength } from '../index/search-caches';
import { findLinesContaining, indexLines, type Lines } from '../index/text-lines';
import type { CatalogRelease } from '../open-releases';
import { matchesStates, type NameQuery } from './name-query';
import { compareNames, compareRanks, type Rank, type RankedNames } from './name-ranking';
import { listOwners, readOwner } from './owner-names';
import { listTerms } from './term-names';

/** A term or an owner. In the list, `match` is always 0, because it depends on the query. */
interface ListedName extends Rank {
  /** Folded words with a space between. */
  readonly name: string;
  readonly identifier: string;
  /** For an owner, read only if it is on the page, or if another owner has the same rank and the same folded name. */
  item?: FindResult;
  readonly read: () => Promise<FindResult>;
}

/** Has one line per listed name, with the words of the name and the identifier. */
interface NameList extends Lines {
  readonly listed: readonly ListedName[];
  readonly byteLength: number;
}

/** Approximate memory of an entry besides its line. */
const LISTED_BYTES = 400;

export async function findListedNames(
  releases: readonly CatalogRelease[],
  query: NameQuery,
  outlines: CountyOutlines,
): Promise<RankedNames> {
  const list = await loadNameList(releases, outlines);
  const matches = findWithWords(list, query).sort((a, b) => a.match - b.match);
  return {
    total: matches.length,
    getRank: (index) => {
      const match = matches[index];
      if (match === undefined) throw new RangeError(`no name at ${index}`);
      return match;
    },
    read: (from, to) => Promise.all(matches.slice(from, to).map(({ read }) => read())),
  };
}

async function loadNameList(releases: readonly CatalogRelease[], outlines: CountyOutlines): Promise<NameList> {
  const [first] = releases;
  if (first === undefined) return buildNameList(releases, outlines);
  const key = releases.map(({ reader }) => reader.facts.releaseId).join(' ');
  const cache = first.caches.getCache<NameList>('listedNames');
  return cache.getOrCompute(key, () => buildNameList(releases, outlines), getByteLength);
}

async function buildNameList(releases: readonly CatalogRelease[], outlines: CountyOutlines): Promise<NameList> {
  const terms = (await listTerms(releases, outlines)).map(toListedTerm);
  const owners = [...(await listOwners(releases))].map(([text, owner]): ListedName => {
    const { records } = owner;
    return { match: 0, kind: 'Owner', records, name: foldName(text), identifier: '', read: () => readOwner(owner) };
  });
  await readOwnersAlike(owners);
  const listed = [...terms, ...owners].sort(compareListedNames);
  const text = listed.map(({ name, identifier }) => `${name} ${identifier}\n`).join('');
  const byteLength = 2 * text.length + LISTED_BYTES * listed.length;
  return { listed, ...indexLines(text, listed.length), byteLength };
}

function toListedTerm(item: FindResult): ListedName {
  const { Kind, Name, Identifier, RecordsCounts } = item;
  return {
    match: 0,
    kind: Kind,
    records: Object.values(RecordsCounts).reduce((sum, count) => sum + count, 0),
    name: foldName(Name ?? ''),
    identifier: foldName(Identifier ?? ''),
    item,
    read: () => Promise.resolve(item),
  };
}

/** Reads the owners that have the same rank and the same folded name, because their exact names decide their order. */
async function readOwnersAlike(owners: readonly ListedName[]): Promise<void> {
  const groups = [...Map.groupBy(owners, ({ records, name }) => `${records} ${name}`).values()];
  const alike = groups.filter(({ length }) => length > 1).flat();
  await Promise.all(
    alike.map(async (owner) => {
      owner.item = await owner.read();
    }),
  );
}

function compareListedNames(a: ListedName, b: ListedName): number {
  return compareRanks(a, b) || compareUtf8(a.name, b.name) || (a.item && b.item ? compareNames(a.item, b.item) : 0);
}

/** Scans the lines for the longest word, because the fewest names contain it. */
function findWithWords(list: NameList, query: NameQuery): ListedName[] {
  const [longestWord = ''] = query.words.toSorted((a, b) => b.length - a.length);
  const matches: ListedName[] = [];
  for (const line of findLinesContaining(list, longestWord)) {
    const name = list.listed[line];
    if (name === undefined || !query.kinds.has(name.kind)) continue;
    if (!matchesStates(query, name.item?.State ?? null)) continue;
    const match = getMatch(query.words, name);
    if (match !== undefined) matches.push({ ...name, match });
  }
  return matches;
}

/**
 * Returns the `match` of a Rank; undefined if some word of the query is not the beginning of a word in the name or the
 * identifier.
 */
function getMatch(words: readonly string[], { name, identifier }: ListedName): number | undefined {
  const allWords = ` ${name} ${identifier}`;
  if (!words.every((word) => allWords.includes(` ${word}`))) return undefined;
  const query = words.join(' ');
  if (identifier === query) return 0;
  if (name === query) return 1;
  if (name.startsWith(query)) return 2;
  return hasWordsInOrder(name, words) ? 3 : 4;
}

function hasWordsInOrder(name: string, words: readonly string[]): boolean {
  const text = ` ${name}`;
  let from = 0;
  for (const word of words) {
    const index = text.indexOf(` ${word}`, from);
    if (index === -1) return false;
    from = index + 1;
  }
  return true;
}
