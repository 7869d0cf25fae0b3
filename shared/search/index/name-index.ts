// The names of a release (D60, ADR 0059): sorted terms, each with the things that have it, and the names of its places
// in their order. Both are cut into blocks, so that a search reads only those in which its words can be. A directory
// has the first of each block.
//
// A thing is a record of rights, by its number, or a place: the number of records of rights plus its position in the
// order of names. So things that are equal in all else stand in the order of an answer.

import { Sections, writeSections, narrowed, type NarrowNumbers } from '../../values/bytes/sections';
import { firstThat, numberAt } from '../../values/numbers';
import { compareUtf8, foldName, wordsOf } from '../../values/text';
import { appendRuns, visitRuns } from './place-index';

/** What a term begins with: a word of a name, or of an identifier of several words; or an identifier as a whole. */
const MARKS = { name: 'n', identifier: 'i', oneWord: '1', severalWords: '2' } as const;

/** The terms of a thing, each once. Native identifiers are as good as universal ones. */
export function nameTerms(name: string | null, identifiers: readonly (string | null)[]): Iterable<string> {
  const terms = new Set(wordsOf(name ?? '').map((word) => MARKS.name + word));
  for (const identifier of identifiers) {
    const words = wordsOf(identifier ?? '');
    if (words.length === 0) continue;
    terms.add(wholeTerm(words));
    if (words.length > 1) for (const word of words) terms.add(MARKS.identifier + word);
  }
  return terms;
}

/** The term of the identifiers that are equal to the words. */
export function wholeTerm(words: readonly string[]): string {
  return (words.length === 1 ? MARKS.oneWord : MARKS.severalWords) + words.join(' ');
}

/** What terms begin with that have a word of a name, or of an identifier, which begins with the text. */
export const prefixes = {
  ofNames: (text: string) => [MARKS.name + text],
  ofIdentifiers: (text: string) => [MARKS.identifier + text, MARKS.oneWord + text],
} as const;

/** The `names` artifact. Blocks of places' names come first, then those of terms. */
export interface NameDirectory {
  /** By position in the order of names, the rank of the place. */
  readonly ranks: NarrowNumbers;
  /** The first name of each block of names, folded. */
  readonly firstNames: readonly string[];
  /** The first term of each block of terms. */
  readonly firstTerms: readonly string[];
  /** The records that the filter of an identifier finds, where others have the same but for letter case: by record. */
  readonly sharedByRights: ReadonlyMap<number, number>;
  /** The same of places, by rank. */
  readonly sharedByPlaces: ReadonlyMap<number, number>;
  readonly byteLength: number;
}

/** Names are read to find where a text stands among them, and in which order a name has its words. */
export const NAMES_OF_BLOCK = 128;

export function writeNameDirectory(ranks: Uint32Array, lists: Omit<NameDirectory, 'ranks' | 'byteLength'>): Uint8Array {
  const { firstNames, firstTerms, sharedByRights, sharedByPlaces } = lists;
  const texts: DirectoryTexts = [firstNames, firstTerms, [...sharedByRights], [...sharedByPlaces]];
  return writeSections([Uint32Array.of(ranks.length), narrowed(ranks), Buffer.from(JSON.stringify(texts))]);
}

type Counted = readonly (readonly [number: number, records: number])[];

type DirectoryTexts = readonly [names: readonly string[], terms: readonly string[], rights: Counted, places: Counted];

export function readNameDirectory(content: Uint8Array): NameDirectory {
  const sections = new Sections(content);
  const [places = 0] = sections.numbers(Uint32Array, 0);
  const text = Buffer.from(sections.numbers(Uint8Array, 2)).toString();
  const [firstNames, firstTerms, rights, sharing] = JSON.parse(text) as DirectoryTexts; // As writeNameDirectory has it.
  // Texts take about three times their bytes in memory.
  const byteLength = content.byteLength + 2 * text.length;
  const shared = { sharedByRights: new Map(rights), sharedByPlaces: new Map(sharing) };
  return { ranks: sections.narrow(1, places), firstNames, firstTerms, ...shared, byteLength };
}

/** A line is a term without what it shares with the one before, behind a character that says how much that is. */
const NOTHING_SHARED = 32;
const MOST_SHARED = 0x7f - NOTHING_SHARED;

