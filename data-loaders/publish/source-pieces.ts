// A release keeps its accepted source rows, compressed, beside it (submissions.md, 5): file by file as CSV text, the header
// first, so that a later merge or rebuild reads them like any submission.

import { zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import { keptHeader } from '../parse/submission-files';
import type { ReleaseWriter, SourceFile } from '../../shared/store/port';

/** Large enough to compress well, small enough to hold. */
const PIECE_CHARACTERS = 1 << 20;

export class SourcePieces {
  private file = '';
  private lines: string[] = [];
  private length = 0;

  constructor(private readonly writer: ReleaseWriter) {}

  /** Rows of one file come one after the other. */
  add(file: string, source: string): void {
    if (file !== this.file) this.startFile(file);
    this.lines.push(source, '\n');
    this.length += source.length;
    if (this.length >= PIECE_CHARACTERS) this.flush();
  }

  private startFile(file: string): void {
    this.flush();
    this.file = file;
    this.lines.push(keptHeader(file), '\n');
  }

  flush(): void {
    if (this.lines.length > 0) this.writer.addSourcePiece(this.file, zstdCompressSync(this.lines.join('')));
    this.lines = [];
    this.length = 0;
  }
}

/** The text of a kept file, piece by piece. */
export async function* readSourceText(file: SourceFile): AsyncIterable<Buffer> {
  for await (const piece of file.pieces()) yield zstdDecompressSync(piece);
}
