// What a record refers to: uses with their categories (D25, D13), the water source and the sites of an allocation
// (D27), and related sites (D29). tests/property/search-laws.test.ts holds which lookups a page lists.

import { allocation, lookupsOf, paths, recordsOf, siteAmount } from '../fixtures/handmade';
import { createTestService, loadedService } from '../fixtures/test-service';

describe('uses, water sources and sites', () => {
  const service = loadedService({
    ...lookupsOf(),
    'beneficialuses.csv': [
      { BeneficialUseCategory: 'irrigation', PrimaryUseCategory: 'Farming', NAICSCodeNameCV: 'Own' },
      { BeneficialUseCategory: 'Unused' },
    ],
    'watersources.csv': ['WS1', 'WS2', 'WS3'].map((WaterSourceUUID) => ({ WaterSourceUUID })),
    'sites.csv': [
      { SiteUUID: 'S1' },
      { SiteUUID: 'S2', WaterSourceUUIDs: 'WS9,WS3,WS2,WS8' },
      { SiteUUID: 'S3', WaterSourceUUIDs: 'WS1' },
    ],
    'sitespecificamounts.csv': [siteAmount({ WaterSourceUUID: 'WS9' })],
    'waterallocations.csv': [
      allocation({
        ...{ AllocationNativeID: '1', SiteUUID: 'S2,S3', WaterSourceUUID: 'WS2', BeneficialUseCategory: 'Bathing' },
      }),
      allocation({
        AllocationNativeID: '2',
        SiteUUID: 'S1, S9 ,S2,S3,S1,unknown',
        BeneficialUseCategory: 'Stockwatering,Irrigation',
      }),
      allocation({ AllocationNativeID: '3', SiteUUID: 'S3,S2,S1', PrimaryUseCategory: 'Municipal' }),
      allocation({ AllocationNativeID: '4', SiteUUID: 'S1' }),
      allocation({ AllocationNativeID: '5' }),
      allocation({ AllocationNativeID: '7', SiteUUID: 'S9', WaterSourceUUID: 'WS1' }),
      allocation({ AllocationNativeID: '6', SiteUUID: 'S2', WaterSourceUUID: 'WS-unknown' }),
    ],
  });

  test("the water source is the row's own, else the first source of its first site that has one", async () => {
    const rights = recordsOf(await service.get(paths.allocations), 'WaterAllocations');
    expect(rights.map((right) => right['WaterSourceUUID'])).toEqual(['WS2', 'WS3', 'WS1', null, null, 'WS3', 'WS1']);
  });

  test('a water source that the submission does not hold is null in an amount, and not in the list of a site', async () => {
    const [amount] = recordsOf(await service.get(paths.site), 'SiteVariableAmounts');
    expect(amount).toMatchObject({ WaterSourceUUID: null, WaterSourceTypeCV: null });
    const { json } = await service.get(paths.allocations);
    const { WaterSources, WaterSourceUUIDs } = json.Organizations[0].Sites[1];
    expect(WaterSourceUUIDs).toEqual(['WS3', 'WS2']);
    expect(WaterSources).toEqual(
      WaterSourceUUIDs.map((WaterSourceUUID: string) => ({ WaterSourceUUID, WaterSourceTypeCV: null })),
    );
  });

  test("the sites stand in the submission's order in the allocation, without unknown ones, by identifier in the organization", async () => {
    const { json } = await service.get(paths.allocations);
    const [organization] = json.Organizations;
    const sites = organization.WaterAllocations.map((right: { Sites: readonly { SiteUUID: string }[] }) =>
      right.Sites.map(({ SiteUUID }) => SiteUUID).join(','),
    );
    expect(sites).toEqual(['S2,S3', 'S1,S2,S3', 'S3,S2,S1', 'S1', '', 'S2', '']);
    expect(organization.Sites.map(({ SiteUUID }: { SiteUUID: string }) => SiteUUID)).toEqual(['S1', 'S2', 'S3']);
  });

  test("a use has its categories from beneficialuses.csv, else from the service's table, else none", async () => {
    const { json } = await service.get(paths.allocations);
    const named = (BeneficialUseCategoryCV: string): Record<string, string> => ({
      BeneficialUseCategoryCV,
      Term: BeneficialUseCategoryCV,
      Name: BeneficialUseCategoryCV,
    });
    const unknown = { PrimaryUseCategoryCV: null, USGSCategoryNameCV: null, NAICSCodeNameCV: null };
    expect(json.Organizations[0].BeneficialUses).toEqual([
      { ...named('Bathing'), ...unknown },
      { ...named('Irrigation'), ...unknown, PrimaryUseCategoryCV: 'Farming', NAICSCodeNameCV: 'Own' },
      expect.objectContaining({ ...named('Municipal'), USGSCategoryNameCV: 'Public Supply' }),
      expect.objectContaining({ ...named('Stockwatering'), USGSCategoryNameCV: 'Livestock' }),
    ]);
  });
});

describe('RelatedPODSites and RelatedPOUSites', () => {
  const service = createTestService();

  const relation = (PODSiteUUID: string, POUSiteUUID: string, StartDate = '', EndDate = '') => ({
    ...{ PODSiteUUID, POUSiteUUID, StartDate, EndDate },
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

  async function relatedSites(path: string): Promise<readonly unknown[]> {
    const { json } = await service.get(path);
    return json.Organizations[0].Sites.map(
      ({ SiteUUID, RelatedPODSites, RelatedPOUSites }: Record<string, unknown>) => [
        SiteUUID,
        RelatedPODSites,
        RelatedPOUSites,
      ],
    );
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
});
