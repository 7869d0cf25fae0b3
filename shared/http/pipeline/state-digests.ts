// What catalog states and histories are called in keys of caches. States never change, so each is digested once.

import { randomUUID } from 'node:crypto';
import type { SearchCaches } from '../../search/index/search-caches';
import type { CatalogState } from '../../store/catalog-types';
import { digestContent } from '../../values/digest';

/** The data version is not enough: terms of use may change when the data do not. */
export function digestState(state: CatalogState, caches: SearchCaches): string {
  return caches.derive('digest of a state', state, (source) => digestContent(JSON.stringify(source)));
}

/** The digest of a history as returned by the store, for cache keys in this process. */
export function identifyHistory(history: readonly CatalogState[], caches: SearchCaches): string {
  return caches.derive('identity of a history', history, () => randomUUID());
}
