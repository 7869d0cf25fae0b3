// A file of records while it is written.

import type { RecordChunk } from './read-records';

export interface RecordsFile {
  add(chunk: RecordChunk): Promise<void>;
  /** Afterwards the file is whole. */
  finish(): Promise<void>;
}

/** What a file says of itself, beside its columns. */
export type FileMetadata = Readonly<Record<string, string>>;
