// Date filters over the effective dates of D7. Records are named by their amounts.

import { aggregatedAmount, allocation, found, lookupsOf, paths, siteAmount } from '../fixtures/handmade';
import type { Row } from '../fixtures/submission';
import { createTestService } from '../fixtures/test-service';

const service = createTestService();

const timeframes: readonly Row[] = [
  { Amount: 1, TimeframeStart: '2010-01-01', TimeframeEnd: '2010-12-31' },
  { Amount: 2, TimeframeStart: '2011-12-31', TimeframeEnd: '2011-01-01' },
  { Amount: 3, TimeframeStart: '2012-03-04' },
  { Amount: 4, TimeframeEnd: '2012-03-05' },
  { Amount: 5, ReportYearCV: '2013' },
  { Amount: 6, ReportYearCV: '2013-2014' },
  { Amount: 7 },
  { Amount: 8, TimeframeStart: '2014-02-29', TimeframeEnd: '12/31/14' },
];

beforeAll(async () => {
  await service.load({
    ...lookupsOf(),
    'sites.csv': [{ SiteUUID: 'S1' }],
    'sitespecificamounts.csv': timeframes.map(siteAmount),
    'reportingunits.csv': [{ ReportingUnitUUID: 'RU1' }],
    'aggregatedamounts.csv': timeframes.map(aggregatedAmount),
    'waterallocations.csv': [
      allocation({ AllocationNativeID: 'A', AllocationPriorityDate: '1902-06-01' }),
      allocation({ AllocationNativeID: 'B', AllocationPriorityDate: '06/02/1902' }),
      allocation({ AllocationNativeID: 'C', AllocationApplicationDate: '1902-06-01' }),
    ],
  });
});

afterAll(() => service.close());

describe.each([paths.site, paths.aggregated])('%s', (path) => {
  test.each<[string, readonly number[]]>([
    ['StartDate=2010-01-01&EndDate=2010-12-31', [1]],
    ['StartDate=2010-01-02&EndDate=2010-12-31', []],
    ['StartDate=2010-01-01&EndDate=2010-12-30', []],
    ['StartDate=2011-01-01&EndDate=2011-12-31', [2]],
    ['StartDate=2011-01-02&EndDate=2011-12-31', []],
    ['StartDate=2011-01-01&EndDate=2011-12-30', []],
    ['StartDate=2012-03-04&EndDate=2012-03-04', [3]],
    ['StartDate=2012-03-05&EndDate=2012-03-05', [4]],
    ['StartDate=3/4/2012&EndDate=3/5/2012', [3, 4]],
    ['StartDate=2013-01-01&EndDate=2013-12-31', [5]],
    ['StartDate=2013-01-02', [8]],
    ['EndDate=2013-12-30', [1, 2, 3, 4]],
    ['StartDate=2014-12-31T23:59:59Z&EndDate=2014-12-31', [8]],
    ['StartDate=1000-01-01', [1, 2, 3, 4, 5, 8]],
    ['EndDate=9999-12-31', [1, 2, 3, 4, 5, 8]],
    ['', [1, 2, 3, 4, 5, 6, 7, 8]],
  ])('?%s finds the amounts %j', async (query, amounts) => {
    expect([...(await found(service, `${path}?${query}`))].sort()).toEqual(amounts);
  });
});

test.each<[string, readonly string[]]>([
  ['', ['A', 'B', 'C']],
  ['StartPriorityDate=1902-06-01', ['A', 'B']],
  ['StartPriorityDate=1902-06-02', ['B']],
  ['EndPriorityDate=1902-06-01', ['A']],
  ['EndPriorityDate=1902-05-31', []],
  ['StartPriorityDate=6/1/1902&EndPriorityDate=6/1/1902', ['A']],
  ['EndPriorityDate=9999-12-31', ['A', 'B']],
])('SiteAllocationAmounts?%s finds %j', async (query, identifiers) => {
  expect(await found(service, `${paths.allocations}?${query}`)).toEqual(identifiers);
});

test.each([
  [`${paths.site}?StartDate=2011-01-01&EndDate=2010-12-31`, 'StartDate'],
  [`${paths.aggregated}?StartDate=2011-01-01&EndDate=2010-12-31`, 'StartDate'],
  [`${paths.allocations}?StartPriorityDate=2011-01-01&EndPriorityDate=2010-12-31`, 'StartPriorityDate'],
])('%s is a 400 since the start is after the end', async (path, parameter) => {
  const { status, json } = await service.get(path);
  expect(status).toBe(400);
  expect(json.errors).toEqual([
    { parameter, message: expect.stringMatching(/End(Priority)?Date/), value: expect.stringContaining('2011-01-01') },
  ]);
});
