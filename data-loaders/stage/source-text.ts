// A release stores its accepted source rows, compressed, beside its records (submissions.md, 5): file by file as CSV
// text, the header first, so that a later merge or rebuild reads them like any submission.

import { promisify } from 'node:util';
import { zstdCompress, zstdDecompressSync } from 'node:zlib';
import type { ReleaseWriter, SourceFile } from '../../shared/store/port';
import { ByteWriter } from '../../shared/values/bytes/byte-writer';
import { sourceHeader } from '../format/submission-files';

const LINE_FEED = 0x0a;

/** Pieces of a megabyte compress well and are small enough to hold in memory. */
const PIECE_BYTES = 1 << 20;

/** Memory grows with what is written: most files of most submissions are far shorter than a piece. */
const FIRST_MEMORY_BYTES = 64 * 1024;

/** Memory that a very long row made larger than this is not used again. */
const MAX_MEMORY_BYTES = 8 * PIECE_BYTES;

/** More would only take memory: a piece is compressed before the next but one is full. */
const MAX_COMPRESSING = 2;

const compress = promisify(zstdCompress);

interface CompressedPiece {
  readonly file: string;
  readonly text: ByteWriter;
  readonly content: Promise<Uint8Array>;
}

/** Collects source rows; full pieces are compressed by Node's own threads meanwhile, and written in their order. */
export class SourceTextWriter {
  private file = '';
  private text = new ByteWriter(FIRST_MEMORY_BYTES);
  private readonly compressing: CompressedPiece[] = [];
  private readonly free: ByteWriter[] = [];

  constructor(private readonly target: Pick<ReleaseWriter, 'addSourcePiece'>) {}

  /** All rows of one file must be added before the first row of the next one. */
  add(file: string, source: string | Uint8Array): void {
    if (file !== this.file) {
      this.endPiece();
      this.file = file;
      this.addRow(sourceHeader(file));
    }
    this.addRow(source);
    if (this.text.length >= PIECE_BYTES) this.endPiece();
  }

  /** When true, `drain` is to be called before more rows are added. */
  get isFull(): boolean {
    return this.compressing.length > MAX_COMPRESSING;
  }

  async drain(): Promise<void> {
    while (this.isFull) await this.writePiece();
  }

  async finish(): Promise<void> {
    this.endPiece();
    while (this.compressing.length > 0) await this.writePiece();
  }

  private addRow(row: string | Uint8Array): void {
    if (typeof row === 'string') this.text.text(row);
    else this.text.copyAll(row);
    this.text.byte(LINE_FEED);
  }

  private endPiece(): void {
    const { file, text } = this;
    if (text.length === 0) return;
    // With its length the piece has the bytes that it has when it is compressed at once.
    const chunkSize = Math.min(PIECE_BYTES, mostCompressed(text.length));
    const content = compress(text.bytes(), { chunkSize, pledgedSrcSize: text.length });
    // When the load fails, nobody waits for this piece: its own failure must not count as unhandled.
    content.catch(() => undefined);
    this.compressing.push({ file, text, content });
    this.text = this.free.pop() ?? new ByteWriter(FIRST_MEMORY_BYTES);
  }

  private async writePiece(): Promise<void> {
    const piece = this.compressing.shift();
    if (piece === undefined) return;
    const { file, text, content } = piece;
    this.target.addSourcePiece(file, await content);
    if (text.memory.length > MAX_MEMORY_BYTES) return;
    text.endAt(0);
    this.free.push(text);
  }
}

/** What zstd writes at most, and more. */
function mostCompressed(bytes: number): number {
  return 2 * bytes + 1024;
}

export async function* readSourceText(file: SourceFile): AsyncIterable<Buffer> {
  for await (const piece of file.pieces()) yield zstdDecompressSync(piece);
}
