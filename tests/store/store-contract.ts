// Runs the contract of stores (tools/store-contract) as tests.

import type { Store } from '../../shared/store/port';
import { declareSharingContract, declareStoreContract } from '../../tools/store-contract/store-contract';

/** `createStore` gives a new, empty store each time; `close` of a store is called by the suite. */
export function describeStoreContract(name: string, createStore: () => Promise<Store>): void {
  describe(name, () => {
    let store: Store;

    beforeEach(async () => {
      store = await createStore();
    });

    afterEach(() => store.close());

    declareStoreContract(test, () => store);
  });
}

/** `storesOf` gives two stores that share one place, empty at the start of each test. */
export function describeSharingContract(storesOf: () => readonly [Store, Store]): void {
  declareSharingContract(test, storesOf);
}
