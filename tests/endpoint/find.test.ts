// GET /v1/Find: what is found by name, and in which order (D60).

import { allocation, aggregatedAmount, lookupsOf, siteAmount } from '../fixtures/handmade';
import { createTestService } from '../fixtures/test-service';

const service = createTestService();

const OWNERS = ['Bear River Canal Co.', 'Bear River', 'Ann Harney'];

beforeAll(async () => {
  await service.load({
    ...lookupsOf({ OrganizationUUID: 'UT_1', OrganizationName: 'Utah Office', State: 'UT' }),
    'sites.csv': [
      { SiteUUID: 'UTss_1', SiteNativeID: '0042', SiteName: "O'Neil Ditch at Río Harney", County: 'Cache' },
      { SiteUUID: 'UTss_2', SiteName: 'Harney Ditch', StateCV: 'WY', County: 'Rich' },
      { SiteUUID: 'UTss_3', SiteName: 'Ditch of Harney', HUC12: '160102020305' },
      { SiteUUID: 'Harney', SiteName: 'Well' },
    ],
    'sitespecificamounts.csv': ['UTss_1', 'UTss_2', 'UTss_3', 'UTss_3'].map((SiteUUID, at) =>
      siteAmount({ OrganizationUUID: 'UT_1', SiteUUID, TimeframeStart: `200${at}-01-01` }),
    ),
    'waterallocations.csv': [
      ...OWNERS.map((AllocationOwner, at) =>
        allocation({ OrganizationUUID: 'UT_1', AllocationUUID: `UTwr_${at}`, AllocationOwner, SiteUUID: 'UTss_2' }),
      ),
      allocation({ OrganizationUUID: 'UT_1', AllocationNativeID: '0042-a', SiteUUID: 'Harney' }),
    ],
  });
  await service.load({
    ...lookupsOf({ OrganizationUUID: 'OR_1', OrganizationName: 'Oregon Office', State: 'OR' }),
    'reportingunits.csv': [
      { ReportingUnitUUID: 'RU1', ReportingUnitTypeCV: 'County', ReportingUnitName: 'Harney', StateCV: 'OR' },
    ],
    'aggregatedamounts.csv': [aggregatedAmount({ OrganizationUUID: 'OR_1' })],
  });
});

interface Found {
  readonly Kind: string;
  readonly Name: string | null;
  readonly Identifier: string | null;
}

async function found(query: string): Promise<readonly string[]> {
  const { status, json, text } = await service.get(`/v1/Find?${query}`);
  if (status !== 200) throw new Error(text);
  return (json.Found as readonly Found[]).map(({ Kind, Name, Identifier }) => `${Kind} ${Name ?? Identifier ?? ''}`);
}

test('orders by how well a name meets the query, then by records, then by kind', async () => {
  expect(await found('Query=Harney')).toEqual([
    ...['Site Well', 'ReportingUnit Harney', 'County Harney', 'Site Harney Ditch'],
    ...['Site Ditch of Harney', "Site O'Neil Ditch at Río Harney", 'Owner Ann Harney'],
  ]);
  expect(await found('Query=dit harn')).toEqual([
    ...['Site Ditch of Harney', "Site O'Neil Ditch at Río Harney", 'Site Harney Ditch'],
  ]);
});

test.each([
  ['RIO oneil', "Site O'Neil Ditch at Río Harney"],
  ['o’neil', "Site O'Neil Ditch at Río Harney"],
  ['UTss-2', 'Site Harney Ditch'],
  ['utwr 1', 'Right UTwr_1'],
])('%s is found without regard to letter case, diacritics and punctuation', async (query, name) => {
  expect(await found(`Query=${encodeURIComponent(query)}`)).toEqual([name]);
});

