// `npm start` and `npm run releases -- rebuild` on a store with releases of an older format.

import { join } from 'node:path';
import { AGED_FORMAT, ageRelease } from '../fixtures/changed-releases';
import { runProgram, startHost } from '../fixtures/host-process';
import { siteAmountsSubmission } from '../fixtures/submission';
import { createTestService, type TestService } from '../fixtures/test-service';

const PATH = '/v1/SiteVariableAmounts';
const ROLLBACK = ['rollback', 'ORG_1', 'SiteVariableAmounts'];

/** A store whose release has an older format and changed source rows. */
async function agedStore(service: TestService, rewriteRow: (text: string) => string): Promise<Record<string, string>> {
  await service.load(siteAmountsSubmission);
  await ageRelease(service, { rewriteRow });
  await service.close();
  return { WATER_DATA_DIR: join(service.folder, 'data'), LOAD_SAMPLES: 'false', PORT: '0' };
}

const one = createTestService();
const other = createTestService();

test('npm start names the rebuild command; rebuild reports omitted rows and prevents a rollback', async () => {
  const settings = await agedStore(one, (text) => text.replace(/\bV1\b/, 'V9'));
  const refused = await runProgram('start', [], settings);
  expect(refused).toMatchObject({ code: 2, errors: expect.stringContaining('npm run releases -- rebuild') });
  const checked = await runProgram('releases', ['check'], settings);
  expect(checked).toMatchObject({
    code: 1,
    errors: expect.stringContaining('npm run releases -- rebuild'),
    output: expect.stringMatching(/ORG_1 SiteVariableAmounts: \d records\n.*a minute.*\nIt needs 1 MB in .* are free/),
  });
  const rebuilt = await runProgram('releases', ['rebuild'], settings);
  expect(await runProgram('releases', ['check'], settings)).toMatchObject({ code: 0, errors: '' });
  expect(rebuilt).toMatchObject({
    code: 0,
    errors: expect.stringContaining('data set 1 of 1, ORG_1 SiteVariableAmounts'),
    output: expect.stringContaining('1 of 6 rows of sitespecificamounts.csv. They are in'),
  });
  const back = await runProgram('releases', ROLLBACK, settings);
  expect(back).toMatchObject({
    code: 1,
    errors: expect.stringContaining(`has format ${AGED_FORMAT}, and this program reads`),
  });
  const host = await startHost(settings);
  const { status, text } = await host.get(PATH);
  expect([status, JSON.parse(text).TotalSiteVariableAmountsCount]).toEqual([200, 5]);
  expect((await host.get('/health')).status).toBe(200);
  await host.stop();
});

test('a data set that cannot be rebuilt is reported, and the service starts without it', async () => {
  const settings = await agedStore(other, (text) => text.replaceAll(/\bV1\b/g, 'V9'));
  const rebuilt = await runProgram('releases', ['rebuild'], settings);
  expect(rebuilt).toMatchObject({ code: 1, errors: expect.stringContaining('Not rebuilt: ORG_1 SiteVariableAmounts') });
  const host = await startHost(settings);
  const health = await host.get('/health');
  expect([health.status, JSON.parse(health.text).detail]).toEqual([
    503,
    expect.stringContaining(`the release of ORG_1 SiteVariableAmounts has format ${AGED_FORMAT}`),
  ]);
  expect((await host.get(PATH)).status).toBe(503);
  expect((await host.get('/v1/AggregatedAmounts')).status).toBe(200);
  await host.stop();
});
