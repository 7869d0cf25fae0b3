// The layout of sorted runs in a file.

/** The byte range of a run in its file. A run consists of blocks, each preceded by its compressed length. */
export interface RunRange {
  readonly start: number;
  readonly end: number;
}

/** A row that is read back. Its bytes do not change. */
export interface SortedRow {
  readonly key: string;
  getField(index: number): Buffer;
}

/**
 * The number of bytes of each length. A row starts with the lengths of its key and fields, followed by the key and the
 * fields.
 */
export const LENGTH_BYTES = 4;

/**
 * The usual size of a block before compression. One block of each run is in memory while rows are read: 64 MB for 16
 * GB.
 */
export const BLOCK_BYTES = 64 * 1024;

export const BLOCK_HEADER_BYTES = 4;

/** Decodes each byte of the key as a character, so that JavaScript compares keys in byte order. */
export function readOrderKey(bytes: Buffer, row: number, fieldCount: number): string {
  const start = row + (1 + fieldCount) * LENGTH_BYTES;
  return bytes.toString('latin1', start, start + bytes.readUInt32LE(row));
}