/** A block is read as a whole, in some 50 µs. */
const TERM_BLOCK_BYTES = 8_192;

export class TermBlockBuilder {
  private lines = '';
  private last = '';
  private readonly runs: number[] = [];
  private readonly runEnds: number[] = [];

  /** Terms come in the order of their UTF-8 bytes; `pairs` are first and last number of each run of things. */
  add(term: string, pairs: Uint32Array): void {
    const most = Math.min(MOST_SHARED, term.length, this.last.length);
    let shared = 0;
    while (shared < most && term[shared] === this.last[shared]) shared++;
    // Half a character has no bytes of UTF-8.
    if (shared > 0 && /[\ud800-\udbff]/.test(term[shared - 1] ?? '')) shared--;
    this.lines += `${String.fromCharCode(NOTHING_SHARED + shared)}${term.slice(shared)}\n`;
    this.last = term;
    appendRuns(this.runs, pairs);
    this.runEnds.push(this.runs.length);
  }

  get isFull(): boolean {
    return this.lines.length + this.runs.length >= TERM_BLOCK_BYTES;
  }

  build(): Uint8Array {
    const ends = Uint32Array.from(this.runEnds);
    const sections = [Uint32Array.of(ends.length), narrowed(ends), Uint8Array.from(this.runs), Buffer.from(this.lines)];
    return writeSections(sections);
  }
}

/** Calls `visit` with the runs of things of each term of the block that begins with the prefix, or is equal to it. */
export function visitTerms(
  block: Uint8Array,
  { prefix, isWhole }: { readonly prefix: string; readonly isWhole: boolean },
  visit: (first: number, last: number) => void,
): void {
  const sections = new Sections(block);
  const [count = 0] = sections.numbers(Uint32Array, 0);
  const found = { runs: sections.numbers(Uint8Array, 2), runEnds: sections.narrow(1, count) };
  let term = '';
  for (const [number, line] of Buffer.from(sections.numbers(Uint8Array, 3)).toString().split('\n', count).entries()) {
    term = term.slice(0, line.charCodeAt(0) - NOTHING_SHARED) + line.slice(1);
    if (isWhole ? term === prefix : term.startsWith(prefix)) visitRuns(found, number, visit);
    else if (compareUtf8(term, prefix) > 0) return;
  }
}

/** The numbers of the blocks of terms that can have one which begins with the prefix: `end` is excluded. */
export function termBlocksOf(
  { firstTerms }: NameDirectory,
  prefix: string,
): { readonly from: number; readonly end: number } {
  const isBehind = (at: number): boolean => compareUtf8(firstTerms[at] ?? '', prefix) > 0;
  const from = Math.max(0, firstThat(0, firstTerms.length, isBehind) - 1);
  const end = firstThat(from, firstTerms.length, (at) => isBehind(at) && firstTerms[at]?.startsWith(prefix) !== true);
  return { from, end };
}

/** The names of a block, and the same folded. */
export interface NameBlock {
  readonly names: readonly (string | null)[];
  readonly folded: readonly string[];
  readonly byteLength: number;
}

export function writeNameBlock(names: readonly (string | null)[]): Uint8Array {
  return Buffer.from(JSON.stringify(names));
}

export function readNameBlock(content: Uint8Array): NameBlock {
  const names = JSON.parse(Buffer.from(content).toString()) as (string | null)[]; // As writeNameBlock has it.
  return { names, folded: names.map((name) => foldName(name ?? '')), byteLength: 6 * content.byteLength };
}

/** The first position whose folded name meets the test, which all behind it meet. */
export async function firstPosition(
  { firstNames, ranks }: NameDirectory,
  isMet: (folded: string) => boolean,
  blockOf: (number: number) => Promise<NameBlock>,
): Promise<number> {
  const behind = firstThat(0, firstNames.length, (at) => isMet(firstNames[at] ?? ''));
  if (behind === 0) return 0;
  const { folded } = await blockOf(behind - 1);
  const within = firstThat(0, folded.length, (at) => isMet(folded[at] ?? ''));
  return Math.min(ranks.length, (behind - 1) * NAMES_OF_BLOCK + within);
}

/** The rank of the place at a position. */
export function rankAt({ ranks }: NameDirectory, position: number): number {
  return numberAt(ranks, position);
}
