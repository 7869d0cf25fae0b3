// The port through which a load reads the files of a submission. They are in a local folder, or in a container whose
// blobs are read as streams (ADR 0052).

import { createReadStream, readdirSync, statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';

export interface SubmittedFiles {
  /** The name of the submission in the catalog. */
  readonly name: string;
  /**
   * The names of the files and folders directly in the submission or in one of its folders. Empty if `folder` is not a
   * folder.
   */
  readonly names: (folder?: string) => readonly string[];
  /** Undefined if there is no such file. A file in a folder of the submission is identified by its path. */
  readonly file: (name: string) => SubmittedFile | undefined;
  /** Notes for the report on how the files were read. */
  readonly notes?: readonly string[];
}

export interface SubmittedFile {
  readonly name: string;
  /** In bytes. */
  readonly size: number;
  /** The bytes from offset `start` to the end, in buffers of about 64 KB. */
  readonly bytes: (start: number) => AsyncIterable<Buffer>;
}

export function folderFiles(folder: string): SubmittedFiles {
  return {
    name: basename(resolve(folder)),
    names: (inner) => {
      const path = inner === undefined ? folder : join(folder, inner);
      const isFolder = statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
      return isFolder ? readdirSync(path) : [];
    },
    file: (name) => {
      const path = join(folder, name);
      const stats = statSync(path, { throwIfNoEntry: false });
      if (stats?.isFile() !== true) return undefined;
      return { name, size: stats.size, bytes: (start) => createReadStream(path, { start }) };
    },
  };
}

/** A submission that consists of one file: an archive or a workbook. */
export function singleFile(path: string): SubmittedFiles {
  const name = basename(path);
  const files = folderFiles(dirname(path));
  return {
    name: name.replace(/\.[^.]*$/, ''),
    names: (folder) => (folder === undefined ? [name] : []),
    file: (other) => (other === name ? files.file(name) : undefined),
  };
}

/** The first `length` bytes, or the whole file if it is shorter. */
export async function readStart(file: SubmittedFile, length: number): Promise<Buffer> {
  const pieces: Buffer[] = [];
  let bytesRead = 0;
  for await (const piece of file.bytes(0)) {
    pieces.push(piece);
    bytesRead += piece.length;
    if (bytesRead >= length) break;
  }
  return Buffer.concat(pieces).subarray(0, length);
}
