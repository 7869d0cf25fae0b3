// What a record refers to: uses with their categories (D25, D13), and the water source and the sites of an allocation
// (D27). tests/property/reference-laws.test.ts holds that a page lists what its records refer to, and no more.

import { allocation, lookupsOf, paths, recordsOf } from '../fixtures/handmade';
import { createTestService } from '../fixtures/test-service';

const service = createTestService();

beforeAll(async () => {
  await service.load({
    ...lookupsOf(),
    'beneficialuses.csv': [
      { BeneficialUseCategory: 'irrigation', PrimaryUseCategory: 'Farming', NAICSCodeNameCV: 'Own' },
      { BeneficialUseCategory: 'Unused' },
    ],
    'watersources.csv': ['WS1', 'WS2', 'WS3'].map((WaterSourceUUID) => ({ WaterSourceUUID })),
    'sites.csv': [
      { SiteUUID: 'S1' },
      { SiteUUID: 'S2', WaterSourceUUIDs: 'WS3,WS2' },
      { SiteUUID: 'S3', WaterSourceUUIDs: 'WS1' },
    ],
    'waterallocations.csv': [
      allocation({
        AllocationNativeID: '1',
        SiteUUID: 'S2,S3',
        WaterSourceUUID: 'WS2',
        BeneficialUseCategory: 'Bathing',
      }),
      allocation({ AllocationNativeID: '2', SiteUUID: 'S1,S2,S3', BeneficialUseCategory: 'Stockwatering,Irrigation' }),
      allocation({ AllocationNativeID: '3', SiteUUID: 'S3,S2,S1', PrimaryUseCategory: 'Municipal' }),
      allocation({ AllocationNativeID: '4', SiteUUID: 'S1' }),
      allocation({ AllocationNativeID: '5' }),
      allocation({ AllocationNativeID: '6', SiteUUID: 'S2', WaterSourceUUID: 'WS-unknown' }),
    ],
  });
});

afterAll(() => service.close());

test("the water source is the row's own, else the first source of its first site that has one", async () => {
  const rights = recordsOf(await service.get(paths.allocations), 'WaterAllocations');
  expect(rights.map((right) => right['WaterSourceUUID'])).toEqual(['WS2', 'WS3', 'WS1', null, null, 'WS3']);
});

test("the sites stand in the submission's order in the allocation, by identifier in the organization", async () => {
  const { json } = await service.get(paths.allocations);
  const [organization] = json.Organizations;
  const sites = organization.WaterAllocations.map((right: { Sites: readonly { SiteUUID: string }[] }) =>
    right.Sites.map(({ SiteUUID }) => SiteUUID).join(','),
  );
  expect(sites).toEqual(['S2,S3', 'S1,S2,S3', 'S3,S2,S1', 'S1', '', 'S2']);
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
