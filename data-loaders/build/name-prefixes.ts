// Merges the things of many terms with a common prefix into one block, so that a search reads this block instead of
// theirs.

import { addPosition, readPosition } from '../../shared/search/index/name-terms';
import { endsInsideCharacter, getSharedLength, TermBlockBuilder } from '../../shared/search/index/term-block';
import { toRuns } from './run-list';

/** Fewer terms are a few blocks, which are read in less than a millisecond. */
const MIN_PREFIX_TERMS = 4_096;

/** The terms so far with a common prefix. */
interface OpenPrefix {
  terms: number;
  /** By position in names. */
  readonly things: number[][];
}

export class NamePrefixes {
  readonly blocks = new Map<string, Uint8Array>();
  /** The prefixes of the last term: its mark and one more character, then one more each. */
  private readonly open: OpenPrefix[] = [];
  private lastTerm = '';

  /** Terms are added in order. */
  add(term: string, things: Uint32Array): void {
    this.close(Math.max(0, getSharedLength(term, this.lastTerm) - 1));
    this.lastTerm = term;
    while (this.open.length < term.length - 1) this.open.push({ terms: 0, things: [] });
    const ownThings: number[][] = [];
    ownThings[readPosition(term)] = Array.from(things);
    addThings(this.open.at(-1), { terms: 1, things: ownThings });
  }

  /** Closes the prefixes longer than `depth`. */
  close(depth: number): void {
    while (this.open.length > depth) {
      const closed = this.open.pop();
      if (closed === undefined) return;
      const prefix = this.lastTerm.slice(0, this.open.length + 2);
      const isWritten = closed.terms >= MIN_PREFIX_TERMS && !endsInsideCharacter(prefix, prefix.length);
      if (isWritten) this.blocks.set(prefix, buildBlock(prefix, closed));
      addThings(this.open.at(-1), closed);
    }
  }
}

function addThings(to: OpenPrefix | undefined, { terms, things }: OpenPrefix): void {
  if (to === undefined) return;
  to.terms += terms;
  things.forEach((added, position) => {
    const existing = to.things[position];
    if (existing === undefined) to.things[position] = added;
    else for (const number of added) existing.push(number);
  });
}

function buildBlock(prefix: string, { things }: OpenPrefix): Uint8Array {
  const block = new TermBlockBuilder();
  things.forEach((numbers, position) => {
    block.add(addPosition(prefix, position), toRuns(Uint32Array.from(numbers).sort()));
  });
  return block.build();
}
