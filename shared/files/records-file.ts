// A file of records while it is written.

import type { RecordChunk } from './read-records';

export interface RecordsFile {
  /** Chunks that follow one another. With a requested order, they may be of several releases in turn (D69). */
  add(chunks: readonly RecordChunk[]): Promise<void>;
  /** Afterwards the file is complete. */
  finish(): Promise<void>;
}

/** What a file states about itself, except its columns. */
export type FileMetadata = Readonly<Record<string, string>>;
