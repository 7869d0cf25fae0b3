// What searches keep in memory, bounded by bytes. Everything is keyed by release, which never changes.

import { ByteBoundedCache } from './byte-bounded-cache';
import type { PeriodColumn } from './period-column';
import type { PlaceIndex } from './places/place-index';
import type { RecordSet } from './record-set';

export interface SearchCaches {
  /** Posting lists and what queries were resolved to. */
  readonly records: ByteBoundedCache<RecordSet>;
  /** Time columns and place indexes. */
  readonly columns: ByteBoundedCache<PeriodColumn | PlaceIndex>;
}

/** `bytes` bounds all of them together. */
export function createSearchCaches(bytes: number): SearchCaches {
  return { records: new ByteBoundedCache(bytes / 2), columns: new ByteBoundedCache(bytes / 2) };
}
