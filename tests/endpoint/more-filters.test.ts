// The filters that D34 added: organization, publication dates, and what each operation has more of.

import { aggregatedAmount, allocation, found, lookupsOf, paths, siteAmount } from '../fixtures/handmade';
import { createTestService } from '../fixtures/test-service';

const service = createTestService();

const sources = [
  { WaterSourceUUID: 'WS1', WaterSourceTypeCV: 'Surface Water' },
  { WaterSourceUUID: 'WS2', WaterSourceTypeCV: 'Groundwater' },
  { WaterSourceUUID: 'WS3', WaterSourceTypeCV: 'surface  water' },
];

beforeAll(async () => {
  await service.load({
    ...lookupsOf({ OrganizationUUID: 'UTwr' }),
    'watersources.csv': sources,
    'sites.csv': [
      { SiteUUID: 'S1', PODorPOUSite: 'POD', WaterSourceUUIDs: 'WS2' },
      { SiteUUID: 'S2', PODorPOUSite: 'POU' },
      { SiteUUID: 'S3' },
    ],
    'sitespecificamounts.csv': [
      { Amount: 1, SiteUUID: 'S1', WaterSourceUUID: 'WS1', DataPublicationDate: '2020-01-01' },
      { Amount: 2, SiteUUID: 'S2', WaterSourceUUID: 'WS2', DataPublicationDate: '12/31/2020' },
      { Amount: 3, SiteUUID: 'S3', WaterSourceUUID: 'WS3', DataPublicationDate: '2021-06-30 10:00' },
      { Amount: 4, SiteUUID: 'S1' },
    ].map((row) => siteAmount({ OrganizationUUID: 'UTwr', ...row })),
    'waterallocations.csv': [
      { AllocationNativeID: '0042', AllocationUUID: 'UT_0042', SiteUUID: 'S1,S2', AllocationLegalStatusCV: 'Active' },
      { AllocationNativeID: '42', AllocationUUID: 'UT_42', SiteUUID: 'S2', AllocationLegalStatusCV: 'ACTIVE ' },
      {
        AllocationNativeID: '0043',
        SiteUUID: 'S3',
        AllocationLegalStatusCV: 'Lost',
        DataPublicationDate: '2021-01-01',
      },
      { AllocationUUID: 'UT_0044', AllocationLegalStatusCV: 'unknown' },
    ].map((row) => allocation({ OrganizationUUID: 'UTwr', ...row })),
  });
  await service.load({
    ...lookupsOf({ OrganizationUUID: 'COdwr', State: 'CO' }),
    'sites.csv': [{ SiteUUID: 'S1', PODorPOUSite: 'pod' }],
    'sitespecificamounts.csv': [
      siteAmount({ OrganizationUUID: 'COdwr', Amount: 5, DataPublicationDate: '2020-06-01' }),
    ],
    'reportingunits.csv': [{ ReportingUnitUUID: 'RU1' }],
    'aggregatedamounts.csv': [
      aggregatedAmount({ OrganizationUUID: 'COdwr', Amount: 6, DataPublicationDate: '2020-06-01' }),
    ],
    'waterallocations.csv': [allocation({ OrganizationUUID: 'COdwr', AllocationNativeID: '0042', SiteUUID: 'S1' })],
  });
});

afterAll(() => service.close());

const FIRST_DAY = 'StartPublicationDate';
const LAST_DAY = 'EndPublicationDate';

