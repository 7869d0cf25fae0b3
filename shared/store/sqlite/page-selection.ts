// What a page takes from the blocks of a release: found by the blocks' headers first, so that its length is known, and
// read from the file straight into the answer afterwards (ADR 0040).

import { COMMA, wordAt } from '../fragments';
import type { JoinedFragments } from '../port';
import type { BlockFile } from './block-file';
import { fragmentStart, type BlockHeader } from './blocks';

/** Neighbouring fragments of one block, already joined with commas: bytes of the block file. */
interface Extent {
  readonly position: number;
  readonly bytes: number;
}

/** Beyond this many extents of one block, everything between the first and the last is read in one step. */
const MAX_READS = 3;

export class FragmentSelection implements JoinedFragments {
  byteLength = 0;
  /** For each block, in the order of the file, the extents that were selected. */
  private readonly blocks: (readonly Extent[])[] = [];

  constructor(private readonly read: BlockFile['read']) {}

  /** Selects the fragments at `indexes` of the next block, which lies at `position`. */
  add(position: number, header: BlockHeader, indexes: Uint32Array): void {
    const extents = extentsOf(position, header, indexes);
    for (const { bytes } of extents) this.byteLength += bytes + 1;
    if (this.blocks.length === 0) this.byteLength--;
    this.blocks.push(extents);
  }

  copyTo(target: Uint8Array, offset: number): void {
    const { read } = this;
    let at = offset;
    let isFirst = true;
    for (const extents of this.blocks) {
      const [first] = extents;
      const last = extents.at(-1);
      if (first === undefined || last === undefined) continue;
      const isMany = extents.length > MAX_READS;
      const span = new Uint8Array(isMany ? last.position + last.bytes - first.position : 0);
      if (isMany) read(span, 0, span.length, first.position);
      for (const { position, bytes } of extents) {
        if (!isFirst) target[at++] = COMMA;
        isFirst = false;
        const from = position - first.position;
        if (isMany) target.set(span.subarray(from, from + bytes), at);
        else read(target, at, bytes, position);
        at += bytes;
      }
    }
  }
}

function extentsOf(position: number, header: BlockHeader, indexes: Uint32Array): readonly Extent[] {
  const extents: Extent[] = [];
  for (let at = 0; at < indexes.length;) {
    const first = wordAt(indexes, at);
    let last = first;
    while (++at < indexes.length && indexes[at] === last + 1) last++;
    const start = fragmentStart(header, first);
    extents.push({ position: position + start, bytes: wordAt(header.ends, last) - start });
  }
  return extents;
}

/**
 * The lookups that a page refers to, ascending. A bit per lookup is cheaper than a Set; a million sites take 128 KB for
 * the time of one page. Listing ends at the last bit set, which takes a third of the time of `listBits`.
 */
export class ReferenceCollector {
  private readonly words: Uint32Array;
  private count = 0;

  constructor(lookups: number) {
    this.words = new Uint32Array((lookups >>> 5) + 1);
  }

  /** Adds the references of some fragments of a block; neighbours mostly share one list. */
  add({ lists, listEnds, references }: BlockHeader, indexes: Uint32Array): void {
    let lastList = -1;
    for (const index of indexes) {
      const list = wordAt(lists, index);
      if (list === lastList) continue;
      lastList = list;
      const end = wordAt(listEnds, list);
      for (let at = list === 0 ? 0 : wordAt(listEnds, list - 1); at < end; at++) this.mark(wordAt(references, at));
    }
  }

  ascending(): Uint32Array {
    const numbers = new Uint32Array(this.count);
    let filled = 0;
    for (let word = 0; filled < this.count; word++) {
      for (let bits = wordAt(this.words, word); bits !== 0; bits &= bits - 1) {
        numbers[filled++] = word * 32 + 31 - Math.clz32(bits & -bits);
      }
    }
    return numbers;
  }

  private mark(number: number): void {
    const word = number >>> 5;
    const before = wordAt(this.words, word);
    const after = (before | (1 << (number & 31))) >>> 0;
    if (after === before) return;
    this.words[word] = after;
    this.count++;
  }
}
