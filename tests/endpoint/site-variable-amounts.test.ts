import { createTestService } from '../fixtures/test-service';
import { siteAmountsSubmission } from '../fixtures/submission';

const service = createTestService();

beforeAll(async () => {
  await service.load(siteAmountsSubmission);
});

afterAll(() => service.close());

test('answers the records of a site with the lookups that they refer to', async () => {
  const { status, json } = await service.get('/v1/SiteVariableAmounts?SiteUUID=s2&StartDate=2001-01-01');
  expect(status).toBe(200);
  expect(json.TotalSiteVariableAmountsCount).toBe(2);
  const [organization] = json.Organizations;
  expect(organization.SiteVariableAmounts.map((record: { TimeframeStart: string }) => record.TimeframeStart)).toEqual([
    '2001-01-01',
    '2002-01-01',
  ]);
  expect(organization.Sites[0].RelatedPODSites).toEqual([
    { SiteUUID: 'S1', StartDate: '2000-01-01', EndDate: '2000-12-31' },
    { SiteUUID: 'S1', StartDate: '2001-01-01', EndDate: '2001-12-31' },
  ]);
});
