// The model of costs on Cosmos DB has the documented prices, and a container that is used as the real one is.

import { describeStoreContract } from '../store/store-contract';
import { openCosmosStore } from '../../shared/store/cosmos/cosmos-store';
import { ModelledContainer } from '../../bench/cosmos-cost/modelled-container';
import { overview, sizeTable } from '../../bench/cosmos-cost/request-units';
import { factsOf, finishRelease, openedRelease } from '../fixtures/release-content';
import { temporaryFolder } from '../fixtures/temporary-folder';

const KILOBYTE = 1024;
const stagingDirectory = temporaryFolder();

test.each([
  [overview.name, overview, 0.2, 1, 5],
  [overview.name, overview, 1, 1, 5],
  [overview.name, overview, 100, 10, 500],
  [sizeTable.name, sizeTable, 0.2, 1, 4.95],
  [sizeTable.name, sizeTable, 3, 1.09, 6.48],
  [sizeTable.name, sizeTable, 32, 2.19, 11.23],
  [sizeTable.name, sizeTable, 2048, 291.8, 1250],
])('by the %s a document is priced by its size (case %#)', (_, prices, size, read, write) => {
  expect(prices.read(size * KILOBYTE)).toBeCloseTo(read, 6);
  expect(prices.write(size * KILOBYTE)).toBeCloseTo(write, 6);
});

function openOn(container: ModelledContainer): ReturnType<typeof openCosmosStore> {
  const location = { endpoint: 'http://127.0.0.1/', database: 'model', key: undefined };
  const connect = (): Promise<ReturnType<ModelledContainer['connection']>> => Promise.resolve(container.connection());
  return openCosmosStore(location, { stagingDirectory, now: () => new Date('2026-01-01T00:00:00.000Z'), connect });
}

describeStoreContract('the Cosmos store on the modelled container', () =>
  Promise.resolve(openOn(new ModelledContainer([overview, sizeTable]))),
);

test('charges what the documents of a call cost, and says it in the answer', async () => {
  const container = new ModelledContainer([overview, sizeTable]);
  const charges: number[] = [];
  const store = openCosmosStore(
    { endpoint: 'http://127.0.0.1/', database: 'model', key: undefined },
    {
      ...{ stagingDirectory, now: () => new Date('2026-01-01T00:00:00.000Z') },
      requestLog: ({ charge }) => charges.push(charge),
      connect: () => Promise.resolve(container.connection()),
    },
  );
  await finishRelease(store, 'priced', 3000);
  const reader = await openedRelease(store, factsOf('priced', 3000));
  await reader.records(Uint32Array.of(0));
  const before = { ...container.spent };
  const requests = container.requests;
  await reader.records(Uint32Array.from({ length: 100 }, (_, number) => number));
  const { bytes, documents } = container.size((partition) => partition.includes('/records/'));
  expect(container.requests - requests).toBe(1);
  const spent = (container.spent[overview.name] ?? 0) - (before[overview.name] ?? 0);
  expect(spent).toBeGreaterThan(1);
  expect(spent).toBeLessThan(overview.read(bytes / documents) * 5);
  expect(charges.at(-1)).toBeCloseTo(spent, 6);
  expect(charges.reduce((sum, charge) => sum + charge, 0)).toBeCloseTo(container.spent[overview.name] ?? 0, 6);
  await store.close();
});
