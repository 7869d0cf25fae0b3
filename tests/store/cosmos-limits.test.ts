// The emulator of the tests is as strict as the service, and large releases pass it (docs/cosmos.md).

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
