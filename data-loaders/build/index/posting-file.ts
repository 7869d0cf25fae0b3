// Posting lists on their way from the record builder to the loader, which alone writes to the store: they wait in a
// file, so that the builder need not wait and memory does not grow with the records (ADR 0131).

import { closeSync, openSync, readSync, writeSync } from 'node:fs';

/** A piece of the file ends behind the posting list with which it has so many bytes. */
const PIECE_BYTES = 512 * 1024;

/** Before the term and the content stand the bytes of each. */
const HEADER_BYTES = 8;

/** One UTF-16 code unit takes at most three bytes in UTF-8. */
const MAX_CHARACTER_BYTES = 3;

export class PostingFileWriter {
  private readonly file: number;
  private piece = Buffer.allocUnsafe(2 * PIECE_BYTES);
  private length = 0;
  private written = 0;

  constructor(path: string) {
    this.file = openSync(path, 'w');
  }

  add(term: string, content: Uint8Array): void {
    const start = this.length;
    this.reserve(HEADER_BYTES + MAX_CHARACTER_BYTES * term.length + content.length);
    const termBytes = this.piece.write(term, start + HEADER_BYTES);
    this.piece.writeUInt32LE(termBytes, start);
    this.piece.writeUInt32LE(content.length, start + 4);
    this.piece.set(content, start + HEADER_BYTES + termBytes);
    this.length = start + HEADER_BYTES + termBytes + content.length;
  }

  get isPieceFull(): boolean {
    return this.length >= PIECE_BYTES;
  }

  /** Writes the piece under way and returns where it ends in the file. */
  endPiece(): number {
    const bytes = this.piece.subarray(0, this.length);
    // A disk that becomes full takes a part of the bytes, and refuses the rest.
    for (let at = 0; at < bytes.length;) at += writeSync(this.file, bytes, at);
    this.written += this.length;
    this.length = 0;
    return this.written;
  }

  close(): void {
    closeSync(this.file);
  }

  private reserve(more: number): void {
    if (this.length + more <= this.piece.length) return;
    const grown = Buffer.allocUnsafe(2 * (this.length + more));
    this.piece.copy(grown, 0, 0, this.length);
    this.piece = grown;
  }
}

export class PostingFileReader {
  private readonly file: number;
  private position = 0;

  constructor(path: string) {
    this.file = openSync(path, 'r');
  }

  /** The posting lists of the next piece, which ends at `end`. */
  *piece(end: number): Iterable<{ readonly term: string; readonly content: Uint8Array }> {
    const bytes = Buffer.allocUnsafe(end - this.position);
    if (readSync(this.file, bytes, 0, bytes.length, this.position) < bytes.length) {
      throw new Error('the file of posting lists is cut off');
    }
    this.position = end;
    for (let at = 0; at < bytes.length;) {
      const start = at + HEADER_BYTES;
      const termEnd = start + bytes.readUInt32LE(at);
      const contentEnd = termEnd + bytes.readUInt32LE(at + 4);
      yield { term: bytes.toString('utf8', start, termEnd), content: bytes.subarray(termEnd, contentEnd) };
      at = contentEnd;
    }
  }

  close(): void {
    closeSync(this.file);
  }
}
