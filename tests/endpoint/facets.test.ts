// GET <operation>/Facets (D41).

import { allocation, buildLookups, paths, siteAmount } from '../fixtures/handmade';
import type { Row } from '../fixtures/submission';
import { createLoadedService } from '../fixtures/test-service';

/** More values than a facet lists. */
const MANY = 1003;

const many: readonly Row[] = Array.from({ length: MANY }, (_, index) =>
  allocation({ AllocationNativeID: `N${index}`, SiteUUID: 'S1', BeneficialUseCategory: `Use ${index % MANY}` }),
);

const facetService = createLoadedService(
  {
    ...buildLookups(),
    'sites.csv': [
      { SiteUUID: 'S1', County: 'Cache', StateCV: 'CO' },
      { SiteUUID: 'S2', County: 'cache county' },
      { SiteUUID: 'S3', County: 'Box Elder' },
    ],
    'sitespecificamounts.csv': ['S1', 'S2', 'S3'].map((SiteUUID) => siteAmount({ SiteUUID, ReportYearCV: 2000 })),
    'waterallocations.csv': many,
  },
  {
    ...buildLookups({ OrganizationUUID: 'ORG_2', State: 'CO' }),
    'sites.csv': [{ SiteUUID: 'T1', County: 'BOX ELDER' }],
    'sitespecificamounts.csv': [siteAmount({ OrganizationUUID: 'ORG_2', SiteUUID: 'T1' })],
  },
);

const facets = `${paths.site}/Facets`;

test('a facet ignores its own filter and applies all others', async () => {
  const { text } = await facetService.get(
    `${facets}?County=Cache&OrganizationUUID=ORG_1&Facet=County&Facet=OrganizationUUID&Facet=HUC8`,
  );
  expect(text).toBe(
    '{"TotalCount":2,"Facets":[' +
      '{"Name":"County","Values":[{"Value":"Cache","Count":2},{"Value":"Box Elder","Count":1}],"MoreValues":0},' +
      '{"Name":"OrganizationUUID","Values":[{"Value":"ORG_1","Count":2}],"MoreValues":0},' +
      '{"Name":"HUC8","Values":[],"MoreValues":0}]}',
  );
});

test('counts all spellings of a value as one value over all releases, including in CSV', async () => {
  const { text } = await facetService.get(`${facets}?Facet=county&format=csv`);
  expect(text).toBe('Name,Value,Count\r\nCounty,Box Elder,2\r\nCounty,Cache,2\r\n');
});

test('lists at most 1,000 values and says how many are left out', async () => {
  const { json, headers } = await facetService.get(`${paths.allocations}/Facets?Facet=BeneficialUseCV`);
  expect([json.TotalCount, json.Facets[0].Values.length, json.Facets[0].MoreValues]).toEqual([MANY, 1000, 3]);
  expect(headers['X-Total-Count']).toBe(String(MANY));
});

test('refuses a missing facet, and facets by identifiers of rights or places', async () => {
  expect((await facetService.get(facets)).json).toEqual({ TotalCount: 4, Facets: [] });
  for (const query of ['Facet=SiteUUID', 'Facet=Year', 'Facet=County&Facet=COUNTY', 'StartIndex=0']) {
    expect((await facetService.get(`${facets}?${query}`)).status).toBe(400);
  }
});
