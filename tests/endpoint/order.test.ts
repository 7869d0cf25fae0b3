// The order of records and organizations (D17): by UTF-8 bytes, missing first. Records are named by their amounts.

import { aggregatedAmount, allocation, found, lookupsOf, paths, siteAmount } from '../fixtures/handmade';
import { createTestService } from '../fixtures/test-service';

const service = createTestService();

const variables = ['V1', 'V2'].map((id) => ({
  VariableSpecificUUID: id,
  VariableSpecificCV: 'Withdrawal',
  VariableCV: 'Withdrawal',
}));

// Amounts are numbered in the order that the answer must have; the rows are loaded in reverse.
const start = '2001-01-01';
const end = '2001-12-31';
const series = [
  { Amount: 1 },
  { Amount: 2, ReportYearCV: '1999' },
  { Amount: 3, TimeframeEnd: end },
  { Amount: 4, TimeframeStart: '2000-01-01', TimeframeEnd: end, ReportYearCV: '2009' },
  { Amount: 5, TimeframeStart: start },
  { Amount: 6, TimeframeStart: start, TimeframeEnd: end },
  { Amount: 7, TimeframeStart: start, TimeframeEnd: end, ReportYearCV: '2000' },
  { Amount: 8, TimeframeStart: start, TimeframeEnd: end, ReportYearCV: '2001' },
  { Amount: 9, TimeframeStart: start, TimeframeEnd: end, ReportYearCV: '2001', WaterSourceUUID: 'WS1' },
  { Amount: 10, VariableSpecificUUID: 'V2' },
];

beforeAll(async () => {
  await service.load({
    ...lookupsOf(),
    'variables.csv': variables,
    'sites.csv': ['S1', 'S', 's1', 'S10', 'S\u{1F4A7}', 'S\uFF01'].map((SiteUUID) => ({ SiteUUID })),
    'sitespecificamounts.csv': [
      ...['S', 'S1', 'S10', 'S\uFF01', 'S\u{1F4A7}', 's1']
        .flatMap((SiteUUID, place) => (SiteUUID === 'S1' ? [] : [siteAmount({ SiteUUID, Amount: 100 * place })]))
        .reverse(),
      ...series.map(siteAmount).reverse(),
    ],
    'reportingunits.csv': ['RU1', 'RU0', 'ru'].map((ReportingUnitUUID) => ({ ReportingUnitUUID })),
    'aggregatedamounts.csv': [
      aggregatedAmount({ ReportingUnitUUID: 'ru', Amount: 100 }),
      aggregatedAmount({ ReportingUnitUUID: 'RU0', Amount: 0 }),
      ...series.map(aggregatedAmount).reverse(),
    ],
    'waterallocations.csv': ['b', '10', 'a', 'B', '9', '\u00e9'].map((id) => allocation({ AllocationNativeID: id })),
  });
  // This organization is loaded later and sorts first; its allocations are ordered by their UUIDs.
  await service.load({
    ...lookupsOf({ OrganizationUUID: 'ORG_0' }),
    'waterallocations.csv': [
      allocation({ OrganizationUUID: 'ORG_0', AllocationUUID: 'U2', AllocationNativeID: 'x' }),
      allocation({ OrganizationUUID: 'ORG_0', AllocationUUID: 'U1', AllocationNativeID: 'y' }),
    ],
  });
});

afterAll(() => service.close());

test('site amounts stand by site, variable, start, end and report year, missing first', async () => {
  const expected = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 200, 300, 400, 500];
  expect(await found(service, paths.site)).toEqual(expected);
});

test('aggregated amounts stand by reporting unit, variable, start, end and report year, missing first', async () => {
  expect(await found(service, paths.aggregated)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 100]);
});

test('allocations stand by identifier, within organizations by theirs', async () => {
  expect(await found(service, paths.allocations)).toEqual(['y', 'x', '10', '9', 'B', 'a', 'b', '\u00e9']);
});
