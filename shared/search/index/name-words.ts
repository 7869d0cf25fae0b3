// The places and rights of one release whose names or identifiers have some words (D60), by its index of names. Only
// the blocks of the words are read.

import { giveWayInTurn } from '../../store/deadline';
import { numberAt } from '../../values/numbers';
import { beginningsWith, blocksOf, TERM_END, visitTerms, wholeTerm, wholeWord, wordCountTerm } from './name-index';
import { intersection, ListedRecords, NO_RECORDS, type RecordSet, recordsOfRuns, union } from './record-set';
import { nameDirectoryOf, placesOfRelease } from './release-index';
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
    .slice()
    .map((thing) => numberAt(numbers, thing))
    .sort();
}

/** The things of which each word begins a word. */
async function thingsWithWords(words: readonly string[], searched: Searched): Promise<RecordSet> {
  const found = await Promise.all(words.map((word) => thingsWithWord(word, searched)));
  return intersection(found.map((sets) => union(sets.flat())));
}

/** The things of which the word begins a word: of their names first, then of their identifiers. */
function thingsWithWord(word: string, searched: Searched): Promise<readonly Positions[]> {
  return Promise.all(beginningsWith(word).map((prefix) => thingsByPosition(prefix, searched)));
}

/** The things that have all words, by how well they meet them, the best first (D60). */
export async function matchedThings(words: readonly string[], searched: Searched): Promise<readonly RecordSet[]> {
  const last = words.length - 1;
  const [found, whole, wholeWords, ofLength] = await Promise.all([
    Promise.all(words.map((word) => thingsWithWord(word, searched))),
    thingsByPosition(wholeTerm(words) + TERM_END, searched),
    Promise.all(words.map((word) => thingsByPosition(wholeWord(word), searched))),
    thingsByPosition(wordCountTerm(words.length), searched),
  ]);
  const beginnings = found.map(([inNames = []]) => inNames);
  const wholeAt = wholeWords.map((sets, position) => sets[position] ?? NO_RECORDS);
  const equal = intersection([...wholeAt, union(ofLength)]);
  const beginning = intersection([...wholeAt.slice(0, last), beginnings[last]?.[last] ?? NO_RECORDS]);
  const all = intersection(found.map((sets) => union(sets.flat())));
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

/** The things that have a term which begins with the prefix. */
async function thingsByPosition(prefix: string, { reader, caches }: Searched): Promise<Positions> {
  const find = async (): Promise<Positions> => {
    const { from, end } = blocksOf(await nameDirectoryOf({ reader, caches }), prefix);
    const numbers = Uint32Array.from({ length: end - from }, (_, at) => from + at);
    const runs: (number[] | undefined)[] = [];
    for (const block of await reader.blobs('names', numbers)) {
      visitTerms(block, prefix, (position, first, last) => (runs[position] ??= []).push(first, last));
      await giveWayInTurn();
    }
    return Array.from(runs, (pairs) => (pairs === undefined ? NO_RECORDS : recordsOfRuns(pairs)));
  };
  const bytesOf = (sets: Positions): number => sets.reduce((sum, set) => sum + byteLengthOf(set), 0);
  return caches.partOf<Positions>('named').remember(`${reader.facts.releaseId} ${prefix}`, find, bytesOf);
}
