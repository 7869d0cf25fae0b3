// Opens the store that the settings name. Each adapter loads its database module or SDK only when it is used.

import type { Settings } from './settings';
import { openCosmosStore } from './store/cosmos/cosmos-store';
import type { Store } from './store/port';
import { openEmbeddedStore } from './store/sqlite/embedded-store';

export function openStore(settings: Pick<Settings, 'store' | 'dataDirectory' | 'stagingDirectory'>): Store {
  const { store, dataDirectory, stagingDirectory } = settings;
  if (store.kind === 'embedded') return openEmbeddedStore(dataDirectory);
  return openCosmosStore(store, { stagingDirectory, now: () => new Date() });
}
