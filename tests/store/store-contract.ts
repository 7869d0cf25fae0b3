// Runs the contract of stores (tools/store-contract) as tests.

import type { Store } from '../../shared/store/port';
import { declareSharingContract, declareStoreContract } from '../../tools/store-contract/store-contract';

/** `createStore` returns a new, empty store each time. The suite closes all stores. */
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

/** `storesOf` returns two stores on the same data, which are empty at the start of each test. */
export function describeSharingContract(storesOf: () => readonly [Store, Store]): void {
  declareSharingContract(test, storesOf);
}
