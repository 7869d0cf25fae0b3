// Pages over two organizations (D18 to D20).

import { aggregatedAmount, allocation, found, lookupsOf, paths, siteAmount } from '../fixtures/handmade';
import { createTestService, type Answer } from '../fixtures/test-service';
import type { Submission } from '../fixtures/submission';

const service = createTestService();
const empty = createTestService();

const operations = [
  { path: paths.site, total: 'TotalSiteVariableAmountsCount' },
  { path: paths.aggregated, total: 'TotalAggregatedAmountsCount' },
  { path: paths.allocations, total: 'TotalWaterAllocationsCount' },
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

describe.each(operations)('$path', ({ path, total }) => {
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

describe('the page sizes of service.md, Limits', () => {
  const RECORDS = 10_001;

  beforeAll(() =>
    empty.load({
      ...lookupsOf(),
      'sites.csv': [{ SiteUUID: 'S1' }],
      'sitespecificamounts.csv': Array.from({ length: RECORDS }, (_, index) =>
        siteAmount({ Amount: index, ReportYearCV: 10_000 + index }),
      ),
    }),
  );

  test.each([
    ['', 0, 1_000],
    ['StartIndex=1000', 1_000, 1_000],
    ['RecordCount=1', 0, 1],
    ['RecordCount=10000', 0, 10_000],
    ['RecordCount=10000&StartIndex=10000', 10_000, 1],
  ])('?%s answers from record %i on %i records', async (query, first, count) => {
    const expected = Array.from({ length: count }, (_, index) => first + index);
    expect(await found(empty, `${paths.site}?${query}`)).toEqual(expected);
  });
});
