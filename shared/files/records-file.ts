// A file of records that is being written.

import type { RecordChunk } from './read-records';

export interface RecordsFile {
  /** Adds consecutive chunks. If an order was requested, they may alternate between releases (D69). */
  add(chunks: readonly RecordChunk[]): Promise<void>;
  /** Completes the file. */
  finish(): Promise<void>;
}

/** Metadata about a file, besides its columns. */
export type FileMetadata = Readonly<Record<string, string>>;
