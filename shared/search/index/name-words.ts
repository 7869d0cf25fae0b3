// The places and rights of one release whose names or identifiers have some words (D60), by its index of names. Only
// the blocks of the words are read.

import { dataSetLayouts } from '../../records/data-sets';
import { currentDeadline } from '../../store/deadline';
import { numberAt } from '../../values/numbers';
import { blocksOf, prefixes, visitTerms, wholeTerm, wordCountTerm } from './name-index';
import { intersection, ListedRecords, NO_RECORDS, recordsOfRuns, union, type RecordSet } from './record-set';
import { lookupRange, nameDirectoryOf } from './release-index';
import { byteLengthOf, type Searched } from './search-caches';

/** The rights that have all words, each of which begins one of an identifier. */
export async function rightsWithWords(words: readonly string[], searched: Searched): Promise<RecordSet> {
  const places = placesOfRelease(searched);
  const numbers = await numbersWithWords(words, searched);
  return new ListedRecords(numbers.filter((number) => number >= places).map((number) => number - places));
}

/** The ranks of the places with records that have all words, each of which begins one of the name or an identifier. */
export async function placesWithWords(words: readonly string[], searched: Searched): Promise<RecordSet> {
  const places = placesOfRelease(searched);
  return new ListedRecords((await numbersWithWords(words, searched)).filter((number) => number < places));
}

async function numbersWithWords(words: readonly string[], searched: Searched): Promise<Uint32Array> {
  const { numbers } = await nameDirectoryOf(searched);
  const things = await thingsWithWords(words, searched);
  return things
    .numbers()
    .map((thing) => numberAt(numbers, thing))
    .sort();
}

/** How many places a release has: numbers of things from there on are those of rights. */
export function placesOfRelease({ reader }: Pick<Searched, 'reader'>): number {
  const [first, end] = lookupRange(reader, dataSetLayouts[reader.facts.dataSet].placeKind);
  return end - first;
}

/** The things of which each word begins a word. */
async function thingsWithWords(words: readonly string[], searched: Searched): Promise<RecordSet> {
  const withWord = async (word: string): Promise<RecordSet> => {
    const beginning = [prefixes.ofName(word), ...prefixes.ofIdentifiers(word)];
    const sets = await Promise.all(beginning.map((prefix) => thingsByPosition({ prefix, isWhole: false }, searched)));
    return union(sets.flat());
  };
  const { reader, caches } = searched;
  const cached = caches.partOf<RecordSet>('named');
  const remembered = (word: string): Promise<RecordSet> =>
    cached.remember(`${reader.facts.releaseId} ${word}`, () => withWord(word), byteLengthOf);
  return intersection(await Promise.all(words.map(remembered)));
}

/** The things that have all words, by how well they meet them, the best first (D60). */
export async function matchedThings(words: readonly string[], searched: Searched): Promise<readonly RecordSet[]> {
  const byPosition = (prefix: string, isWhole = false): Promise<Positions> =>
    thingsByPosition({ prefix, isWhole }, searched);
  const last = words.length - 1;
  const [all, whole, beginnings, wholeWords, ofLength] = await Promise.all([
    thingsWithWords(words, searched),
    byPosition(wholeTerm(words), true),
    Promise.all(words.map((word) => byPosition(prefixes.ofName(word)))),
    Promise.all(words.map((word) => byPosition(prefixes.ofWholeWord(word)))),
    byPosition(wordCountTerm(words.length), true),
  ]);
  const wholeAt = wholeWords.map((sets, position) => sets[position] ?? NO_RECORDS);
  const equal = intersection([...wholeAt, union(ofLength)]);
  const beginning = intersection([...wholeAt.slice(0, last), beginnings[last]?.[last] ?? NO_RECORDS]);
  return [union(whole), equal, beginning, inOrder(beginnings), all];
}

/** The things in whose names the words stand in this order, perhaps with others between. */
function inOrder([first = [], ...others]: readonly Positions[]): RecordSet {
  // By the position of the last word so far.
  let reached = first;
  for (const next of others) {
    let before = NO_RECORDS;
    reached = next.map((set, position) => {
      const here = intersection([before, set]);
      before = union([before, reached[position] ?? NO_RECORDS]);
      return here;
    });
  }
  return union(reached);
}

/** By the position of a word in names; of identifiers all are at the first. */
type Positions = readonly RecordSet[];

interface AskedTerms {
  readonly prefix: string;
  readonly isWhole: boolean;
}

/** Blocks of terms that are read at once: some megabytes. */
const BLOCKS_AT_ONCE = 256;

/** The things that have a term which begins with the prefix, or is equal to it. */
async function thingsByPosition(asked: AskedTerms, { reader, caches }: Searched): Promise<Positions> {
  const find = async (): Promise<Positions> => {
    const { from, end } = blocksOf(await nameDirectoryOf({ reader, caches }), asked);
    const runs: (number[] | undefined)[] = [];
    for (let first = from; first < end; first += BLOCKS_AT_ONCE) {
      const numbers = Uint32Array.from({ length: Math.min(BLOCKS_AT_ONCE, end - first) }, (_, at) => first + at);
      for (const block of await reader.blobs('names', numbers)) {
        visitTerms(block, asked, (position, low, high) => (runs[position] ??= []).push(low, high));
      }
      const deadline = currentDeadline();
      if (deadline.isSliceOver()) await deadline.giveWay();
    }
    return Array.from(runs, (pairs) => (pairs === undefined ? NO_RECORDS : recordsOfRuns(pairs)));
  };
  const key = `${reader.facts.releaseId} ${asked.isWhole ? '=' : ''}${asked.prefix}`;
  const bytesOf = (sets: Positions): number => sets.reduce((sum, set) => sum + byteLengthOf(set), 0);
  return caches.partOf<Positions>('namesByPosition').remember(key, find, bytesOf);
}
