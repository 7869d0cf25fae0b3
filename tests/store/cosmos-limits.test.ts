// The emulator of the tests is as strict as the service, and large releases pass it (docs/cosmos.md).

import { connect, type CosmosContainer } from '../../shared/store/cosmos/connect';
import { openCosmosStore } from '../../shared/store/cosmos/cosmos-store';
import { SeededRandom } from '../../bench/generate/seeded-random';
import { polygonAround } from '../../bench/generate/polygons';
import { startCosmosEmulator } from '../fixtures/cosmos-emulator';
import { serverOfTests } from '../fixtures/loopback-server';
import { aggregatedSubmission } from '../fixtures/submission';
import { temporaryFolder } from '../fixtures/temporary-folder';
import { createTestService, TEST_NOW } from '../fixtures/test-service';

const MEGABYTE = 1024 * 1024;

const folder = temporaryFolder();
const emulator = serverOfTests(startCosmosEmulator);

function document(
  id: string,
  bytes = 0,
): { readonly id: string; readonly partition: string; readonly filling: string } {
  return { id, partition: 'p', filling: 'x'.repeat(bytes) };
}

const refusals: readonly (readonly [string, number, (container: CosmosContainer) => Promise<unknown>])[] = [
  ['an item over 2 MB', 413, ({ items }) => items.create(document('a', 2 * MEGABYTE))],
  [
    'a batch over 2 MB',
    413,
    ({ items }) =>
      items.batch(
        ['a', 'b'].map((id) => ({ operationType: 'Create', resourceBody: document(id, MEGABYTE) }) as const),
        'p',
      ),
  ],
  [
    'a query that the adapter does not declare',
    400,
    ({ items }) => items.query('SELECT * FROM c', { partitionKey: 'p' }).fetchNext(),
  ],
  ['a read of all partitions', 400, ({ items }) => items.readAll().fetchNext()],
  ['an id over 1023 bytes', 400, ({ items }) => items.create(document('ü'.repeat(512)))],
  [
    'an answer over 4 MB',
    413,
    async ({ items }) => {
      const ids = ['a', 'b', 'c'];
      for (const id of ids) await items.create(document(id, 1.9 * MEGABYTE));
      return items.batch(
        ids.map((id) => ({ operationType: 'Read', id, partitionKey: 'p' }) as const),
        'p',
      );
    },
  ],
];

test.each(refusals)('refuses %s', async (_, status, send) => {
  const { container, close } = await connect(emulator().newLocation());
  const error = (await send(container).catch((reason: unknown) => reason)) as {
    code?: number;
    cause?: { code?: number };
  };
  close();
  expect(error.code ?? error.cause?.code).toBe(status);
  expect(emulator().refused.splice(0)).toHaveLength(1);
});

test('polygons of megabytes load through the limits and are answered as from the embedded store', async () => {
  const random = new SeededRandom(7);
  const [unit] = aggregatedSubmission['reportingunits.csv'] ?? [];
  const [amount] = aggregatedSubmission['aggregatedamounts.csv'] ?? [];
  const ids = ['RU1', 'RU2'];
  const submission = {
    ...aggregatedSubmission,
    'reportingunits.csv': ids.map((ReportingUnitUUID, index) => ({
      ...unit,
      ReportingUnitUUID,
      Geometry: polygonAround(random, [-111 + index, 40], 0.4, 60_000),
    })),
    'aggregatedamounts.csv': ids.map((ReportingUnitUUID) => ({ ...amount, ReportingUnitUUID })),
  };
  const store = openCosmosStore(emulator().newLocation(), { stagingDirectory: folder, now: () => TEST_NOW });
  const services = [createTestService('MDY', folder), createTestService('MDY', folder, store)];
  const answers: string[] = [];
  for (const service of services) {
    expect((await service.load(submission)).verdict).toBe('published');
    for (const query of [
      '',
      '?SearchBoundary=POLYGON((-111.2+39.9,-110.9+39.9,-110.9+40.1,-111.2+40.1,-111.2+39.9))',
    ]) {
      const { status, text } = await service.get(`/v1/AggregatedAmounts${query}`);
      expect(status).toBe(200);
      answers.push(text);
    }
    await service.close();
  }
  expect(answers[0]?.length).toBeGreaterThan(2 * MEGABYTE);
  expect(answers[2] === answers[0]).toBe(true);
  expect(answers[3]).toBe(answers[1]);
  expect(JSON.parse(answers[1] ?? '')).toMatchObject({ TotalAggregatedAmountsCount: 1 });
});
