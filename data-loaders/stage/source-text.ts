// A release stores its accepted source rows, compressed, beside its records (submissions.md, 5): file by file as CSV
// text, the header first, so that a later merge or rebuild reads them like any submission.

import { zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import type { SourceFile } from '../../shared/store/port';
import { mostUtf8Bytes } from '../../shared/values/byte-writer';
import { sourceHeader } from '../format/submission-files';

const LINE_FEED = 0x0a;

/** Pieces of a million characters compress well and are small enough to hold in memory. */
const PIECE_CHARACTERS = 1 << 20;

/** A buffer that a very long row made larger than this is not kept for the next piece. */
const MAX_BUFFER_BYTES = 8 * PIECE_CHARACTERS;

export interface SourcePiece {
  readonly file: string;
  readonly content: Uint8Array;
}

/** Collects source rows and hands on compressed pieces of each file as they become full. */
export class SourceTextWriter {
  private file = '';
  /** Rows are encoded as they come: collecting their strings would keep a whole piece of garbage alive. */
  private buffer = Buffer.allocUnsafe(2 * PIECE_CHARACTERS);
  private bytes = 0;
  private characters = 0;

  constructor(private readonly onPiece: (piece: SourcePiece) => void) {}

  /** All rows of one file must be added before the first row of the next one. */
  add(file: string, source: string): void {
    if (file !== this.file) this.startFile(file);
    this.write(source);
    this.characters += source.length;
    if (this.characters >= PIECE_CHARACTERS) this.flush();
  }

  flush(): void {
    if (this.bytes > 0) {
      this.onPiece({ file: this.file, content: zstdCompressSync(this.buffer.subarray(0, this.bytes)) });
    }
    this.bytes = 0;
    this.characters = 0;
    if (this.buffer.length > MAX_BUFFER_BYTES) this.buffer = Buffer.allocUnsafe(2 * PIECE_CHARACTERS);
  }

  private startFile(file: string): void {
    this.flush();
    this.file = file;
    this.write(sourceHeader(file));
  }

  private write(row: string): void {
    const needed = this.bytes + mostUtf8Bytes(row) + 1;
    if (needed > this.buffer.length) this.buffer = Buffer.concat([this.buffer.subarray(0, this.bytes)], 2 * needed);
    this.bytes += this.buffer.write(row, this.bytes);
    this.buffer[this.bytes++] = LINE_FEED;
  }
}

export async function* readSourceText(file: SourceFile): AsyncIterable<Buffer> {
  for await (const piece of file.pieces()) yield zstdDecompressSync(piece);
}