test.each<[string, readonly number[]]>([
  ['OrganizationUUID=UTwr', [4, 1, 2, 3]],
  ['OrganizationUUID=utWR', [4, 1, 2, 3]],
  ['OrganizationUUID=COdwr', [5]],
  ['OrganizationUUID=COdwr&OrganizationUUID=UTwr', [5, 4, 1, 2, 3]],
  ['OrganizationUUID=UT', []],
  ['OrganizationUUID=COdwr&State=UT', []],
  ['PODorPOUSite=POD', [5, 4, 1]],
  ['PODorPOUSite=pou', [2]],
  ['PODorPOUSite=POD&OrganizationUUID=UTwr', [4, 1]],
  ['WaterSourceTypeCV=Surface+Water', [1, 3]],
  ['WaterSourceTypeCV=groundwater', [2]],
  [`${FIRST_DAY}=2020-01-01&${LAST_DAY}=2020-12-31`, [5, 1, 2]],
  [`${FIRST_DAY}=2020-01-02`, [5, 2, 3]],
  [`${LAST_DAY}=12/30/2020`, [5, 1]],
  [`${FIRST_DAY}=2021-06-30&${LAST_DAY}=2021-06-30`, [3]],
  [`${LAST_DAY}=9999-12-31`, [5, 1, 2, 3]],
  [`${FIRST_DAY}=2020-01-01&PODorPOUSite=POD`, [5, 1]],
])('SiteVariableAmounts?%s finds the amounts %j', async (query, amounts) => {
  expect(await found(service, `${paths.site}?${query}`)).toEqual(amounts);
});

test.each<[string, readonly (string | null)[]]>([
  ['AllocationNativeID=0042', ['0042', '0042']],
  ['AllocationNativeID=0042&OrganizationUUID=UTwr', ['0042']],
  ['AllocationNativeID=42', ['42']],
  ['AllocationNativeID=0042&AllocationNativeID=0043', ['0042', '0043', '0042']],
  ['AllocationNativeID=004', []],
  ['AllocationUUID=ut_0042', ['0042']],
  ['AllocationUUID=UT_0044', [null]],
  ['AllocationUUID=0042', []],
  ['AllocationLegalStatusCV=active', ['0042', '42']],
  ['AllocationLegalStatusCodeCV=Lost', ['0043']],
  ['AllocationLegalStatusCV=unknown', []],
  ['PODorPOUSite=POU', ['0042', '42']],
  ['PODorPOUSite=POD', ['0042', '0042']],
  ['PODorPOUSite=POD&PODorPOUSite=POU&AllocationLegalStatusCV=ACTIVE', ['0042', '42']],
  [`${FIRST_DAY}=2021-01-01`, ['0043']],
])('SiteAllocationAmounts?%s finds %j', async (query, identifiers) => {
  expect(await found(service, `${paths.allocations}?${query}`)).toEqual(identifiers);
});

test.each<[string, readonly number[]]>([
  ['OrganizationUUID=codwr', [6]],
  ['OrganizationUUID=UTwr', []],
  [`${FIRST_DAY}=2020-06-01&${LAST_DAY}=2020-06-01`, [6]],
  [`${FIRST_DAY}=2020-06-02`, []],
])('AggregatedAmounts?%s finds the amounts %j', async (query, amounts) => {
  expect(await found(service, `${paths.aggregated}?${query}`)).toEqual(amounts);
});

test('publication dates in reverse are refused, both pairs of dates in one answer', async () => {
  const query = `${FIRST_DAY}=2021-01-01&${LAST_DAY}=2020-01-01&StartDate=2011-01-01&EndDate=2010-01-01`;
  const { status, json } = await service.get(`${paths.site}?${query}`);
  expect(status).toBe(400);
  expect(json.errors).toEqual([
    { parameter: 'StartDate', message: 'must not be later than EndDate', value: '2011-01-01 to 2010-01-01' },
    { parameter: FIRST_DAY, message: `must not be later than ${LAST_DAY}`, value: '2021-01-01 to 2020-01-01' },
  ]);
});

test('a filter of one operation is unknown to the others', async () => {
  const { status, json } = await service.get(`${paths.aggregated}?PODorPOUSite=POD&AllocationUUID=UT_42`);
  expect(status).toBe(400);
  expect(json.errors.map((error: { parameter: string }) => error.parameter)).toEqual([
    'PODorPOUSite',
    'AllocationUUID',
  ]);
});
