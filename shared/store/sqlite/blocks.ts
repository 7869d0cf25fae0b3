// Blocks of neighboring fragments (records, lookups, geometries, places; ADR 0040). A block has the bytes of its
// fragments, joined with commas, and a header of unsigned 32-bit numbers with the end and the references of each
// fragment. The blocks of all families are in one file next to the release's SQLite file, in the order in which they
// were filled. A directory for each family, in the SQLite file, has the offsets of its blocks.

import { BitSet } from '../../values/bytes/bit-set';
import { ByteWriter } from '../../values/bytes/byte-writer';
import { numberAt } from '../../values/number-arrays';
import { COMMA } from '../joined-fragments';
import type { JoinedTexts, MeasuredText } from '../port';

/**
 * A larger fragment gets its own block. A page of neighbors takes two reads per block. For a scattered fragment, only
 * the fragment and the header of its block are read; the header is about a hundredth of the block.
 */
const BLOCK_BYTES = 65_536;

/** Stored after two counts (fragments, reference lists). `lists` has the index of each fragment's reference list. */
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
  private readonly content = new ByteWriter(2 * BLOCK_BYTES);
  private readonly ends: number[] = [];
  private readonly lists: number[] = [];
  private readonly listEnds: number[] = [];
  private references: number[] = [];
  private lastList: readonly number[] = [];
  private readonly locations: BlockLocation[] = [];

  /** `write` gets each full block and returns its location. The bytes of the block are valid until it returns. */
  constructor(private readonly write: (block: Block) => BlockLocation) {}

  add(fragment: string | Uint8Array, references: readonly number[] = []): void {
    if (this.content.length + fragment.length > BLOCK_BYTES) this.endBlock();
    if (this.ends.length > 0) this.content.byte(COMMA);
    if (typeof fragment === 'string') this.content.text(fragment);
    else this.content.copy(fragment);
    this.ends.push(this.content.length);
    this.lists.push(this.addReferenceList(references));
  }

  /** Writes the last block. Returns the directory of all blocks, as `viewDirectory` reads it. */
  finish(): Uint8Array {
    this.endBlock();
    return encodeDirectory(this.locations);
  }

  /** Writes the current block, unless it is empty. */
  private endBlock(): void {
    if (this.ends.length === 0) return;
    const { ends, lists, listEnds, references } = this;
    const header = Uint32Array.from([ends.length, listEnds.length, ...ends, ...lists, ...listEnds, ...references]);
    const content = this.content.bytes();
    this.locations.push(this.write({ first: this.first, content, header: new Uint8Array(header.buffer) }));
    this.first += this.ends.length;
    this.content.truncate(0);
    this.ends.length = 0;
    this.lists.length = 0;
    this.listEnds.length = 0;
    this.references = [];
    this.lastList = [];
  }

  /**
   * Records of one series refer to the same lookups, so a block stores a repeated list once. Returns the list's index.
   */
  private addReferenceList(references: readonly number[]): number {
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
}

