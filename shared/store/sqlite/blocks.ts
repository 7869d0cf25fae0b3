// Neighbouring fragments (records, lookups, geometries, places) are stored in blocks (ADR 0040): their bytes, joined
// with commas, and a header of unsigned 32-bit numbers that says where each fragment ends and what it refers to.

import { COMMA, wordAt } from '../fragments';
import type { MeasuredText } from '../port';

/**
 * A larger fragment has a block of its own. A page of neighbours costs two reads a block; a scattered fragment costs
 * its block's header (about a hundredth of the block) and itself.
 */
const BLOCK_BYTES = 65_536;

/** A larger buffer, made for a fragment of megabytes, is not used again. */
const MAX_REUSED_BYTES = 8 * BLOCK_BYTES;

/** Stored after two counts (fragments, reference lists). `lists` has the reference list of each fragment. */
export interface BlockHeader {
  readonly count: number;
  readonly ends: Uint32Array;
  readonly lists: Uint32Array;
  readonly listEnds: Uint32Array;
  readonly references: Uint32Array;
}

export interface Block {
  /** The number of the first fragment. */
  readonly first: number;
  readonly content: Uint8Array;
  readonly header: Uint8Array;
}

export class BlockBuilder {
  private first = 0;
  private buffer = Buffer.allocUnsafe(2 * BLOCK_BYTES);
  /** The buffer of the block that was taken last, which must be written before the next one is taken. */
  private takenBuffer = Buffer.allocUnsafe(2 * BLOCK_BYTES);
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
    if (this.ends.length > 0) this.buffer[this.length++] = COMMA;
    if (typeof fragment === 'string') {
      this.length += this.buffer.write(fragment, this.length);
    } else {
      this.buffer.set(fragment, this.length);
      this.length += fragment.length;
    }
    this.ends.push(this.length);
    this.lists.push(this.listOf(references));
    return full;
  }

  /** Ends and returns the block under way; undefined when nothing was added since the last one. */
  take(): Block | undefined {
    if (this.ends.length === 0) return undefined;
    const { ends, lists, listEnds, references } = this;
    const header = Uint32Array.from([ends.length, listEnds.length, ...ends, ...lists, ...listEnds, ...references]);
    const block = {
      first: this.first,
      content: this.buffer.subarray(0, this.length),
      header: new Uint8Array(header.buffer),
    };
    this.first += this.ends.length;
    this.length = 0;
    this.ends.length = 0;
    this.lists.length = 0;
    this.listEnds.length = 0;
    this.references = [];
    this.lastList = [];
    [this.buffer, this.takenBuffer] = [this.takenBuffer, this.buffer];
    if (this.buffer.length > MAX_REUSED_BYTES) this.buffer = Buffer.allocUnsafe(2 * BLOCK_BYTES);
    return block;
  }

  /** Records of one series refer to the same lookups; a block stores their list once. */
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
    if (bytes <= this.buffer.length) return;
    const grown = Buffer.allocUnsafe(bytes * 2);
    this.buffer.copy(grown, 0, 0, this.length);
    this.buffer = grown;
  }
}

export function readBlockHeader(header: Uint8Array): BlockHeader {
  const aligned = header.byteOffset % 4 === 0 ? header : header.slice();
  const words = new Uint32Array(aligned.buffer, aligned.byteOffset, aligned.byteLength / 4);
  const count = wordAt(words, 0);
  const listCount = wordAt(words, 1);
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

/** Where fragment `index` of a block starts: after the comma that follows the fragment before it. */
export function fragmentStart(header: BlockHeader, index: number): number {
  return index === 0 ? 0 : wordAt(header.ends, index - 1) + 1;
}

export function measureFragment(header: BlockHeader, index: number): MeasuredText {
  const bytes = wordAt(header.ends, index) - fragmentStart(header, index);
  return { bytes, references: referencesOf(header, index) };
}

/** The references of a fragment; those of neighbours are often the same list. */
export function referencesOf(header: BlockHeader, index: number): Uint32Array {
  // Most families refer to nothing: an array for each fragment would be garbage.
  if (header.references.length === 0) return header.references;
  const list = wordAt(header.lists, index);
  const from = list === 0 ? 0 : wordAt(header.listEnds, list - 1);
  return header.references.subarray(from, wordAt(header.listEnds, list));
}
