// What searches keep in memory, bounded by bytes. Everything is keyed by release, which never changes, or by data version.

import { ByteBoundedCache } from '../store/byte-bounded-cache';
import type { Boundary } from './criteria';
import type { PeriodColumn } from './period-column';
import type { PlaceIndex } from './places/place-index';
import type { RecordSet } from './record-set';
import type { Vocabulary } from './vocabulary';

export interface SearchCaches {
  /** Posting lists and what queries were resolved to. */
  readonly records: ByteBoundedCache<RecordSet>;
  /** Of places that are boundaries, by data version. */
  readonly boundaries: ByteBoundedCache<Boundary>;
  /** By release. */
  readonly vocabularies: ByteBoundedCache<Vocabulary>;
  /** Time columns and place indexes. */
  readonly columns: ByteBoundedCache<PeriodColumn | PlaceIndex>;
}

/** `bytes` bounds all of them together. */
export function createSearchCaches(bytes: number): SearchCaches {
  return {
    records: new ByteBoundedCache(0.5 * bytes),
    columns: new ByteBoundedCache(0.4 * bytes),
    vocabularies: new ByteBoundedCache(0.05 * bytes),
    boundaries: new ByteBoundedCache(0.05 * bytes),
  };
}
