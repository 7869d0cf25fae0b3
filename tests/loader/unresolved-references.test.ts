import { allocationsSubmission, siteAmountsSubmission } from '../fixtures/submission';
import { withCells } from '../fixtures/submission-changes';
import { createTestService } from '../fixtures/test-service';

const service = createTestService();

test('an unknown water source of an amount becomes null in the answer', async () => {
  await service.load(withCells(siteAmountsSubmission, 'sitespecificamounts.csv', 0, { WaterSourceUUID: 'WS9' }));
  const { json } = await service.get('/v1/SiteVariableAmounts?SiteUUID=S1&EndDate=2000-12-31');
  expect(json.Organizations[0].SiteVariableAmounts).toMatchObject([{ WaterSourceUUID: null, WaterSourceTypeCV: null }]);
});

test('an unknown water source of a site is dropped from its list', async () => {
  await service.load(withCells(siteAmountsSubmission, 'sites.csv', 0, { WaterSourceUUIDs: 'WS9,WS1,WS8' }));
  const { json } = await service.get('/v1/SiteVariableAmounts?SiteUUID=S1&RecordCount=1');
  const [site] = json.Organizations[0].Sites;
  expect(site.WaterSourceUUIDs).toEqual(['WS1']);
  expect(site.WaterSources).toEqual([{ WaterSourceUUID: 'WS1', WaterSourceTypeCV: 'Surface Water' }]);
});

test('an allocation keeps the known sites of its list in their order', async () => {
  await service.load(
    withCells(allocationsSubmission, 'waterallocations.csv', 0, { SiteUUID: 'S2, S9 ,S1,S2,unknown' }),
  );
  const { json } = await service.get('/v1/SiteAllocationAmounts?BeneficialUseCV=Stockwatering');
  const [allocation] = json.Organizations[0].WaterAllocations;
  expect(allocation.Sites.map((site: { SiteUUID: string }) => site.SiteUUID)).toEqual(['S2', 'S1']);
});

test('an allocation without a site is held and has the water source that it names', async () => {
  const cells = { SiteUUID: 'S9', WaterSourceUUID: 'WS1' };
  await service.load(withCells(allocationsSubmission, 'waterallocations.csv', 0, cells));
  const { json } = await service.get('/v1/SiteAllocationAmounts?BeneficialUseCV=Stockwatering');
  expect(json.TotalWaterAllocationsCount).toBe(1);
  expect(json.Organizations[0].WaterAllocations).toMatchObject([{ Sites: [], WaterSourceUUID: 'WS1' }]);
  expect(json.Organizations[0].Sites).toEqual([]);
});
