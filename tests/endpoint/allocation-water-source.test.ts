// WaterSourceUUID and Sites of an allocation (D27).

import { allocation, lookupsOf, paths, recordsOf } from '../fixtures/handmade';
import { createTestService } from '../fixtures/test-service';

const service = createTestService();

beforeAll(async () => {
  await service.load({
    ...lookupsOf(),
    'watersources.csv': ['WS1', 'WS2', 'WS3'].map((WaterSourceUUID) => ({ WaterSourceUUID })),
    'sites.csv': [
      { SiteUUID: 'S1' },
      { SiteUUID: 'S2', WaterSourceUUIDs: 'WS3,WS2' },
      { SiteUUID: 'S3', WaterSourceUUIDs: 'WS1' },
    ],
    'waterallocations.csv': [
      allocation({ AllocationNativeID: '1', SiteUUID: 'S2,S3', WaterSourceUUID: 'WS2' }),
      allocation({ AllocationNativeID: '2', SiteUUID: 'S1,S2,S3' }),
      allocation({ AllocationNativeID: '3', SiteUUID: 'S3,S2,S1' }),
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

test('every water source that is named is in the list of the page', async () => {
  const { json } = await service.get(`${paths.allocations}?SiteUUID=S1&RecordCount=1`);
  const [organization] = json.Organizations;
  expect(organization.WaterAllocations[0].AllocationNativeID).toBe('2');
  const sources = organization.WaterSources.map(({ WaterSourceUUID }: { WaterSourceUUID: string }) => WaterSourceUUID);
  expect(sources).toEqual(['WS1', 'WS2', 'WS3']);
});
