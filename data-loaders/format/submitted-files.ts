// The files of one submission as a load reads them, wherever they lie: in a folder here, or in a container, whose blobs
// are read as streams (ADR 0108).

import { createReadStream, readdirSync, statSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';

/** Rows of larger pieces outlive a collection of the young generation, which then costs half as much again. */
export const FILE_PIECE_BYTES = 1 << 16;

export interface SubmittedFiles {
  /** What the catalog calls the submission. */
  readonly name: string;
  /** The names of the files and folders that lie directly in it. */
  readonly names: () => readonly string[];
  /** Undefined when there is no file of this name. */
  readonly file: (name: string) => SubmittedFile | undefined;
}

export interface SubmittedFile {
  readonly name: string;
  /** In bytes. */
  readonly size: number;
  /** The bytes from `start` on in pieces of some 64 KB, of which two are in memory; only the last one may be short. */
  readonly bytes: (start: number) => AsyncIterable<Buffer>;
}

export function folderFiles(folder: string): SubmittedFiles {
  return {
    name: basename(resolve(folder)),
    names: () => readdirSync(folder),
    file: (name) => {
      const path = join(folder, name);
      const stats = statSync(path, { throwIfNoEntry: false });
      if (stats?.isFile() !== true) return undefined;
      // A stream without an encoding yields buffers.
      const bytes = (start: number): AsyncIterable<Buffer> =>
        createReadStream(path, { start, highWaterMark: FILE_PIECE_BYTES }) as AsyncIterable<Buffer>;
      return { name, size: stats.size, bytes };
    },
  };
}

/** The first `length` bytes, or all of a shorter file. */
export async function startOf(file: SubmittedFile, length: number): Promise<Buffer> {
  const pieces: Buffer[] = [];
  let found = 0;
  for await (const piece of file.bytes(0)) {
    pieces.push(piece);
    found += piece.length;
    if (found >= length) break;
  }
  return Buffer.concat(pieces).subarray(0, length);
}
