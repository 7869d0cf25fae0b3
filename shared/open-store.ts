// Opens the store that the settings name. Each adapter loads its database module or SDK only when it is used.

import type { Settings } from './settings';
import { openCosmosStore } from './store/cosmos/cosmos-store';
import type { Store } from './store/port';
import { openEmbeddedStore } from './store/sqlite/embedded-store';

export function openStore({
  store,
  dataDirectory,
  stagingDirectory,
}: Pick<Settings, 'store' | 'dataDirectory' | 'stagingDirectory'>): Store {
  switch (store.kind) {
    case 'embedded':
      return openEmbeddedStore(dataDirectory);
    case 'cosmos':
      return openCosmosStore(store, { stagingDirectory, now: () => new Date() });
  }
}
