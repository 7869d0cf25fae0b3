// Digests of catalog states for keys of caches. States never change, so each is digested once.

import type { SearchCaches } from '../../search/index/search-caches';
import type { CatalogState } from '../../store/catalog-types';
import { digestContent } from '../../values/digest';

/** The data version is not enough: terms of use may change when the data do not. */
export function digestState(state: CatalogState, caches: SearchCaches): string {
  return caches.derive('digest of a state', state, (source) => digestContent(JSON.stringify(source)));
}

/** `history` is as a store returned it. */
export function digestHistory(history: readonly CatalogState[], caches: SearchCaches): string {
  return caches.derive('digest of a history', history, (states) =>
    digestContent(states.map((state) => digestState(state, caches)).join()),
  );
}