test('a find says whose it is, where it lies, and which records its filter finds', async () => {
  const { json } = await service.get('/v1/Find?Query=harney+ditch');
  expect(json).toEqual({
    TotalFoundCount: 3,
    Found: [
      {
        ...{ Kind: 'Site', OrganizationUUID: 'UT_1', Identifier: 'UTss_2', Name: 'Harney Ditch', State: 'WY' },
        ...{ County: 'Rich', Filter: 'OrganizationUUID=UT_1&SiteUUID=UTss_2' },
        RecordsCounts: { SiteVariableAmounts: 1, AggregatedAmounts: 0, SiteAllocationAmounts: 3 },
      },
      expect.objectContaining({ Name: 'Ditch of Harney' }),
      expect.objectContaining({ Name: "O'Neil Ditch at Río Harney" }),
    ],
  });
});

test('pages have links and counts, and an answer is not sent twice to who has it', async () => {
  const path = '/v1/Find?Query=harney&RecordCount=2&StartIndex=1';
  const { headers } = await service.get(path);
  expect(headers['X-Total-Count']).toBe('7');
  expect(headers['X-Record-Count']).toBe('2');
  expect(headers['Link']).toContain('/v1/Find?Query=harney&StartIndex=3&RecordCount=2&DataVersion=');
  expect(await found('Query=harney&RecordCount=2&StartIndex=1')).toEqual(['ReportingUnit Harney', 'County Harney']);
  expect((await service.getWith(path, { 'If-None-Match': headers['ETag'] ?? '' })).status).toBe(304);
  expect((await service.get('/v1/Find?Query=harney', {})).status).toBe(401);
});

test.each([
  ['', 'Query', 'is required: words of a name'],
  ['Query=%2D', 'Query', 'must have a letter or a digit'],
  [`Query=${'a+'.repeat(33)}`, 'Query', 'must have at most 32 words'],
  ['Query=a&Kind=Town', 'Kind', 'must be Site, ReportingUnit, Right, Owner'],
  ['Query=a&RecordCount=101', 'RecordCount', 'must be a whole number from 1 to 100'],
])('refuses %p', async (query, parameter, message) => {
  const { status, json } = await service.get(`/v1/Find?${query}`);
  expect(status).toBe(400);
  expect(json.errors).toMatchObject([{ parameter, message: expect.stringContaining(message) as string }]);
});

test.each([
  ['sites', 'Site'],
  ['reporting-units', 'ReportingUnit'],
  ['allocations', 'Right'],
])('q finds the features of %s that a find of their kind finds', async (collection, kind) => {
  for (const words of ['harney', 'dit harn', 'oneil', 'utss', 'utwr 1', '0042', '0042 a', 'nothing']) {
    const query = encodeURIComponent(words);
    const items = await service.get(`/ogc/collections/${collection}/items?q=${query}`);
    const { json } = await service.get(`/v1/Find?Kind=${kind}&Query=${query}`);
    expect({ words, matched: items.json.numberMatched }).toEqual({ words, matched: json.TotalFoundCount });
    const ids = (items.json.features as readonly { readonly id: string }[]).map(({ id }) => id.split('~')[1]);
    const identifiers = (json.Found as readonly Found[]).flatMap(({ Identifier }) => Identifier ?? []);
    expect(ids).toEqual(expect.arrayContaining(identifiers));
  }
});

test('q goes together with filters and pages, and amounts, which have no names, do not take it', async () => {
  const both = await service.get('/ogc/collections/sites/items?q=harney&filter=State%3D%27WY%27&limit=1');
  expect(both.json).toMatchObject({ numberMatched: 1, features: [{ id: 'UT_1~UTss_2' }] });
  const page = await service.get('/ogc/collections/sites/items?q=harney&limit=1');
  const next = (page.json.links as readonly { rel: string; href: string }[]).find(({ rel }) => rel === 'next');
  expect(next?.href).toContain('q=harney');
  expect((await service.get('/ogc/collections/site-amounts/items?q=harney')).json.errors).toMatchObject([
    { parameter: 'q' },
  ]);
  expect((await service.get('/ogc/collections/sites/items?q=--')).json.errors).toMatchObject([{ parameter: 'q' }]);
});
