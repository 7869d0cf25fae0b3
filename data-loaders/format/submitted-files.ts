// The files of one submission as a load reads them, wherever they lie: in a folder here, or in a container, whose blobs
// are read as streams (ADR 0108).

import { readdirSync, statSync } from 'node:fs';
import { open } from 'node:fs/promises';
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
  /**
   * The bytes from `start` on in pieces of some 64 KB; only the last one may be short. A piece is valid until the next
   * is asked for: its memory is used again (ADR 0141).
   */
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
      return { name, size: stats.size, bytes: (start) => piecesOf(path, start) };
    },
  };
}

/** While one piece is looked at, the next is read into the other memory. */
async function* piecesOf(path: string, start: number): AsyncIterable<Buffer> {
  const file = await open(path);
  try {
    let [memory, other] = [Buffer.allocUnsafeSlow(FILE_PIECE_BYTES), Buffer.allocUnsafeSlow(FILE_PIECE_BYTES)];
    let at = start;
    let reading = file.read(memory, 0, FILE_PIECE_BYTES, at);
    for (;;) {
      const { bytesRead } = await reading;
      if (bytesRead === 0) return;
      at += bytesRead;
      [memory, other] = [other, memory];
      reading = file.read(memory, 0, FILE_PIECE_BYTES, at);
      // Its failure is that of the next piece, if somebody asks for it.
      reading.catch(() => undefined);
      yield other.subarray(0, bytesRead);
    }
  } finally {
    await file.close();
  }
}

/** The first `length` bytes, or all of a shorter file. */
export async function startOf(file: SubmittedFile, length: number): Promise<Buffer> {
  const pieces: Buffer[] = [];
  let found = 0;
  for await (const piece of file.bytes(0)) {
    pieces.push(Buffer.from(piece));
    found += piece.length;
    if (found >= length) break;
  }
  return Buffer.concat(pieces).subarray(0, length);
}
