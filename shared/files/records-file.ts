// A file of records while it is written.

import type { RecordChunk } from './read-records';

export interface RecordsFile {
  add(chunk: RecordChunk): Promise<void>;
  /** Afterwards the file is complete. */
  finish(): Promise<void>;
}

/** What a file states about itself, except its columns. */
export type FileMetadata = Readonly<Record<string, string>>;
