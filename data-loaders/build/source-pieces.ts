// A release keeps its accepted source rows, compressed, beside it (submissions.md, 5): file by file as CSV text, the header
// first, so that a later merge or rebuild reads them like any submission.

import { zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import { keptHeader } from '../format/submission-files';
import type { SourceFile } from '../../shared/store/port';

const LINE_FEED = 0x0a;

/** Large enough to compress well, small enough to hold. */
const PIECE_CHARACTERS = 1 << 20;

/** Of UTF-8, for a character of a text; a line feed behind each row. */
const MAX_CHARACTER_BYTES = 3;

const MAX_KEPT_BYTES = 8 * PIECE_CHARACTERS;

export class SourcePieces {
  private file = '';
  /** Written to as rows come: texts that are kept for a whole piece are garbage that has grown old. */
  private memory = Buffer.allocUnsafe(2 * PIECE_CHARACTERS);
  private bytes = 0;
  private characters = 0;

  constructor(private readonly take: (file: string, piece: Uint8Array) => void) {}

  /** Rows of one file come one after the other. */
  add(file: string, source: string): void {
    if (file !== this.file) this.startFile(file);
    this.write(source);
    this.characters += source.length;
    if (this.characters >= PIECE_CHARACTERS) this.flush();
  }

  private startFile(file: string): void {
    this.flush();
    this.file = file;
    this.write(keptHeader(file));
  }

  private write(row: string): void {
    const needed = this.bytes + MAX_CHARACTER_BYTES * row.length + 1;
    if (needed > this.memory.length) this.memory = Buffer.concat([this.memory.subarray(0, this.bytes)], 2 * needed);
    this.bytes += this.memory.write(row, this.bytes);
    this.memory[this.bytes++] = LINE_FEED;
  }

  flush(): void {
    if (this.bytes > 0) this.take(this.file, zstdCompressSync(this.memory.subarray(0, this.bytes)));
    this.bytes = 0;
    this.characters = 0;
    // What a row of megabytes needed is given back.
    if (this.memory.length > MAX_KEPT_BYTES) this.memory = Buffer.allocUnsafe(2 * PIECE_CHARACTERS);
  }
}

/** The text of a kept file, piece by piece. */
export async function* readSourceText(file: SourceFile): AsyncIterable<Buffer> {
  for await (const piece of file.pieces()) yield zstdDecompressSync(piece);
}
