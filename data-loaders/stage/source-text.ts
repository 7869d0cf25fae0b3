// The accepted source rows of a release, compressed (submissions.md, 5). They are CSV text, file by file with the
// header first, so that a later merge or rebuild can read them like a submission.

import { zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import type { ReleaseWriter, SourceFile } from '../../shared/store/port';
import { ByteWriter } from '../../shared/values/bytes/byte-writer';
import { formatCsvLine } from '../../shared/values/csv-line';
import type { SubmissionFile } from '../format/column';

const LINE_FEED = 0x0a;

/** A block of a megabyte compresses well and is small enough for memory. */
const BLOCK_BYTES = 1 << 20;

/**
 * The buffer starts small and grows with the text, because most files of most submissions are far shorter than a block.
 */
const INITIAL_BYTES = 64 * 1024;

/** Collects source rows and writes them in compressed blocks. */
export class SourceTextWriter {
  private file: SubmissionFile | undefined;
  private text = new ByteWriter(INITIAL_BYTES);

  constructor(private readonly target: Pick<ReleaseWriter, 'addSourcePiece'>) {}

  /** All rows of a file must be added before the first row of the next file. Returns the number of bytes of the row. */
  add(file: SubmissionFile, source: Uint8Array): number {
    if (file !== this.file) {
      this.finish();
      this.file = file;
      this.addRow(Buffer.from(formatCsvLine(Object.keys(file.columns))));
    }
    const bytes = this.addRow(source);
    if (this.text.length >= BLOCK_BYTES) this.finish();
    return bytes;
  }

  /** Writes the rows that were added since the last block. */
  finish(): void {
    const { file, text } = this;
    if (file === undefined || text.length === 0) return;
    this.target.addSourcePiece(file.name, zstdCompressSync(text.bytes(), { pledgedSrcSize: text.length }));
    this.text = new ByteWriter(INITIAL_BYTES);
  }

  private addRow(row: Uint8Array): number {
    this.text.copy(row);
    this.text.byte(LINE_FEED);
    return row.length + 1;
  }
}

export async function* readSourceText(file: SourceFile): AsyncIterable<Buffer> {
  for await (const piece of file.pieces()) yield zstdDecompressSync(piece);
}
