// The places and rights of one release whose names or identifiers have some words (D60), by its index of names. Only
// the blocks of the words are read.

import { giveWayIfSliceOver } from '../../store/deadline';
import { numberAt } from '../../values/numbers';
import {
  toSearchPrefixes,
  findBlocks,
  TERM_END,
  visitTerms,
  toIdentifierTerm,
  toWholeWordPrefix,
  toWordCountTerm,
} from './name-index';
import { intersection, ListedRecords, NO_RECORDS, type RecordSet, recordSetFromRuns, union } from './record-set';
import { loadNameDirectory, countPlaces } from './release-index';
import { getByteLength, type SearchableRelease } from './search-caches';

/** The rights that have all words, each of which begins one of an identifier. */
export async function findRightsWithWords(words: readonly string[], searched: SearchableRelease): Promise<RecordSet> {
  const places = countPlaces(searched);
  const numbers = await findNumbersWithWords(words, searched);
  return new ListedRecords(numbers.filter((number) => number >= places).map((number) => number - places));
}

/** The ranks of the places with records that have all words, each of which begins one of the name or an identifier. */
export async function findPlacesWithWords(words: readonly string[], searched: SearchableRelease): Promise<RecordSet> {
  const places = countPlaces(searched);
  return new ListedRecords((await findNumbersWithWords(words, searched)).filter((number) => number < places));
}

async function findNumbersWithWords(words: readonly string[], searched: SearchableRelease): Promise<Uint32Array> {
  const { thingNumbers: numbers } = await loadNameDirectory(searched);
  const things = await findThingsWithWords(words, searched);
  return things
    .slice()
    .map((thing) => numberAt(numbers, thing))
    .sort();
}

/** The things of which each word begins a word. */
async function findThingsWithWords(words: readonly string[], searched: SearchableRelease): Promise<RecordSet> {
  const found = await Promise.all(words.map((word) => findThingsWithWord(word, searched)));
  return intersection(found.map((sets) => union(sets.flat())));
}

/** The things of which the word begins a word: of their names first, then of their identifiers. */
function findThingsWithWord(word: string, searched: SearchableRelease): Promise<readonly SetsByPosition[]> {
  return Promise.all(toSearchPrefixes(word).map((prefix) => findThingsByPosition(prefix, searched)));
}

/** The things that have all words, by how well they meet them, the best first (D60). */
export async function findThingsByMatch(
  words: readonly string[],
  searched: SearchableRelease,
): Promise<readonly RecordSet[]> {
  const last = words.length - 1;
  const [found, whole, wholeWords, ofLength] = await Promise.all([
    Promise.all(words.map((word) => findThingsWithWord(word, searched))),
    findThingsByPosition(toIdentifierTerm(words) + TERM_END, searched),
    Promise.all(words.map((word) => findThingsByPosition(toWholeWordPrefix(word), searched))),
    findThingsByPosition(toWordCountTerm(words.length), searched),
  ]);
  const beginnings = found.map(([inNames = []]) => inNames);
  const wholeAt = wholeWords.map((sets, position) => sets[position] ?? NO_RECORDS);
  const equal = intersection([...wholeAt, union(ofLength)]);
  const beginning = intersection([...wholeAt.slice(0, last), beginnings[last]?.[last] ?? NO_RECORDS]);
  const all = intersection(found.map((sets) => union(sets.flat())));
  return [union(whole), equal, beginning, findThingsInOrder(beginnings), all];
}

/** The things in whose names the words stand in this order, perhaps with others between. */
function findThingsInOrder([first = [], ...others]: readonly SetsByPosition[]): RecordSet {
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
type SetsByPosition = readonly RecordSet[];

/** The things that have a term which begins with the prefix. */
async function findThingsByPosition(prefix: string, { reader, caches }: SearchableRelease): Promise<SetsByPosition> {
  const find = async (): Promise<SetsByPosition> => {
    const { from, end } = findBlocks(await loadNameDirectory({ reader, caches }), prefix);
    const numbers = Uint32Array.from({ length: end - from }, (_, at) => from + at);
    const runs: (number[] | undefined)[] = [];
    for (const block of await reader.blobs('names', numbers)) {
      visitTerms(block, prefix, (position, first, last) => (runs[position] ??= []).push(first, last));
      await giveWayIfSliceOver();
    }
    return Array.from(runs, (pairs) => (pairs === undefined ? NO_RECORDS : recordSetFromRuns(pairs)));
  };
  const bytesOf = (sets: SetsByPosition): number => sets.reduce((sum, set) => sum + getByteLength(set), 0);
  return caches.getCache<SetsByPosition>('named').getOrCompute(`${reader.facts.releaseId} ${prefix}`, find, bytesOf);
}
