// The names of a release (D60, ADR 0059): sorted terms, each with the things that have it, cut into blocks behind a
// directory, so that a search reads only those in which its words can be.
//
// Things are the places and rights that have records, numbered in the order of an answer: those with more records
// first, then places before rights, then by name and identifier. So a page of what is found is a slice of a set.

import { toNarrowNumbers, type NarrowNumbers, Sections, writeSections } from '../../values/bytes/sections';
import { findFirst, numberAt } from '../../values/numbers';
import { compareUtf8, splitWords } from '../../values/text';
import { appendRuns, visitRuns } from './place-index';

/**
 * What a term begins with: a word of a name, with its position behind a space; how many words a name has; a word of an
 * identifier of several; or an identifier as a whole.
 */
const MARKS = { name: 'n', wordCount: 'c', identifier: 'i', oneWord: '1', severalWords: '2' } as const;

/** Positions and counts are characters behind this one. */
const FIRST_POSITION = 0x21;

/** The terms of a thing, each once. Native identifiers are as good as universal ones. */
export function buildNameTerms(name: string | null, identifiers: readonly (string | null)[]): Iterable<string> {
  const inName = splitWords(name ?? '');
  const terms = new Set(inName.map((word, position) => addPosition(MARKS.name + word, position)));
  if (inName.length > 0) terms.add(toWordCountTerm(inName.length));
  for (const identifier of identifiers) {
    const words = splitWords(identifier ?? '');
    if (words.length === 0) continue;
    terms.add(toIdentifierTerm(words));
    if (words.length > 1) for (const word of words) terms.add(MARKS.identifier + word);
  }
  return terms;
}

/** The term of the identifiers that are equal to the words. */
export function toIdentifierTerm(words: readonly string[]): string {
  return (words.length === 1 ? MARKS.oneWord : MARKS.severalWords) + words.join(' ');
}

export function toWordCountTerm(words: number): string {
  return MARKS.wordCount + String.fromCharCode(FIRST_POSITION + words);
}

/** The marks of terms of which a search asks for all that begin alike. */
const PREFIX_SEARCH_MARKS: readonly string[] = [MARKS.name, MARKS.identifier, MARKS.oneWord];

/** What terms begin with that have a word of a name, or of an identifier, which is the text or begins with it. */
export function toSearchPrefixes(text: string): readonly string[] {
  return PREFIX_SEARCH_MARKS.map((mark) => mark + text);
}

/** What terms begin with that have the word in a name. */
export function toWholeWordPrefix(word: string): string {
  return `${MARKS.name}${word} `;
}

/** The term of a beginning at a position, which only names have. */
export function addPosition(beginning: string, position: number): string {
  return isNameTerm(beginning) ? `${beginning} ${String.fromCharCode(FIRST_POSITION + position)}` : beginning;
}

/** At which word of a name a term is; 0 of others. */
export function readPosition(term: string): number {
  return isNameTerm(term) ? term.charCodeAt(term.length - 1) - FIRST_POSITION : 0;
}

function isNameTerm(term: string): boolean {
  return term.startsWith(MARKS.name);
}

/** Whether a search can ask for all terms that begin like this one. */
export function supportsPrefixSearch(term: string): boolean {
  return PREFIX_SEARCH_MARKS.includes(term.charAt(0));
}

/** Those with more records first, else as they stand: a counting sort, since a release may have millions. */
export function sortByRecords(things: NarrowNumbers, getRecords: (thing: number) => number): Uint32Array {
  const counts = new Map<number, number>();
  for (const thing of things) counts.set(getRecords(thing), (counts.get(getRecords(thing)) ?? 0) + 1);
  const next = new Map<number, number>();
  let first = 0;
  for (const [records, count] of [...counts].sort(([a], [b]) => b - a)) {
    next.set(records, first);
    first += count;
  }
  const ordered = new Uint32Array(things.length);
  for (const thing of things) {
    const at = next.get(getRecords(thing)) ?? 0;
    ordered[at] = thing;
    next.set(getRecords(thing), at + 1);
  }
  return ordered;
}

/** The `names` artifact. Blocks of terms come first, then those of beginnings. */
export interface NameDirectory {
  /** By thing: the rank of a place, or how many places the release has plus the record of a right. */
  readonly thingNumbers: NarrowNumbers;
  /** The things that are places, in the order of their names. */
  readonly placesByName: NarrowNumbers;
  /** Pairs of the first thing with so many records as the filter of each finds, and these records. */
  readonly recordCountRuns: Uint32Array;
  /** The first term of each block of terms. */
  readonly firstTerms: readonly string[];
  /** What so many terms begin with that a block of its own has the things of all: in the order of their bytes. */
  readonly prefixes: readonly string[];
}

export function writeNameDirectory(directory: NameDirectory): Uint8Array {
  const {
    thingNumbers: numbers,
    placesByName,
    recordCountRuns: recordSteps,
    firstTerms,
    prefixes: beginnings,
  } = directory;
  const texts = Buffer.from(JSON.stringify([firstTerms, beginnings]));
  const counts = Uint32Array.of(numbers.length, placesByName.length);
  return writeSections([counts, numbers, placesByName, recordSteps, texts]);
}

