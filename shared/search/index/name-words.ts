// The places and rights of one release whose names or identifiers have some words (D60), by its index of names. Only
// the blocks of the words are read.

import { currentDeadline } from '../../store/deadline';
import { BitSet } from '../../values/bytes/bit-set';
import { numberAt } from '../../values/numbers';
import { prefixes, rankAt, termBlocksOf, visitTerms, wholeTerm, type NameDirectory } from './name-index';
import { intersection, ListedRecords, markedRecords, type RecordSet } from './record-set';
import { nameDirectoryOf } from './release-index';
import { byteLengthOf, type Searched } from './search-caches';

/** What has names in a release, by number: its rights, then its places in the order of their names. */
export interface NamedThings extends Searched {
  readonly directory: NameDirectory;
  /** How many rights it has; places come behind them. */
  readonly rights: number;
}

export async function namedThingsOf({ reader, caches }: Searched): Promise<NamedThings> {
  const rights = reader.facts.dataSet === 'WaterAllocations' ? reader.facts.records : 0;
  return { reader, caches, directory: await nameDirectoryOf(reader, caches), rights };
}

/** The rights that have all words, each of which begins one of an identifier. */
export async function rightsWithWords(words: readonly string[], searched: Searched): Promise<RecordSet> {
  const things = await namedThingsOf(searched);
  const { all } = await thingsWithWords(things, words);
  return new ListedRecords(all.numbers().filter((thing) => thing < things.rights));
}

/** The ranks of the places that have all words, each of which begins one of the name or an identifier. */
export async function placesWithWords(words: readonly string[], searched: Searched): Promise<RecordSet> {
  const things = await namedThingsOf(searched);
  const { all } = await thingsWithWords(things, words);
  const places = all.numbers().filter((thing) => thing >= things.rights);
  return new ListedRecords(places.map((thing) => rankAt(things.directory, thing - things.rights)).sort());
}

export interface WordSets {
  /** Things of which each word begins a word. */
  readonly all: RecordSet;
  /** Things with names in which each word begins a word. */
  readonly inNames: RecordSet;
  /** Whose identifier is equal to the query. */
  readonly whole: RecordSet;
}

export async function thingsWithWords(search: NamedThings, words: readonly string[]): Promise<WordSets> {
  const any: RecordSet[] = [];
  const names: RecordSet[] = [];
  for (const word of words) {
    const inNames = prefixes.ofNames(word);
    names.push(await thingsWithTerms(search, inNames, false));
    any.push(await thingsWithTerms(search, [...inNames, ...prefixes.ofIdentifiers(word)], false));
  }
  const whole = await thingsWithTerms(search, [wholeTerm(words)], true);
  return { all: intersection(any), inNames: intersection(names), whole };
}

/** Blocks of terms that are read at once: some megabytes. */
const BLOCKS_AT_ONCE = 256;

/** More numbers are marked in a set of bits. */
const MOST_LISTED = 10_000;

/** The things that have a term which begins with one of the texts, or is equal to one. */
async function thingsWithTerms(search: NamedThings, texts: readonly string[], isWhole: boolean): Promise<RecordSet> {
  const { reader, caches } = search;
  const key = `${reader.facts.releaseId} ${isWhole ? '=' : ''}${texts.join(' ')}`;
  const find = async (): Promise<RecordSet> => {
    const found = new Things(search.rights + search.directory.ranks.length);
    for (const prefix of texts) await visitThings(search, { prefix, isWhole }, found);
    return found.set();
  };
  return caches.partOf<RecordSet>('named').remember(key, find, byteLengthOf);
}

async function visitThings(
  { reader, caches, directory }: NamedThings,
  asked: { readonly prefix: string; readonly isWhole: boolean },
  found: Things,
): Promise<void> {
  const { from, end } = termBlocksOf(directory, asked.prefix);
  for (let first = from; first < end; first += BLOCKS_AT_ONCE) {
    const numbers = Array.from({ length: Math.min(BLOCKS_AT_ONCE, end - first) }, (_, at) => first + at);
    for (const block of await termBlocks({ reader, caches }, directory, numbers)) {
      visitTerms(block, asked, (low, high) => {
        found.add(low, high);
      });
    }
    const deadline = currentDeadline();
    if (deadline.isSliceOver()) await deadline.giveWay();
  }
}

async function termBlocks(
  { reader, caches }: Searched,
  { firstNames }: NameDirectory,
  numbers: readonly number[],
): Promise<readonly Uint8Array[]> {
  return caches.partOf<Uint8Array>('termBlocks').rememberAll(
    numbers.map((number) => `${reader.facts.releaseId}/${number}`),
    (missing) =>
      reader.blobs(
        'names',
        Uint32Array.from(missing, (at) => firstNames.length + numberAt(numbers, at)),
      ),
    byteLengthOf,
  );
}

/** Collects numbers in any order. */
class Things {
  private few: number[] = [];
  private marked: BitSet | undefined;

  constructor(private readonly end: number) {}

  add(first: number, last: number): void {
    if (this.marked === undefined && this.few.length + last - first >= MOST_LISTED) {
      this.marked = new BitSet(this.end);
      for (const number of this.few) this.marked.add(number);
      this.few = [];
    }
    if (this.marked !== undefined) this.marked.addRange(first, last);
    else for (let number = first; number <= last; number++) this.few.push(number);
  }

  set(): RecordSet {
    if (this.marked !== undefined) return markedRecords(this.marked);
    return new ListedRecords(Uint32Array.from(new Set(this.few)).sort());
  }
}
