// Bounds of amounts, flows and volumes (D35, D52).

import { aggregatedAmount, allocation, found, lookupsOf, paths, siteAmount } from '../fixtures/handmade';
import { createTestService } from '../fixtures/test-service';

const service = createTestService();

beforeAll(async () => {
  await service.load({
    ...lookupsOf(),
    'sites.csv': [{ SiteUUID: 'S1' }],
    'reportingunits.csv': [{ ReportingUnitUUID: 'RU1' }],
    'sitespecificamounts.csv': [-12.5, 0, 3, 1e21, 0.1].map((Amount, year) =>
      siteAmount({ Amount, TimeframeStart: `200${year}-01-01` }),
    ),
    'aggregatedamounts.csv': [1, 2].map((Amount) => aggregatedAmount({ Amount, ReportYearCV: 2000 + Amount })),
    'waterallocations.csv': [
      { AllocationNativeID: '1', AllocationFlow_CFS: 1.5, AllocationVolume_AF: 100, SiteUUID: 'S1' },
      { AllocationNativeID: '2', AllocationFlow_CFS: 2 },
      { AllocationNativeID: '3', AllocationVolume_AF: 50 },
      { AllocationNativeID: '4', AllocationFlow_CFS: 'much' },
    ].map(allocation),
  });
});

afterAll(() => service.close());

test.each<[string, readonly number[]]>([
  ['MinimumAmount=0', [0, 3, 1e21, 0.1]],
  ['MaximumAmount=0', [-12.5, 0]],
  ['MaximumAmount=-0', [-12.5, 0]],
  ['MinimumAmount=-12.5&MaximumAmount=-12.5', [-12.5]],
  ['MinimumAmount=0.1&MaximumAmount=3.0', [3, 0.1]],
  ['minimumamount=1000000000000000000000', [1e21]],
  ['MinimumAmount=3&State=UT&StartDate=2001-01-01&EndDate=2002-12-31', [3]],
  ['MinimumAmount=4&MaximumAmount=5', []],
])('SiteVariableAmounts?%s finds %j', async (query, amounts) => {
  expect(await found(service, `${paths.site}?${query}`)).toEqual(amounts);
});

test.each<[string, readonly string[]]>([
  ['MinimumFlow=0', ['1', '2']],
  ['MinimumFlow=1.6', ['2']],
  ['MaximumVolume=100', ['1', '3']],
  ['MinimumFlow=1&MinimumVolume=1', ['1']],
  ['MaximumFlow=2&SiteUUID=S1', ['1']],
  ['MaximumVolume=99.99&SiteUUID=S1', []],
])('SiteAllocationAmounts?%s finds %j', async (query, identifiers) => {
  expect(await found(service, `${paths.allocations}?${query}`)).toEqual(identifiers);
});

test('aggregated amounts have bounds too', async () => {
  expect(await found(service, `${paths.aggregated}?MaximumAmount=1`)).toEqual([1]);
});

test.each(['1e3', '1,000', '.5', '5.', '%2B5', 'NaN', 'Infinity', '0x10', '--1', '9'.repeat(400)])(
  'MinimumAmount=%s is a 400',
  async (value) => {
    const { status, json } = await service.get(`${paths.site}?MinimumAmount=${value}`);
    expect(status).toBe(400);
    expect(json.errors).toMatchObject([{ message: 'must be a decimal number, such as -12.5' }]);
  },
);

test('a minimum over its maximum is a 400 at the minimum, each pair by itself', async () => {
  const query = 'MinimumFlow=2&MaximumFlow=1.5&MinimumVolume=3&MaximumVolume=-3&StartPriorityDate=1900-01-01';
  const { status, json } = await service.get(`${paths.allocations}?${query}`);
  expect({ status, errors: json.errors }).toEqual({
    status: 400,
    errors: [
      { parameter: 'MinimumFlow', message: 'must not be greater than MaximumFlow', value: '2 to 1.5' },
      { parameter: 'MinimumVolume', message: 'must not be greater than MaximumVolume', value: '3 to -3' },
    ],
  });
});

test('bounds of rights are unknown to amounts, and the other way', async () => {
  expect((await service.get(`${paths.site}?MinimumFlow=1`)).status).toBe(400);
  expect((await service.get(`${paths.allocations}?MinimumAmount=1`)).status).toBe(400);
});
