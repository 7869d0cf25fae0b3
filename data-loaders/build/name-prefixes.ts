// Merges the items of all terms with a common prefix into one block, so that a search reads one block instead of many.

import { addPosition, readPosition } from '../../shared/search/index/name-terms';
import { endsInsideCharacter, getSharedLength, TermBlockBuilder } from '../../shared/search/index/term-block';
import { toRuns } from './run-list';

/** A prefix of fewer terms spans only a few blocks, which are read in less than a millisecond. */
const MIN_PREFIX_TERMS = 4_096;

/** The terms added so far that have a common prefix. */
interface OpenPrefix {
  terms: number;
  /** Keyed by the position of the word in a name. */
  readonly things: number[][];
}

export class NamePrefixes {
  readonly blocks = new Map<string, Uint8Array>();
  /** The open prefixes of the last term, from its mark plus one character to the whole term. */
  private readonly open: OpenPrefix[] = [];
  private lastTerm = '';

  /** Terms must be added in ascending order. */
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
