// The directory of the names of a release (D60, ADR 0059): the order of the things that have names, and the blocks of
// terms that a search has to read.
//
// Things are the places and rights that have records, numbered in the order of an answer: by record count (highest
// first), then places before rights, then by name and identifier. So a page of the matches is a slice of a set.

import { type NarrowNumbers, Sections, writeSections } from '../../values/bytes/sections';
import { compareUtf8 } from '../../values/compare-utf8';
import { findFirst, numberAt } from '../../values/number-arrays';

/** The `names` artifact. The blocks of terms come first, then the blocks of prefixes. */
export interface NameDirectory {
  /** By thing: the rank of a place, or the number of places of the release plus the record number of a right. */
  readonly thingNumbers: NarrowNumbers;
  /** The things that are places, in the order of their names. */
  readonly placesByName: NarrowNumbers;
  /** (first thing, record count) pairs: run-length encoding of how many records the filter of each thing finds. */
  readonly recordCountRuns: Uint32Array;
  /** The first term of each block of terms. */
  readonly firstTerms: readonly string[];
  /**
   * Prefixes that many terms share. Each prefix has its own block with the things of all its terms. Ordered by UTF-8
   * bytes.
   */
  readonly prefixes: readonly string[];
}

export function writeNameDirectory(directory: NameDirectory): Uint8Array {
  const { thingNumbers, placesByName, recordCountRuns, firstTerms, prefixes } = directory;
  const texts = Buffer.from(JSON.stringify([firstTerms, prefixes]));
  const counts = Uint32Array.of(thingNumbers.length, placesByName.length);
  return writeSections([counts, thingNumbers, placesByName, recordCountRuns, texts]);
}

export function readNameDirectory(content: Uint8Array): NameDirectory {
  const sections = new Sections(content);
  const [things = 0, places = 0] = sections.numbers(Uint32Array, 0);
  const texts = Buffer.from(sections.numbers(Uint8Array, 4)).toString();
  const [firstTerms = [], prefixes = []] = JSON.parse(texts) as string[][]; // `writeNameDirectory` wrote it.
  return {
    thingNumbers: sections.narrow(1, things),
    placesByName: sections.narrow(2, places),
    recordCountRuns: sections.numbers(Uint32Array, 3),
    firstTerms,
    prefixes,
  };
}

/** Returns the number of records that the filter of a result matches. */
export function getRecordCount({ recordCountRuns }: NameDirectory, thing: number): number {
  const nextRun = findFirst(0, recordCountRuns.length / 2, (run) => numberAt(recordCountRuns, 2 * run) > thing);
  return numberAt(recordCountRuns, 2 * (nextRun - 1) + 1);
}

/**
 * Sorts things by record count, highest first, and keeps the order of equal counts. A counting sort, because a release
 * may have millions of things.
 */
export function sortByRecords(things: NarrowNumbers, getRecords: (thing: number) => number): Uint32Array {
  const counts = new Map<number, number>();
  for (const thing of things) {
    const records = getRecords(thing);
    counts.set(records, (counts.get(records) ?? 0) + 1);
  }
  const nextIndex = new Map<number, number>();
  let first = 0;
  for (const [records, count] of [...counts].sort(([a], [b]) => b - a)) {
    nextIndex.set(records, first);
    first += count;
  }
  const sorted = new Uint32Array(things.length);
  for (const thing of things) {
    const records = getRecords(thing);
    const index = nextIndex.get(records) ?? 0;
    sorted[index] = thing;
    nextIndex.set(records, index + 1);
  }
  return sorted;
}

/** Finds the numbers of the blocks that hold all terms with the prefix; `end` is excluded. */
export function findBlocks(
  { firstTerms, prefixes }: NameDirectory,
  prefix: string,
): { readonly from: number; readonly end: number } {
  const prefixIndex = findFirst(0, prefixes.length, (index) => compareUtf8(prefixes[index] ?? '', prefix) >= 0);
  if (prefixes[prefixIndex] === prefix) {
    return { from: firstTerms.length + prefixIndex, end: firstTerms.length + prefixIndex + 1 };
  }
  const startsAfter = (block: number): boolean => compareUtf8(firstTerms[block] ?? '', prefix) > 0;
  // The block before the first block that starts after the prefix may end with terms that begin with the prefix.
  const from = Math.max(0, findFirst(0, firstTerms.length, startsAfter) - 1);
  const end = findFirst(
    from,
    firstTerms.length,
    (block) => startsAfter(block) && firstTerms[block]?.startsWith(prefix) !== true,
  );
  return { from, end };
}
