// The sitemap of the pages of sites, units and rights (D49).

import type { Service } from '../../shared/http/pipeline/service';
import { aggregatedAmount, allocation, lookupsOf, siteAmount } from '../fixtures/handmade';
import { readSitemap, SITE } from '../fixtures/sitemap-reading';
import { createTestService, TEST_NOW } from '../fixtures/test-service';

const service = createTestService();

beforeAll(async () => {
  const sites = ["S1 & 'a'", 'S2', 'S3'].map((SiteUUID) => ({ SiteUUID }));
  await service.load({
    ...lookupsOf(),
    'sites.csv': [...sites, { SiteUUID: 'unused' }],
    'reportingunits.csv': [{ ReportingUnitUUID: 'RU1' }],
    'sitespecificamounts.csv': sites.slice(0, 2).map(({ SiteUUID }) => siteAmount({ SiteUUID })),
    'aggregatedamounts.csv': [aggregatedAmount({})],
    'waterallocations.csv': [
      allocation({ AllocationNativeID: 'A/1~x', SiteUUID: 'S2,S3' }),
      allocation({ AllocationNativeID: 'native', AllocationUUID: 'U1', SiteUUID: 'S3' }),
    ],
  });
});

const asked = (more: Partial<Service> = {}): Service => ({ ...service.service, publicUrl: SITE, ...more });

test('it has the address of each feature once, as a site of amounts and rights, with the day of its publish', async () => {
  const listed = await readSitemap(service, service.service);
  const addressOf = (collection: string, id: string): string =>
    `${SITE}/ogc/collections/${collection}/items/${encodeURIComponent(id)}`;
  expect(listed.map(({ address }) => address).sort()).toEqual(
    [
      addressOf('allocations', 'ORG_1~A/1~x'),
      addressOf('allocations', 'ORG_1~U1'),
      addressOf('reporting-units', 'ORG_1~RU1'),
      addressOf('sites', "ORG_1~S1 & 'a'"),
      addressOf('sites', 'ORG_1~S2'),
      addressOf('sites', 'ORG_1~S3'),
    ].sort(),
  );
  expect(new Set(listed.map(({ changed }) => changed))).toEqual(new Set([TEST_NOW.toISOString()]));
});

test('without the address of the service there is none, and a part of no current release is not there', async () => {
  expect((await service.get('/sitemap.xml')).status).toBe(404);
  const { status, json } = await service.ask(asked(), '/sitemap.xml?part=sites-0-1');
  expect([status, json.detail]).toEqual([404, expect.stringContaining('/sitemap.xml lists them')]);
  const other = await service.ask(asked(), '/sitemap.xml?page=2');
  expect([other.status, other.json.errors[0].parameter]).toEqual([400, 'page']);
});
