// The file of a release's blocks, beside its SQLite file: fragments that stand next to each other are read in one step,
// straight into the answer (ADR 0040). Blocks of all families follow each other as they were closed, each with its header
// behind it; where they lie is kept in the SQLite file, as a directory a family.

import { closeSync, openSync, readSync, writevSync } from 'node:fs';
import { hasCode } from '../../values/error-code';
import type { Block } from './fragment-block';

/** Where the blocks of one family lie. */
export interface BlockDirectory {
  /** The number of each block's first fragment, ascending. */
  readonly firsts: Uint32Array;
  readonly positions: Float64Array;
  readonly contentBytes: Uint32Array;
  readonly headerBytes: Uint32Array;
}

/** Bytes of a block in a written directory: a position of 8, three numbers of 4. */
const ENTRY_BYTES = 20;

export class BlockDirectoryBuilder {
  private readonly entries: number[] = [];

  add({ first, content, header }: Block, position: number): void {
    this.entries.push(position, first, content.length, header.length);
  }

  build(): Uint8Array {
    const count = this.entries.length / 4;
    const directory = viewDirectory(new ArrayBuffer(count * ENTRY_BYTES));
    for (let block = 0; block < count; block++) {
      const [position = 0, first = 0, content = 0, header = 0] = this.entries.slice(4 * block, 4 * block + 4);
      directory.positions[block] = position;
      directory.firsts[block] = first;
      directory.contentBytes[block] = content;
      directory.headerBytes[block] = header;
    }
    return new Uint8Array(directory.positions.buffer);
  }
}

/** Reads what `BlockDirectoryBuilder.build` gave. */
export function readDirectory(content: Uint8Array): BlockDirectory {
  return viewDirectory(content.slice().buffer);
}

function viewDirectory(memory: ArrayBuffer): BlockDirectory {
  const count = memory.byteLength / ENTRY_BYTES;
  const numbers = (column: number): Uint32Array => new Uint32Array(memory, count * (8 + 4 * column), count);
  return {
    positions: new Float64Array(memory, 0, count),
    ...{ firsts: numbers(0), contentBytes: numbers(1), headerBytes: numbers(2) },
  };
}

export class BlockFileWriter {
  private readonly descriptor: number;
  private length = 0;
  isOpen = true;

  constructor(path: string) {
    this.descriptor = openSync(path, 'wx');
  }

  /** Returns where the block lies. */
  append({ content, header }: Block): number {
    const position = this.length;
    const bytes = content.length + header.length;
    let written = writevSync(this.descriptor, [content, header]);
    // A full disk or a signal can cut a write short.
    while (written < bytes) {
      const rest = written < content.length ? content.subarray(written) : header.subarray(written - content.length);
      written += writevSync(this.descriptor, [rest]);
    }
    this.length += bytes;
    return position;
  }

  close(): void {
    if (this.isOpen) closeSync(this.descriptor);
    this.isOpen = false;
  }
}

/** Undefined when there is no such file. */
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

  /** Fills `bytes` bytes of `target` from `offset` on. */
  read(target: Uint8Array, offset: number, bytes: number, position: number): void {
    let done = 0;
    while (done < bytes) {
      const read = readSync(this.descriptor, target, offset + done, bytes - done, position + done);
      if (read === 0) throw new Error('a release ends before its last block');
      done += read;
    }
  }

  close(): void {
    closeSync(this.descriptor);
  }
}
