// The codes that the records of a chunk have in a column of their release.

import type { ClassColumn } from '../../search/columns/column-classes';
import { chunkOfCodes } from '../../search/release/field-codes';
import type { SearchCaches } from '../../search/search-caches';
import { CHUNK_RECORDS } from '../../store/artifacts';
import type { ReleaseReader } from '../../store/port';
import type { Codes } from './cells';
import type { FoundChunk } from './found-chunks';

export interface ReadableRelease {
  readonly reader: ReleaseReader;
  readonly caches: SearchCaches;
}

export async function codesOf(
  column: ClassColumn,
  { number }: FoundChunk,
  { reader, caches }: ReadableRelease,
): Promise<Codes> {
  return column === 'release' ? new Uint8Array(CHUNK_RECORDS) : chunkOfCodes(reader, column, number, caches);
}
