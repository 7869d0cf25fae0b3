// Pages of single things that a submission made as large as it could: they are answered, and have bounds.

import { buildLookups, siteAmount } from '../fixtures/handmade';
import { createTestService } from '../fixtures/test-service';

const MAX_PAGE_BYTES = 500_000;

const service = createTestService();

const latitudes = ['90', '-90', '89.99999999', '-89.99999999', '89.999999999999'];

beforeAll(() =>
  service.load({
    ...buildLookups(),
    'sites.csv': latitudes.map((Latitude) => ({ SiteUUID: `at ${Latitude}`, Longitude: '-111', Latitude })),
    'sitespecificamounts.csv': latitudes.flatMap((latitude) => [
      siteAmount({ SiteUUID: `at ${latitude}`, TimeframeStart: '2001-01-01', Amount: '1e308' }),
      siteAmount({ SiteUUID: `at ${latitude}`, TimeframeStart: '2002-01-01', Amount: '-1e308' }),
    ]),
  }),
);

test.each(latitudes)('the page of a site at latitude %s is answered and has bounds', async (latitude) => {
  for (const collection of ['sites/items/ORG_1~at', 'site-amounts/items?f=html&SiteUUID=at']) {
    const path = `/ogc/collections/${collection}${encodeURIComponent(` ${latitude}`)}`;
    const { status, text } = await service.get(path);
    expect([path, status]).toEqual([path, 200]);
    expect(text.length).toBeLessThan(MAX_PAGE_BYTES);
  }
});
