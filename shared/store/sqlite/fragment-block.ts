// Neighbouring fragments (records, lookups, geometries) are stored in blocks (ADR 0040). A block is the fragments' bytes,
// joined with commas, and a header of unsigned 32-bit numbers that says where each fragment ends.

import { COMMA } from '../fragments';

/**
 * A block is closed when it has grown to this many bytes; a larger fragment has a block of its own. A page of neighbours costs
 * two reads a block, a scattered fragment its header (about a hundredth of the block) and itself.
 */
const BLOCK_BYTES = 65_536;

/** What a fragment of megabytes needed is given back. */
const MAX_KEPT_SCRATCH = 8 * BLOCK_BYTES;

/** Header: the count, the end of each fragment, the reference list of each, the end of each list, the lists. */
export interface BlockHeader {
  readonly count: number;
  readonly ends: Uint32Array;
  readonly lists: Uint32Array;
  readonly listEnds: Uint32Array;
  readonly references: Uint32Array;
}

export interface Block {
  readonly first: number;
  readonly content: Uint8Array;
  readonly header: Uint8Array;
}

export class BlockBuilder {
  private first = 0;
  private scratch = Buffer.allocUnsafe(2 * BLOCK_BYTES);
  /** Of the block that was taken last: it is to be written before the next one is taken. */
  private former = Buffer.allocUnsafe(2 * BLOCK_BYTES);
  private length = 0;
  private readonly ends: number[] = [];
  private readonly lists: number[] = [];
  private readonly listEnds: number[] = [];
  private references: number[] = [];
  private lastList: readonly number[] = [];

  /** Returns the block that is full before this fragment, if there is one. */
  add(fragment: string | Uint8Array, references: readonly number[] = []): Block | undefined {
    const maxBytes = typeof fragment === 'string' ? fragment.length * 3 : fragment.length;
    const full = this.ends.length > 0 && this.length + fragment.length > BLOCK_BYTES ? this.take() : undefined;
    this.reserve(this.length + maxBytes + 1);
    if (this.ends.length > 0) this.scratch[this.length++] = COMMA;
    if (typeof fragment === 'string') {
      this.length += this.scratch.write(fragment, this.length);
    } else {
      this.scratch.set(fragment, this.length);
      this.length += fragment.length;
    }
    this.ends.push(this.length);
    this.lists.push(this.listOf(references));
    return full;
  }

  /** The block under way, or undefined when nothing was added since the last. */
  take(): Block | undefined {
    if (this.ends.length === 0) return undefined;
    const header = joined([
      [this.ends.length, this.listEnds.length],
      this.ends,
      this.lists,
      this.listEnds,
      this.references,
    ]);
    const block = {
      first: this.first,
      content: this.scratch.subarray(0, this.length),
      header: new Uint8Array(header.buffer),
    };
    this.first += this.ends.length;
    this.length = 0;
    this.ends.length = 0;
    this.lists.length = 0;
    this.listEnds.length = 0;
    this.references = [];
    this.lastList = [];
    [this.scratch, this.former] = [this.former, this.scratch];
    if (this.scratch.length > MAX_KEPT_SCRATCH) this.scratch = Buffer.allocUnsafe(2 * BLOCK_BYTES);
    return block;
  }

  /** Records of one series refer to the same lookups: their list is stored once a block. */
  private listOf(references: readonly number[]): number {
    const isSame =
      this.listEnds.length > 0 &&
      references.length === this.lastList.length &&
      references.every((reference, index) => reference === this.lastList[index]);
    if (!isSame) {
      for (const reference of references) this.references.push(reference);
      this.listEnds.push(this.references.length);
      this.lastList = references;
    }
    return this.listEnds.length - 1;
  }

  private reserve(bytes: number): void {
    if (bytes <= this.scratch.length) return;
    const grown = Buffer.allocUnsafe(bytes * 2);
    this.scratch.copy(grown, 0, 0, this.length);
    this.scratch = grown;
  }
}

function joined(lists: readonly (readonly number[])[]): Uint32Array {
  const words = new Uint32Array(lists.reduce((sum, list) => sum + list.length, 0));
  let at = 0;
  for (const list of lists) {
    words.set(list, at);
    at += list.length;
  }
  return words;
}

export function readBlockHeader(header: Uint8Array): BlockHeader {
  const aligned = header.byteOffset % 4 === 0 ? header : header.slice();
  const words = new Uint32Array(aligned.buffer, aligned.byteOffset, aligned.byteLength / 4);
  const count = words[0] ?? 0;
  const listCount = words[1] ?? 0;
  const lists = 2 + count;
  const listEnds = lists + count;
  const references = listEnds + listCount;
  return {
    count,
    ends: words.subarray(2, lists),
    lists: words.subarray(lists, listEnds),
    listEnds: words.subarray(listEnds, references),
    references: words.subarray(references),
  };
}

/** Where fragment `index` of a block starts: after the comma behind the one before it. */
export function fragmentStart(header: BlockHeader, index: number): number {
  return index === 0 ? 0 : (header.ends[index - 1] ?? 0) + 1;
}
