// Pages over two organizations (D18 to D20).

import { aggregatedAmount, allocation, found, lookupsOf, paths, recordsOf, siteAmount } from '../fixtures/handmade';
import { createTestService, type Answer } from '../fixtures/test-service';
import type { Submission } from '../fixtures/submission';

const service = createTestService();
const empty = createTestService();

const operations = [
  { path: paths.site, kind: 'SiteVariableAmounts', total: 'TotalSiteVariableAmountsCount' },
  { path: paths.aggregated, kind: 'AggregatedAmounts', total: 'TotalAggregatedAmountsCount' },
  { path: paths.allocations, kind: 'WaterAllocations', total: 'TotalWaterAllocationsCount' },
] as const;

function submissionOf(OrganizationUUID: string, records: number): Submission {
  const years = Array.from({ length: records }, (_, index) => ({
    OrganizationUUID,
    Amount: index,
    ReportYearCV: 2000 + index,
  }));
  return {
    ...lookupsOf({ OrganizationUUID }),
    'sites.csv': [{ SiteUUID: 'S1' }],
    'reportingunits.csv': [{ ReportingUnitUUID: 'RU1' }],
    'sitespecificamounts.csv': years.map(siteAmount),
    'aggregatedamounts.csv': years.map(aggregatedAmount),
    'waterallocations.csv': years.map(({ Amount }) =>
      allocation({ OrganizationUUID, AllocationNativeID: `${OrganizationUUID}-${Amount}` }),
    ),
  };
}

beforeAll(async () => {
  await service.load(submissionOf('ORG_A', 5));
  await service.load(submissionOf('ORG_B', 4));
});

afterAll(() => Promise.all([service.close(), empty.close()]));

function organizationsOf({ json }: Answer): readonly string[] {
  return json.Organizations.map((organization: Record<string, unknown>) => organization['OrganizationUUID']);
}

describe.each(operations)('$path', ({ path, kind, total }) => {
  test.each([1, 2, 3, 4, 5, 8, 9, 10])('pages of %i tile the whole result, with one total', async (size) => {
    const whole = recordsOf(await service.get(path), kind);
    expect(whole).toHaveLength(9);
    const walked: unknown[] = [];
    for (let start = 0; start < 9; start += size) {
      const page = await service.get(`${path}?StartIndex=${start}&RecordCount=${size}`);
      expect(page.json[total]).toBe(9);
      expect(recordsOf(page, kind)).toHaveLength(Math.min(size, 9 - start));
      walked.push(...recordsOf(page, kind));
    }
    expect(walked).toEqual(whole);
  });

  test('an organization continues on the next page, and one without records there is not on it', async () => {
    expect(organizationsOf(await service.get(`${path}?RecordCount=3`))).toEqual(['ORG_A']);
    expect(organizationsOf(await service.get(`${path}?StartIndex=3&RecordCount=3`))).toEqual(['ORG_A', 'ORG_B']);
    expect(organizationsOf(await service.get(`${path}?StartIndex=5&RecordCount=10000`))).toEqual(['ORG_B']);
  });

  test.each(['9', '10', '9007199254740991'])('StartIndex %s is past the end: no organizations', async (start) => {
    const answer = await service.get(`${path}?StartIndex=${start}&RecordCount=10000`);
    expect(answer.status).toBe(200);
    expect(answer.text).toBe(`{"${total}":9,"Organizations":[]}`);
  });

  test('the record before the end is the last', async () => {
    const whole = recordsOf(await service.get(path), kind);
    expect(recordsOf(await service.get(`${path}?StartIndex=8`), kind)).toEqual(whole.slice(8));
  });

  test('nothing found is a 200 with the total 0', async () => {
    const { status, text } = await service.get(`${path}?BeneficialUseCV=Nothing`);
    expect(status).toBe(200);
    expect(text).toBe(`{"${total}":0,"Organizations":[]}`);
  });
});

test('a service that holds nothing answers 200 with the total 0', async () => {
  const answers = await Promise.all(operations.map(({ path }) => empty.get(path)));
  expect(answers.map(({ status, text }) => `${status} ${text}`)).toEqual(
    operations.map(({ total }) => `200 {"${total}":0,"Organizations":[]}`),
  );
});

test('paging counts what the filters find', async () => {
  const query = `${paths.site}?StartDate=2002-01-01&EndDate=2003-12-31`;
  expect(await found(service, query)).toEqual([2, 3, 2, 3]);
  expect(await found(service, `${query}&StartIndex=1&RecordCount=2`)).toEqual([3, 2]);
  expect((await service.get(`${query}&StartIndex=1&RecordCount=2`)).json.TotalSiteVariableAmountsCount).toBe(4);
});
