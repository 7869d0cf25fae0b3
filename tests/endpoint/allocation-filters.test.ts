// Each text filter of SiteAllocationAmounts finds what it should and only that (D8, D10 to D14, D16).

import { allocation, found, lookupsOf, paths } from '../fixtures/handmade';
import { createTestService } from '../fixtures/test-service';

const service = createTestService();

beforeAll(async () => {
  await service.load({
    ...lookupsOf({ State: 'WY' }),
    'sites.csv': [
      { SiteUUID: 'S1', SiteTypeCV: 'Diversion', HUC12: '100800100101', County: 'Park', StateCV: 'WY' },
      { SiteUUID: 'S2', SiteTypeCV: 'Well', HUC8: '10080010', County: 'Big Horn County', StateCV: 'Montana' },
      { SiteUUID: 'S3', SiteTypeCV: 'Spring' },
    ],
    'waterallocations.csv': [
      allocation({ AllocationNativeID: 'at-1', SiteUUID: 'S1', BeneficialUseCategory: 'Irrigation,Stock' }),
      allocation({ AllocationNativeID: 'at-1-and-2', SiteUUID: 'S1,S2', PrimaryUseCategory: 'Municipal' }),
      allocation({ AllocationNativeID: 'at-2', SiteUUID: 'S2', BeneficialUseCategory: 'Heat Pumps' }),
      allocation({ AllocationNativeID: 'nowhere', BeneficialUseCategory: 'Irrigation' }),
    ],
  });
});

afterAll(() => service.close());

test.each<[string, readonly string[]]>([
  ['', ['at-1', 'at-1-and-2', 'at-2', 'nowhere']],
  ['SiteUUID=s1', ['at-1', 'at-1-and-2']],
  ['SiteUUID=S2', ['at-1-and-2', 'at-2']],
  ['SiteUUID=S1&SiteUUID=S2', ['at-1', 'at-1-and-2', 'at-2']],
  ['SiteUUID=S3', []],
  ['SiteTypeCV=well', ['at-1-and-2', 'at-2']],
  ['BeneficialUseCV=stock', ['at-1']],
  ['BeneficialUseCV=Municipal', ['at-1-and-2']],
  ['BeneficialUseCV=Irrigation', ['at-1', 'nowhere']],
  ['USGSCategoryNameCV=Livestock', ['at-1']],
  ['USGSCategoryNameCV=Public+Supply', ['at-1-and-2']],
  ['HUC8=10080010', ['at-1', 'at-1-and-2', 'at-2']],
  ['HUC12=100800100101', ['at-1', 'at-1-and-2']],
  ['County=Park+county', ['at-1', 'at-1-and-2']],
  ['County=Big+Horn', ['at-1-and-2', 'at-2']],
  ['State=WY', ['at-1', 'at-1-and-2', 'at-2', 'nowhere']],
  ['State=mt', ['at-1-and-2', 'at-2']],
  ['State=CO', []],
  ['County=Park&State=MT', ['at-1-and-2']],
  ['SiteTypeCV=Diversion&SiteTypeCV=Well&State=MT', ['at-1-and-2', 'at-2']],
])('SiteAllocationAmounts?%s finds %j', async (query, identifiers) => {
  expect(await found(service, `${paths.allocations}?${query}`)).toEqual(identifiers);
});

test('two filters may be met by two different sites of one allocation, one value by either site', async () => {
  expect(await found(service, `${paths.allocations}?SiteUUID=S1&SiteTypeCV=Well`)).toEqual(['at-1-and-2']);
  expect(await found(service, `${paths.allocations}?SiteUUID=S1&SiteTypeCV=Spring`)).toEqual([]);
});
