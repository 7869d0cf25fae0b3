// The layout of sorted runs in a file.

/** Where a run lies in its file: blocks, each compressed behind the number of its bytes. */
export interface RunRange {
  readonly start: number;
  readonly end: number;
}

/** A row as it comes back; its bytes stay what they are. */
export interface SortedRow {
  readonly key: string;
  getField(index: number): Buffer;
}

/** Before the key and the parts of a row, which follow each other, stand the bytes of each. */
export const LENGTH_BYTES = 4;

/** Bytes of a usual block before compression. Each run has one in memory while rows are read: 64 MB after 16 GB. */
export const BLOCK_BYTES = 64 * 1024;

export const BLOCK_HEADER_BYTES = 4;

/** Each byte of the key as a character: JavaScript compares such texts as the bytes. */
export function readOrderKey(bytes: Buffer, row: number, fieldCount: number): string {
  const start = row + (1 + fieldCount) * LENGTH_BYTES;
  return bytes.toString('latin1', start, start + bytes.readUInt32LE(row));
}
