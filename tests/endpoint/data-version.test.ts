// The data version (D33): what the header names, and answers from a former version.

import { aggregatedAmount, found, lookupsOf, paths, recordsOf } from '../fixtures/handmade';
import type { Submission } from '../fixtures/submission';
import { createTestService } from '../fixtures/test-service';

const service = createTestService();
const other = createTestService();

afterAll(() => Promise.all([service.close(), other.close()]));

const submissionOf = (amounts: readonly number[], OrganizationUUID = 'ORG_1'): Submission => ({
  ...lookupsOf({ OrganizationUUID }),
  'reportingunits.csv': [{ ReportingUnitUUID: 'RU1' }],
  'aggregatedamounts.csv': amounts.map((Amount) =>
    aggregatedAmount({ OrganizationUUID, Amount, ReportYearCV: 2000 + Amount }),
  ),
});

async function versionNow(): Promise<string> {
  return (await service.get(paths.aggregated)).headers['Data-Version'] ?? '';
}

test('a walk that names its version ends on it after a publish, one that does not reads the current one', async () => {
  await service.load(submissionOf([1, 2, 3]));
  const former = await versionNow();
  expect(former).toMatch(/^[0-9a-f]{32}$/);
  await service.load(submissionOf([4]));
  const current = await versionNow();
  expect(current).not.toBe(former);

  const named = await service.get(`${paths.aggregated}?StartIndex=1&dataversion=${former}`);
  expect(named.headers['Data-Version']).toBe(former);
  expect(named.json.TotalAggregatedAmountsCount).toBe(3);
  expect(recordsOf(named, 'AggregatedAmounts').map((record) => record['Amount'])).toEqual([2, 3]);
  expect(await found(service, paths.aggregated)).toEqual([4]);
  expect(await found(service, `${paths.aggregated}?DataVersion=${current}`)).toEqual([4]);
});

test('filters read the named version too', async () => {
  await service.load(submissionOf([1, 2, 3]));
  const former = await versionNow();
  await service.load(submissionOf([2, 4]));
  const query = 'StartDate=2002-01-01&ReportingUnitUUID=RU1';
  expect(await found(service, `${paths.aggregated}?${query}`)).toEqual([2, 4]);
  expect(await found(service, `${paths.aggregated}?${query}&DataVersion=${former}`)).toEqual([2, 3]);
});

test('the same data has the same version again, whatever was in between', async () => {
  await service.load(submissionOf([1, 2, 3]));
  const first = await versionNow();
  await service.load(submissionOf([1, 2, 3]));
  expect(await versionNow()).toBe(first);
  await service.load(submissionOf([9]));
  await service.load(submissionOf([1, 2, 3]));
  expect(await versionNow()).toBe(first);
});

test.each(['x', 'f'.repeat(31), 'f'.repeat(33), '%00'])('the malformed version %s is a 400', async (version) => {
  const { status, json } = await service.get(`${paths.aggregated}?DataVersion=${version}`);
  expect(status).toBe(400);
  expect(json.errors[0].parameter).toBe('DataVersion');
});