export function readBlockHeader(header: Uint8Array): BlockHeader {
  const aligned = header.byteOffset % 4 === 0 ? header : header.slice();
  const words = new Uint32Array(aligned.buffer, aligned.byteOffset, aligned.byteLength / 4);
  const count = numberAt(words, 0);
  const listCount = numberAt(words, 1);
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

/** Returns the offset of a fragment in its block: after the comma that follows the previous fragment. */
export function getFragmentStart(header: BlockHeader, index: number): number {
  return index === 0 ? 0 : numberAt(header.ends, index - 1) + 1;
}

export function measureFragment(header: BlockHeader, index: number): MeasuredText {
  const bytes = numberAt(header.ends, index) - getFragmentStart(header, index);
  return { bytes, references: readReferences(header, index) };
}

/** Reads the references of a fragment. Neighbors often share one list. */
export function readReferences(header: BlockHeader, index: number): Uint32Array {
  // Most families have no references. Avoids creating an array for each fragment.
  return header.references.length === 0 ? header.references : readReferenceList(header, numberAt(header.lists, index));
}

function readReferenceList({ listEnds, references }: BlockHeader, list: number): Uint32Array {
  return references.subarray(list === 0 ? 0 : numberAt(listEnds, list - 1), numberAt(listEnds, list));
}

/** The locations of the blocks of one family. */
export interface BlockDirectory {
  /** The number of each block's first fragment, ascending. */
  readonly firsts: Uint32Array;
  readonly offsets: Float64Array;
  readonly contentBytes: Uint32Array;
  readonly headerBytes: Uint32Array;
}

/** The size of a block's entry in a directory: an offset of 8 bytes and three numbers of 4. */
const ENTRY_BYTES = 20;

/** The location of a block, and the number of its first fragment. */
export interface BlockLocation {
  readonly first: number;
  readonly offset: number;
  readonly contentBytes: number;
  readonly headerBytes: number;
}

function encodeDirectory(locations: readonly BlockLocation[]): Uint8Array {
  const {
    offsets: offsets,
    firsts,
    contentBytes,
    headerBytes,
  } = viewDirectory(new ArrayBuffer(locations.length * ENTRY_BYTES));
  for (const [index, location] of locations.entries()) {
    offsets[index] = location.offset;
    firsts[index] = location.first;
    contentBytes[index] = location.contentBytes;
    headerBytes[index] = location.headerBytes;
  }
  return new Uint8Array(offsets.buffer);
}

/** Finds the length in bytes of a block file that ends with the last of these blocks. */
export function findDirectoryEnd({ offsets: offsets, contentBytes, headerBytes }: BlockDirectory): number {
  const last = offsets.length - 1;
  return last < 0 ? 0 : numberAt(offsets, last) + numberAt(contentBytes, last) + numberAt(headerBytes, last);
}

export function viewDirectory(memory: ArrayBuffer): BlockDirectory {
  const count = memory.byteLength / ENTRY_BYTES;
  const numbers = (column: number): Uint32Array => new Uint32Array(memory, count * (8 + 4 * column), count);
  const offsets = new Float64Array(memory, 0, count);
  return { offsets: offsets, firsts: numbers(0), contentBytes: numbers(1), headerBytes: numbers(2) };
}

/** Reads `bytes` bytes at `fileOffset` of the block file into `target` at `targetOffset`. */
export type ReadBlocks = (target: Uint8Array, targetOffset: number, bytes: number, fileOffset: number) => void;

/** Neighboring fragments of one block, already joined with commas in the block file. */
interface Extent {
  readonly fileOffset: number;
  readonly bytes: number;
}

/**
 * Selected texts of a release. The headers of their blocks are read first, so that the length is known; the texts are
 * read from the file when they are copied.
 */
export class TextSelection implements JoinedTexts {
  byteLength = 0;
  /** Undefined until a text has references. */
  private lookups: BitSet | undefined;
  /** For each block, in the order of the file, the selected extents; at least one. */
  private readonly blocks: (readonly Extent[])[] = [];

  /** `lookupCount` is the number of lookups of the release. */
  constructor(
    private readonly read: ReadBlocks,
    private readonly lookupCount: number,
  ) {}

  get references(): Uint32Array {
    return this.lookups?.slice() ?? new Uint32Array();
  }

  /** Selects the fragments at `indexes` of the next block, which is at `fileOffset`. */
  add(fileOffset: number, header: BlockHeader, indexes: Uint32Array): void {
    const extents = findExtents(fileOffset, header, indexes);
    for (const { bytes } of extents) this.byteLength += bytes + 1;
    if (this.blocks.length === 0) this.byteLength--;
    this.blocks.push(extents);
    if (header.references.length === 0) return;
    this.lookups ??= new BitSet(this.lookupCount);
    const { lookups } = this;
    const lists = new Set(indexes.map((index) => numberAt(header.lists, index)));
    for (const list of lists) {
      for (const reference of readReferenceList(header, list)) lookups.add(reference);
    }
  }

  /** Reads each block once, from its first to its last selected byte. */
  copyTo(target: Uint8Array, offset: number): void {
    let targetOffset = offset;
    for (const extents of this.blocks) {
      const first = extents[0];
      const last = extents.at(-1);
      if (first === undefined || last === undefined) continue;
      if (targetOffset > offset) {
        target[targetOffset] = COMMA;
        targetOffset++;
      }
      if (first === last) {
        this.read(target, targetOffset, first.bytes, first.fileOffset);
        targetOffset += first.bytes;
        continue;
      }
      const span = Buffer.allocUnsafe(last.fileOffset + last.bytes - first.fileOffset);
      this.read(span, 0, span.length, first.fileOffset);
      for (const extent of extents) {
        if (extent !== first) {
          target[targetOffset] = COMMA;
          targetOffset++;
        }
        const start = extent.fileOffset - first.fileOffset;
        target.set(span.subarray(start, start + extent.bytes), targetOffset);
        targetOffset += extent.bytes;
      }
    }
  }
}

function findExtents(fileOffset: number, header: BlockHeader, indexes: Uint32Array): readonly Extent[] {
  const extents: Extent[] = [];
  for (let index = 0; index < indexes.length;) {
    const first = numberAt(indexes, index);
    let last = first;
    index++;
    while (index < indexes.length && indexes[index] === last + 1) {
      last++;
      index++;
    }
    const start = getFragmentStart(header, first);
    extents.push({ fileOffset: fileOffset + start, bytes: numberAt(header.ends, last) - start });
  }
  return extents;
}
