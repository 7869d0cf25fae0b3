// Finds the places and rights of one release whose names or identifiers contain the words of a query (D60), using the
// index of names. Only the blocks of these words are read.

import { giveWayIfSliceOver } from '../../store/deadline';
import { numberAt } from '../../values/number-arrays';
import { findBlocks } from './name-directory';
import { toIdentifierTerm, toSearchPrefixes, toWholeWordPrefix, toWordCountTerm } from './name-terms';
import { createRecordSetFromRuns, intersection, ListedRecords, NO_RECORDS, type RecordSet, union } from './record-set';
import { loadNameDirectory } from './release-index';
import { countPlaces } from './release-lookups';
import { getByteLength, type SearchableRelease } from './search-caches';
import { TERM_END, visitTerms } from './term-block';

/** Keyed by the position of a word in a name. All matches in identifiers are at position 0. */
type SetsByPosition = readonly RecordSet[];

/**
 * Finds the rights whose identifiers match all words: each word must be the beginning of a word in one of the
 * identifiers.
 */
export async function findRightsWithWords(words: readonly string[], release: SearchableRelease): Promise<RecordSet> {
  const places = countPlaces(release);
  const numbers = await findNumbersWithWords(words, release);
  return new ListedRecords(numbers.filter((number) => number >= places).map((number) => number - places));
}

/**
 * Returns the ranks of the places with records for which each word is the beginning of a word in the name or in an
 * identifier.
 */
export async function findPlacesWithWords(words: readonly string[], release: SearchableRelease): Promise<RecordSet> {
  const places = countPlaces(release);
  return new ListedRecords((await findNumbersWithWords(words, release)).filter((number) => number < places));
}

async function findNumbersWithWords(words: readonly string[], release: SearchableRelease): Promise<Uint32Array> {
  const { thingNumbers } = await loadNameDirectory(release);
  const things = await findThingsWithWords(words, release);
  return things
    .slice()
    .map((thing) => numberAt(thingNumbers, thing))
    .sort();
}

async function findThingsWithWords(words: readonly string[], release: SearchableRelease): Promise<RecordSet> {
  const matches = await Promise.all(words.map((word) => findThingsWithWord(word, release)));
  return intersection(matches.map((sets) => union(sets.flat())));
}

/** Finds the things with a word that begins with this word: first in their names, then in their identifiers. */
function findThingsWithWord(word: string, release: SearchableRelease): Promise<readonly SetsByPosition[]> {
  return Promise.all(toSearchPrefixes(word).map((prefix) => findThingsByPosition(prefix, release)));
}

/**
 * Finds the things that match all words, in sets from best to worst match (D60): the identifier equals the query, the
 * name equals it, the name begins with it, the words are in the order of the query, any match. A thing is in every set
 * that applies to it.
 */
export async function findThingsByMatch(
  words: readonly string[],
  release: SearchableRelease,
): Promise<readonly RecordSet[]> {
  const lastWord = words.length - 1;
  const [matches, sameIdentifier, wholeWords, sameWordCount] = await Promise.all([
    Promise.all(words.map((word) => findThingsWithWord(word, release))),
    findThingsByPosition(toIdentifierTerm(words) + TERM_END, release),
    Promise.all(words.map((word) => findThingsByPosition(toWholeWordPrefix(word), release))),
    findThingsByPosition(toWordCountTerm(words.length), release),
  ]);
  const nameMatches = matches.map(([inNames = []]) => inNames);
  // The things whose names have each word at the same position as in the query.
  const inPlace = wholeWords.map((sets, position) => sets[position] ?? NO_RECORDS);
  const sameName = intersection([...inPlace, union(sameWordCount)]);
  const beginsWithQuery = intersection([
    ...inPlace.slice(0, lastWord),
    nameMatches[lastWord]?.[lastWord] ?? NO_RECORDS,
  ]);
  const all = intersection(matches.map((sets) => union(sets.flat())));
  return [union(sameIdentifier), sameName, beginsWithQuery, findThingsInOrder(nameMatches), all];
}

/** Finds the things whose names have the words in this order, possibly with other words between. */
function findThingsInOrder([first = [], ...others]: readonly SetsByPosition[]): RecordSet {
  // Keyed by the position of the last matched word.
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

/** Finds the things that have a term with the prefix, keyed by position. */
async function findThingsByPosition(prefix: string, { reader, caches }: SearchableRelease): Promise<SetsByPosition> {
  const find = async (): Promise<SetsByPosition> => {
    const { from, end } = findBlocks(await loadNameDirectory({ reader, caches }), prefix);
    const blockNumbers = Uint32Array.from({ length: end - from }, (_, index) => from + index);
    const runsByPosition: (number[] | undefined)[] = [];
    const addRun = (position: number, first: number, last: number): void => {
      const runs = runsByPosition[position] ?? [];
      runs.push(first, last);
      runsByPosition[position] = runs;
    };
    for (const block of await reader.blobs('names', blockNumbers)) {
      visitTerms(block, prefix, addRun);
      await giveWayIfSliceOver();
    }
    return Array.from(runsByPosition, (runs) => (runs === undefined ? NO_RECORDS : createRecordSetFromRuns(runs)));
  };
  const measureBytes = (sets: SetsByPosition): number => sets.reduce((sum, set) => sum + getByteLength(set), 0);
  const cache = caches.getCache<SetsByPosition>('named');
  return cache.getOrCompute(`${reader.facts.releaseId} ${prefix}`, find, measureBytes);
}
