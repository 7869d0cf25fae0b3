// A file of records that is being written.

import type { RecordChunk } from './read-records';

export interface RecordsFile {
  /** Consecutive chunks. With a requested order, they may come from several releases in turn (D69). */
  add(chunks: readonly RecordChunk[]): Promise<void>;
  /** Completes the file. */
  finish(): Promise<void>;
}

/** The facts that a file states about itself, besides its columns. */
export type FileMetadata = Readonly<Record<string, string>>;
