// RelatedPODSites and RelatedPOUSites (D29).

import { allocation, lookupsOf, paths, siteAmount } from '../fixtures/handmade';
import { createTestService } from '../fixtures/test-service';

const service = createTestService();

const relation = (PODSiteUUID: string, POUSiteUUID: string, StartDate = '', EndDate = '') => ({
  PODSiteUUID,
  POUSiteUUID,
  StartDate,
  EndDate,
});

beforeAll(async () => {
  const sites = [
    { SiteUUID: 'A', PODorPOUSite: 'POU' },
    { SiteUUID: 'B', PODorPOUSite: 'POD' },
    { SiteUUID: 'C' },
    { SiteUUID: 'D', PODorPOUSite: 'POD' },
  ];
  await service.load({
    ...lookupsOf(),
    'sites.csv': sites,
    'podsitetopousiterelationships.csv': [
      relation('C', 'A', '2002-01-01'),
      relation('B', 'A', '2001-01-01', '2001-12-31'),
      relation('B', 'A', '1/1/2000', '12/31/2000'),
      relation('B', 'A', '', '1999-12-31'),
      relation('A', 'C'),
    ],
    'sitespecificamounts.csv': sites.map(({ SiteUUID }) => siteAmount({ SiteUUID })),
    'waterallocations.csv': [allocation({ AllocationNativeID: '1', SiteUUID: 'A' })],
  });
});

afterAll(() => service.close());

async function relatedSites(path: string): Promise<readonly unknown[]> {
  const { json } = await service.get(path);
  return json.Organizations[0].Sites.map(({ SiteUUID, RelatedPODSites, RelatedPOUSites }: Record<string, unknown>) => [
    SiteUUID,
    RelatedPODSites,
    RelatedPOUSites,
  ]);
}

const podsOfA = [
  { SiteUUID: 'B', StartDate: null, EndDate: '1999-12-31' },
  { SiteUUID: 'B', StartDate: '2000-01-01', EndDate: '2000-12-31' },
  { SiteUUID: 'B', StartDate: '2001-01-01', EndDate: '2001-12-31' },
  { SiteUUID: 'C', StartDate: '2002-01-01', EndDate: null },
];

const always = { StartDate: null, EndDate: null };

test('stand by site, then start, and follow the columns of the relation whatever PODorPOUSite says', async () => {
  expect(await relatedSites(paths.site)).toEqual([
    ['A', podsOfA, [{ SiteUUID: 'C', ...always }]],
    ['B', [], podsOfA.slice(0, 3).map((pod) => ({ ...pod, SiteUUID: 'A' }))],
    ['C', [{ SiteUUID: 'A', ...always }], [{ SiteUUID: 'A', StartDate: '2002-01-01', EndDate: null }]],
    ['D', [], []],
  ]);
});

test('stand on the sites of allocations too', async () => {
  expect(await relatedSites(paths.allocations)).toEqual([['A', podsOfA, [{ SiteUUID: 'C', ...always }]]]);
});
