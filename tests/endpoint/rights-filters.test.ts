// The filters of water rights that D35 added, with the fine print of D52.

import { allocation, found, lookupsOf, paths, siteAmount } from '../fixtures/handmade';
import { createTestService } from '../fixtures/test-service';

const service = createTestService();

const sources = [
  { WaterSourceUUID: 'WS1', WaterSourceTypeCV: 'Surface Water' },
  { WaterSourceUUID: 'WS2', WaterSourceTypeCV: 'Groundwater' },
];

beforeAll(async () => {
  await service.load({
    ...lookupsOf({ OrganizationUUID: 'UTwr' }),
    'watersources.csv': sources,
    'sites.csv': [{ SiteUUID: 'S1' }, { SiteUUID: 'S2', WaterSourceUUIDs: 'WS2,WS1' }],
    'sitespecificamounts.csv': [siteAmount({ OrganizationUUID: 'UTwr' })],
    'waterallocations.csv': [
      { AllocationNativeID: '1', AllocationOwner: 'Bear  River Canal Co.', WaterSourceUUID: 'WS1', SiteUUID: 'S2' },
      { AllocationNativeID: '2', AllocationOwner: 'ÜNAL RIVERS', SiteUUID: 'S1,S2', ExemptOfVolumeFlowPriority: 'Yes' },
      {
        AllocationNativeID: '3',
        AllocationOwner: 'Unknown',
        OwnerClassificationCV: 'Private',
        AllocationTypeCV: 'Decree',
      },
      { AllocationNativeID: '4', OwnerClassificationCV: 'PRIVATE ', ExemptOfVolumeFlowPriority: '0' },
      {
        AllocationNativeID: '5',
        AllocationOwner: 'ab',
        AllocationTypeCV: 'Permit',
        ExemptOfVolumeFlowPriority: 'maybe',
      },
    ].map((row) => allocation({ OrganizationUUID: 'UTwr', ...row })),
  });
});

afterAll(() => service.close());

test.each<[string, readonly string[]]>([
  ['AllocationOwner=river', ['1', '2']],
  ['AllocationOwner=BEAR+++river', ['1']],
  ['AllocationOwner=r+c', ['1']],
  ['AllocationOwner=co.', ['1']],
  ['AllocationOwner=%C3%BCnal', ['2']],
  ['AllocationOwner=U%CC%88nal', ['2']],
  ['AllocationOwner=canal&AllocationOwner=rivers', ['1', '2']],
  ['AllocationOwner=unknown', []],
  ['AllocationOwner=river&ExemptOfVolumeFlowPriority=1', ['2']],
  ['OwnerClassificationCV=private', ['3', '4']],
  ['OwnerClassificationCV=priv', []],
  ['AllocationTypeCV=Decree', ['3']],
  ['AllocationTypeCV=decree&AllocationTypeCV=PERMIT', ['3', '5']],
  ['WaterSourceTypeCV=surface+water', ['1']],
  ['WaterSourceTypeCV=Groundwater', ['2']],
  ['ExemptOfVolumeFlowPriority=true', ['2']],
  ['ExemptOfVolumeFlowPriority=YES', ['2']],
  ['ExemptOfVolumeFlowPriority=no', ['4']],
  ['exemptofvolumeflowpriority=0', ['4']],
])('SiteAllocationAmounts?%s finds %j', async (query, identifiers) => {
  expect(await found(service, `${paths.allocations}?${query}`)).toEqual(identifiers);
});

test.each([
  ['AllocationOwner=ab', 'AllocationOwner', 'must have at least 3 characters', 'ab'],
  ['AllocationOwner=a+++b&AllocationOwner=xy', 'AllocationOwner', 'must have at least 3 characters', 'xy'],
  ['AllocationOwner=%F0%9F%92%A7%F0%9F%92%A7', 'AllocationOwner', 'must have at least 3 characters', '💧💧'],
  [
    'ExemptOfVolumeFlowPriority=perhaps',
    'ExemptOfVolumeFlowPriority',
    'must be true or false, yes or no, 1 or 0',
    'perhaps',
  ],
  [
    'ExemptOfVolumeFlowPriority=1&ExemptOfVolumeFlowPriority=0',
    'ExemptOfVolumeFlowPriority',
    'may stand only once',
    '1 and 0',
  ],
])('?%s is a 400 at %s', async (query, parameter, message, value) => {
  const { status, json } = await service.get(`${paths.allocations}?${query}`);
  expect({ status, errors: json.errors }).toEqual({ status: 400, errors: [{ parameter, message, value }] });
});

test.each(['AllocationOwner=river', 'OwnerClassificationCV=x', 'ExemptOfVolumeFlowPriority=1'])(
  'amounts have no filter %s',
  async (query) => {
    expect((await service.get(`${paths.site}?${query}`)).status).toBe(400);
    expect((await service.get(`${paths.aggregated}?${query}`)).status).toBe(400);
  },
);

test('links to other pages keep the owners', async () => {
  const { headers } = await service.get(
    `${paths.allocations}?AllocationOwner=RIVER&AllocationOwner=canal&RecordCount=1`,
  );
  expect(headers['Link']).toContain('AllocationOwner=RIVER&AllocationOwner=canal');
});
