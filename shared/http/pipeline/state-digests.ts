// Identifies catalog states and histories in cache keys. States never change, so the digest of each is computed once.

import { randomUUID } from 'node:crypto';
import type { SearchCaches } from '../../search/index/search-caches';
import type { CatalogState } from '../../store/catalog-types';
import { digestContent } from '../../values/digest';

/**
 * Returns a digest of the whole state. The data version is not enough, because terms of use may change while the data
 * stay the same.
 */
export function digestState(state: CatalogState, caches: SearchCaches): string {
  return caches.derive('digest of a state', state, (source) => digestContent(JSON.stringify(source)));
}

/** Identifies a history from the store, in cache keys of this process. */
export function identifyHistory(history: readonly CatalogState[], caches: SearchCaches): string {
  return caches.derive('identity of a history', history, () => randomUUID());
}