export function readNameDirectory(content: Uint8Array): NameDirectory {
  const sections = new Sections(content);
  const [things = 0, places = 0] = sections.numbers(Uint32Array, 0);
  const texts = JSON.parse(Buffer.from(sections.numbers(Uint8Array, 4)).toString()) as string[][]; // As written above.
  const [firstTerms = [], beginnings = []] = texts;
  const numbers = sections.narrow(1, things);
  const placesByName = sections.narrow(2, places);
  return {
    thingNumbers: numbers,
    placesByName,
    recordCountRuns: sections.numbers(Uint32Array, 3),
    firstTerms,
    prefixes: beginnings,
  };
}

/** How many records the filter of a thing finds. */
export function getRecordCount({ recordCountRuns: recordSteps }: NameDirectory, thing: number): number {
  const step = findFirst(0, recordSteps.length / 2, (at) => numberAt(recordSteps, 2 * at) > thing) - 1;
  return numberAt(recordSteps, 2 * step + 1);
}

/** A line is a term without what it shares with the one before, behind a character that says how much that is. */
const SHARED_LENGTH_BASE = 32;
const MAX_SHARED_LENGTH = 0x7f - SHARED_LENGTH_BASE;

/** A block is read as a whole, in some 50 µs. */
const TERM_BLOCK_BYTES = 8_192;

export class TermBlockBuilder {
  private lines = '';
  private last = '';
  private readonly runs: number[] = [];
  private readonly runEnds: number[] = [];

  /** Terms come in the order of their UTF-8 bytes; `pairs` are first and last number of each run of things. */
  add(term: string, pairs: Uint32Array): void {
    let shared = Math.min(MAX_SHARED_LENGTH, getSharedLength(term, this.last));
    // Half a character has no bytes of UTF-8.
    if (shared > 0 && endsInsideCharacter(term, shared)) shared--;
    this.lines += `${String.fromCharCode(SHARED_LENGTH_BASE + shared)}${term.slice(shared)}\n`;
    this.last = term;
    appendRuns(this.runs, pairs);
    this.runEnds.push(this.runs.length);
  }

  get isEmpty(): boolean {
    return this.last === '';
  }

  get isFull(): boolean {
    return this.lines.length + this.runs.length >= TERM_BLOCK_BYTES;
  }

  build(): Uint8Array {
    const ends = Uint32Array.from(this.runEnds);
    const sections = [Uint32Array.of(ends.length), toNarrowNumbers(ends), Uint8Array.from(this.runs), Buffer.from(this.lines)];
    return writeSections(sections);
  }
}

export function getSharedLength(a: string, b: string): number {
  const most = Math.min(a.length, b.length);
  let shared = 0;
  while (shared < most && a[shared] === b[shared]) shared++;
  return shared;
}

/** Whether so many units of a text end in the middle of a character. */
export function endsInsideCharacter(text: string, units: number): boolean {
  return /[\ud800-\udbff]/.test(text[units - 1] ?? '');
}

/** Behind a term that is asked for as a whole: in a prefix it lets no longer term begin alike. */
export const TERM_END = '\n';

/** Calls `visit` with the runs of things of each term of the block that begins with the prefix. */
export function visitTerms(
  block: Uint8Array,
  prefix: string,
  visit: (position: number, first: number, last: number) => void,
): void {
  const sections = new Sections(block);
  const [count = 0] = sections.numbers(Uint32Array, 0);
  const found = { runs: sections.numbers(Uint8Array, 2), runEnds: sections.narrow(1, count) };
  const whole = prefix.endsWith(TERM_END) ? prefix.slice(0, -TERM_END.length) : undefined;
  let term = '';
  for (const [number, line] of Buffer.from(sections.numbers(Uint8Array, 3)).toString().split('\n', count).entries()) {
    term = term.slice(0, line.charCodeAt(0) - SHARED_LENGTH_BASE) + line.slice(1);
    if (term.startsWith(prefix) || term === whole) {
      const position = readPosition(term);
      visitRuns(found, number, (first, last) => {
        visit(position, first, last);
      });
    } else if (compareUtf8(term, prefix) > 0) return;
  }
}

/** The numbers of the blocks that have all terms which begin with the prefix: `end` is excluded. */
export function findBlocks(
  { firstTerms, prefixes: beginnings }: NameDirectory,
  prefix: string,
): { readonly from: number; readonly end: number } {
  const beginning = findFirst(0, beginnings.length, (at) => compareUtf8(beginnings[at] ?? '', prefix) >= 0);
  if (beginnings[beginning] === prefix) {
    return { from: firstTerms.length + beginning, end: firstTerms.length + beginning + 1 };
  }
  const isBehind = (at: number): boolean => compareUtf8(firstTerms[at] ?? '', prefix) > 0;
  const from = Math.max(0, findFirst(0, firstTerms.length, isBehind) - 1);
  const end = findFirst(from, firstTerms.length, (at) => isBehind(at) && firstTerms[at]?.startsWith(prefix) !== true);
  return { from, end };
}
