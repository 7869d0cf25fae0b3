// What searches keep in memory, within one bound of bytes: what was not asked for longest goes first, whatever it is, so that the index
// of two million places may take most of it and a thousand small results as well. Everything is keyed by release, which never
// changes, or by data version.

import { LeastRecentlyUsedCache } from '../values/least-recently-used-cache';
import type { Store } from '../store/port';
import type { Boundary } from '../query/criteria';
import type { Vocabulary } from '../query/filter-terms';
import type { PeriodColumn } from './period-column';
import type { PlaceIndex } from './place-index';
import type { RecordSet } from './record-set';

/** One kind of what is kept. */
export type CachePart<Value> = Pick<LeastRecentlyUsedCache<Value>, 'get' | 'set'>;

/** What a search reads from, and what it keeps; services have both. */
export interface SearchContext {
  readonly store: Store;
  readonly caches: SearchCaches;
}

export interface SearchCaches {
  /** Posting lists and what queries were resolved to. */
  readonly records: CachePart<RecordSet>;
  /** Of places that are boundaries, by data version. */
  readonly boundaries: CachePart<Boundary>;
  /** By release. */
  readonly vocabularies: CachePart<Vocabulary>;
  /** Time columns. */
  readonly columns: CachePart<PeriodColumn>;
  /** By release. */
  readonly places: CachePart<PlaceIndex>;
}

/** `bytes` bounds all of them together. */
export function createSearchCaches(bytes: number): SearchCaches {
  const cache = new LeastRecentlyUsedCache<unknown>(bytes);
  return {
    records: partOf(cache, 'records'),
    boundaries: partOf(cache, 'boundaries'),
    vocabularies: partOf(cache, 'vocabularies'),
    columns: partOf(cache, 'columns'),
    places: partOf(cache, 'places'),
  };
}

function partOf<Value>(cache: LeastRecentlyUsedCache<unknown>, name: string): CachePart<Value> {
  return {
    get: (key) => cache.get(`${name} ${key}`) as Value | undefined, // Nothing but `set` below puts anything under such a key.
    set: (key, value, bytes) => {
      cache.set(`${name} ${key}`, value, bytes);
    },
  };
}
