// The sitemap of the pages of sites, units and rights (D49), and what robots.txt says of it.

import { AccessControl, UsageCounter } from '../../shared/access/access-control';
import { RateLimits } from '../../shared/access/rate-limits';
import type { Service } from '../../shared/http/pipeline/service';
import { aggregatedAmount, allocation, lookupsOf, siteAmount } from '../fixtures/handmade';
import { entriesOf, readSitemap, SITE } from '../fixtures/sitemap-reading';
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

function keyless(): Service {
  const limits = new RateLimits({ requestsPerMinute: 1000, recordsPerMinute: 1000 });
  const usage = new UsageCounter(
    () => Promise.resolve(),
    service.service.logError,
    () => undefined,
  );
  return asked({ access: new AccessControl(service.store.keys, limits, usage, 10) });
}

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

test('every address of it leads to a feature', async () => {
  for (const { address } of await readSitemap(service, service.service)) {
    const { status, headers } = await service.get(address.slice(SITE.length), {
      'x-api-key': service.key,
      accept: 'text/html',
    });
    expect([address, status, headers['Content-Type']]).toEqual([address, 200, 'text/html; charset=utf-8']);
  }
});

test('without the address of the service there is none, and a part of no current release is not there', async () => {
  expect((await service.get('/sitemap.xml')).status).toBe(404);
  const { status, json } = await service.ask(asked(), '/sitemap.xml?part=sites-0-1', { 'x-api-key': service.key });
  expect([status, json.detail]).toEqual([404, expect.stringContaining('/sitemap.xml lists them')]);
  const other = await service.ask(asked(), '/sitemap.xml?page=2', { 'x-api-key': service.key });
  expect([other.status, other.json.errors[0].parameter]).toEqual([400, 'page']);
});

test('it needs a key where the pages do', async () => {
  expect((await service.ask(asked(), '/sitemap.xml', {})).status).toBe(401);
  const open = await service.ask(keyless(), '/sitemap.xml', {});
  expect([open.status, entriesOf(open.text).length > 0]).toEqual([200, true]);
});

test('robots.txt names it where the pages are open, and closes them where they need a key', async () => {
  const closed = await service.ask(asked(), '/robots.txt', {});
  expect([closed.status, closed.headers['Content-Type']]).toEqual([200, 'text/plain; charset=utf-8']);
  expect(closed.text).toBe('User-agent: *\nDisallow: /data/v1/\nDisallow: /data/ogc/\n');
  const open = await service.ask(keyless(), '/robots.txt', {});
  expect(open.text.split('\n')).toContain(`Sitemap: ${SITE}/sitemap.xml`);
  expect(open.text).not.toContain('Disallow: /data/ogc/\n');
});
