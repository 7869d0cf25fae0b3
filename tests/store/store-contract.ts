// The behaviour that every store must have (docs/release-layout.md). Each adapter runs this
// suite.

import type { Store } from '../../shared/store/port';
import { describeCatalogContract } from './catalog-contract';
import { describeReleaseContract } from './release-contract';
import { describeRetentionContract } from './retention-contract';

/** `createStore` gives a new, empty store each time; `close` of a store is called by the suite. */
export function describeStoreContract(name: string, createStore: () => Promise<Store>): void {
  describe(name, () => {
    let store: Store;

    beforeEach(async () => {
      store = await createStore();
    });

    afterEach(() => store.close());

    describeReleaseContract(() => store);
    describeCatalogContract(() => store);
    describeRetentionContract(() => store);
  });
}
