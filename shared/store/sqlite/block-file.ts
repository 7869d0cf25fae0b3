// The file of a release's blocks, beside its SQLite file: neighbouring fragments are read in one step, straight into
// the answer (ADR 0040). Blocks of all families follow each other as they were closed, each followed by its header. A
// directory for each family, in the SQLite file, says where its blocks lie.

import { closeSync, fstatSync, openSync, readSync, writevSync } from 'node:fs';
import { hasCode } from '../../values/result';
import { numberAt } from '../../values/numbers';
import type { Block } from './blocks';

/** Where the blocks of one family lie. */
export interface BlockDirectory {
  /** The number of each block's first fragment, ascending. */
  readonly firsts: Uint32Array;
  readonly positions: Float64Array;
  readonly contentBytes: Uint32Array;
  readonly headerBytes: Uint32Array;
}

/** A block takes this many bytes in a written directory: a position of 8 and three numbers of 4. */
const ENTRY_BYTES = 20;

/** Where one block lies, and the number of its first fragment. */
export interface BlockPlace {
  readonly first: number;
  readonly position: number;
  readonly contentBytes: number;
  readonly headerBytes: number;
}

/** Read by `readDirectory`. */
export function directoryBytes(places: readonly BlockPlace[]): Uint8Array {
  const { positions, firsts, contentBytes, headerBytes } = viewDirectory(new ArrayBuffer(places.length * ENTRY_BYTES));
  for (const [index, place] of places.entries()) {
    positions[index] = place.position;
    firsts[index] = place.first;
    contentBytes[index] = place.contentBytes;
    headerBytes[index] = place.headerBytes;
  }
  return new Uint8Array(positions.buffer);
}

export function readDirectory(content: Uint8Array): BlockDirectory {
  return viewDirectory(content.slice().buffer);
}

/** How long a block file is that ends with the last of these blocks, in bytes. */
export function directoryEnd({ positions, contentBytes, headerBytes }: BlockDirectory): number {
  const last = positions.length - 1;
  return last < 0 ? 0 : numberAt(positions, last) + numberAt(contentBytes, last) + numberAt(headerBytes, last);
}

function viewDirectory(memory: ArrayBuffer): BlockDirectory {
  const count = memory.byteLength / ENTRY_BYTES;
  const numbers = (column: number): Uint32Array => new Uint32Array(memory, count * (8 + 4 * column), count);
  const positions = new Float64Array(memory, 0, count);
  return { positions, firsts: numbers(0), contentBytes: numbers(1), headerBytes: numbers(2) };
}

export class BlockFileWriter {
  private readonly descriptor: number;
  private length = 0;
  isOpen = true;

  constructor(path: string) {
    this.descriptor = openSync(path, 'wx');
  }

  append({ first, content, header }: Block): BlockPlace {
    const position = this.length;
    const bytes = content.length + header.length;
    let written = writevSync(this.descriptor, [content, header]);
    // A full disk or a signal can cut a write short.
    while (written < bytes) {
      const rest = written < content.length ? content.subarray(written) : header.subarray(written - content.length);
      written += writevSync(this.descriptor, [rest]);
    }
    this.length += bytes;
    return { first, position, contentBytes: content.length, headerBytes: header.length };
  }

  close(): void {
    if (this.isOpen) closeSync(this.descriptor);
    this.isOpen = false;
  }
}

/** Undefined when the file does not exist. */
export function openBlockFile(path: string): BlockFile | undefined {
  try {
    return new BlockFile(openSync(path, 'r'));
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return undefined;
    throw error;
  }
}

export class BlockFile {
  constructor(private readonly descriptor: number) {}

  /** Fills `bytes` bytes of `target` from `offset` on with those at `position` in the file. */
  read(target: Uint8Array, offset: number, bytes: number, position: number): void {
    let done = 0;
    while (done < bytes) {
      const read = readSync(this.descriptor, target, offset + done, bytes - done, position + done);
      if (read === 0) throw new Error('a release ends before its last block');
      done += read;
    }
  }

  /** The length of the file. */
  bytes(): number {
    return fstatSync(this.descriptor).size;
  }

  close(): void {
    closeSync(this.descriptor);
  }
}
