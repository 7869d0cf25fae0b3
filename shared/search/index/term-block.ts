// A block of the index of names (ADR 0059): sorted terms, each with the runs of the things that have it. Each line
// contains a character that encodes the length of the prefix shared with the previous term, then the rest of the term.

import { Sections, toNarrowNumbers, writeSections } from '../../values/bytes/sections';
import { compareUtf8 } from '../../values/compare-utf8';
import { readPosition } from './name-terms';
import { appendRuns, visitRuns } from './number-runs';

/** The first character of a line is this code plus the shared length. */
const SHARED_LENGTH_BASE = 32;
const MAX_SHARED_LENGTH = 0x7f - SHARED_LENGTH_BASE;

/** A block is read as a whole, in about 50 µs. */
const TERM_BLOCK_BYTES = 8_192;

/** Appended to a term, it turns the term into a prefix that matches only this exact term. No term contains it. */
export const TERM_END = '\n';

export class TermBlockBuilder {
  private lines = '';
  private lastTerm = '';
  private readonly runs: number[] = [];
  private readonly runEnds: number[] = [];

  /**
   * Terms must be added in the order of their UTF-8 bytes; `pairs` are the first and last number of each run of things.
   */
  add(term: string, pairs: Uint32Array): void {
    let shared = Math.min(MAX_SHARED_LENGTH, getSharedLength(term, this.lastTerm));
    // Half a surrogate pair cannot be encoded in UTF-8.
    if (shared > 0 && endsInsideCharacter(term, shared)) shared--;
    this.lines += `${String.fromCharCode(SHARED_LENGTH_BASE + shared)}${term.slice(shared)}\n`;
    this.lastTerm = term;
    appendRuns(this.runs, pairs);
    this.runEnds.push(this.runs.length);
  }

  get isEmpty(): boolean {
    return this.lastTerm === '';
  }

  get isFull(): boolean {
    return this.lines.length + this.runs.length >= TERM_BLOCK_BYTES;
  }

  build(): Uint8Array {
    const ends = Uint32Array.from(this.runEnds);
    return writeSections([
      Uint32Array.of(ends.length),
      toNarrowNumbers(ends),
      Uint8Array.from(this.runs),
      Buffer.from(this.lines),
    ]);
  }
}

/** Returns the length of the common prefix, in UTF-16 units. */
export function getSharedLength(a: string, b: string): number {
  const maxLength = Math.min(a.length, b.length);
  let shared = 0;
  while (shared < maxLength && a[shared] === b[shared]) shared++;
  return shared;
}

/** Whether the first `units` UTF-16 units of a text end in the middle of a surrogate pair. */
export function endsInsideCharacter(text: string, units: number): boolean {
  return /[\ud800-\udbff]/.test(text[units - 1] ?? '');
}

/**
 * Calls `visit` with the runs of things of each term of the block that begins with the prefix. A prefix that ends with
 * TERM_END matches that exact term.
 */
export function visitTerms(
  block: Uint8Array,
  prefix: string,
  visit: (position: number, first: number, last: number) => void,
): void {
  const sections = new Sections(block);
  const [count = 0] = sections.numbers(Uint32Array, 0);
  const runs = { runs: sections.numbers(Uint8Array, 2), runEnds: sections.narrow(1, count) };
  const exactTerm = prefix.endsWith(TERM_END) ? prefix.slice(0, -TERM_END.length) : undefined;
  const lines = Buffer.from(sections.numbers(Uint8Array, 3)).toString().split('\n', count);
  let term = '';
  for (const [index, line] of lines.entries()) {
    term = term.slice(0, line.charCodeAt(0) - SHARED_LENGTH_BASE) + line.slice(1);
    if (term.startsWith(prefix) || term === exactTerm) {
      const position = readPosition(term);
      visitRuns(runs, index, (first, last) => {
        visit(position, first, last);
      });
    } else if (compareUtf8(term, prefix) > 0) return;
  }
}
