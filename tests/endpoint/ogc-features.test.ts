// OGC API - Features (D47, D48, D53): descriptions without a key, items of the operations, and single features.
// tests/ogc has the abstract tests of the standards: boxes, times, filters and coordinate systems, of every collection.

import { createMemory } from '../../shared/http/make-service';
import { featureCollections } from '../../shared/query/cql2/feature-collections';
import { aggregatedAmount, allocation, buildLookups, siteAmount } from '../fixtures/handmade';
import type { OgcFeature as Feature, OgcLink } from '../fixtures/ogc-service';
import type { Row } from '../fixtures/submission';
import { type Answer, createLoadedService } from '../fixtures/test-service';

const UTAH = { OrganizationUUID: 'UTwr' };
const AMOUNTS = '/ogc/collections/site-amounts/items';
const RIGHTS = '/ogc/collections/allocations/items';

function createYear(year: number): Row {
  return { ReportYearCV: year, TimeframeStart: `${year}-01-01`, TimeframeEnd: `${year}-12-31` };
}

const submission = {
  ...buildLookups(UTAH),
  'sites.csv': [
    { SiteUUID: 'S1', Longitude: '-112', Latitude: '40', SiteTypeCV: 'Well', County: 'Cache' },
    { SiteUUID: 'S2', Longitude: '179.5', Latitude: '10', SiteTypeCV: 'well' },
    { SiteUUID: 'S3', Longitude: '-179.5', Latitude: '10' },
    { SiteUUID: 'S4' },
  ],
  'sitespecificamounts.csv': ['S1', 'S1', 'S2', 'S3', 'S4'].map((site, index) =>
    siteAmount({ ...UTAH, SiteUUID: site, Amount: String(index), ...(index === 4 ? {} : createYear(2000 + index)) }),
  ),
  'waterallocations.csv': [
    allocation({ ...UTAH, AllocationNativeID: 'a/b~c%d é', SiteUUID: 'S1,S2', AllocationOwner: 'Bear River Co.' }),
    allocation({ ...UTAH, AllocationNativeID: '2', SiteUUID: 'S4', AllocationPriorityDate: '1900-05-01' }),
    allocation({ ...UTAH, AllocationUUID: 'UT_A', AllocationNativeID: '', SiteUUID: 'S4' }),
  ],
};

const service = createLoadedService(submission);

function getFeatures(answer: Answer): readonly Feature[] {
  expect([answer.status, answer.text]).toEqual([200, expect.anything()]);
  return answer.json.features as Feature[];
}

/** The amounts that a query of items matches. */
async function amounts(query: string): Promise<readonly unknown[]> {
  return getFeatures(await service.get(`${AMOUNTS}?${query}`)).map(({ properties }) => properties['Amount']);
}

function findLink({ json }: Answer, rel: string): string | undefined {
  return (json.links as OgcLink[]).find((link) => link.rel === rel)?.href.replace('http://localhost', '');
}

test.each([
  '',
  '/conformance',
  '/api',
  '/collections',
  '/collections/allocations',
  '/collections/site-amounts/queryables',
])('/ogc%s answers without a key as JSON and HTML, and refuses other parameters', async (path) => {
  const plain = await service.get(`/ogc${path}`, {});
  expect([plain.status, plain.headers['Vary']]).toEqual([200, 'Accept, Accept-Encoding']);
  expect(plain.headers['Content-Type']).toMatch(/json/);
  for (const page of [
    await service.get(`/ogc${path}?f=html`, {}),
    await service.get(`/ogc${path}/`, { accept: 'text/html,application/json;q=0.9' }),
  ]) {
    expect(page.headers['Content-Type']).toBe('text/html; charset=utf-8');
    expect(page.headers['Content-Security-Policy']).toContain("style-src 'self'");
  }
  expect((await service.get(`/ogc${path}?g=json`, {})).status).toBe(400);
  expect((await service.get(`/ogc${path}?f=xml`, {})).status).toBe(400);
  const again = await service.get(`/ogc${path}`, { 'if-none-match': plain.headers['ETag'] ?? '' });
  expect(again.status).toBe(304);
});

test('links are absolute, with the host of the request or the public address', async () => {
  const headers = { host: 'water.test:8080' };
  expect((await service.get('/ogc', headers)).text).toContain('"http://water.test:8080/ogc/collections"');
  const { status, json } = await service.get(`${AMOUNTS}?limit=1`, { ...headers, 'x-api-key': service.key });
  expect([status, json.links[0].href]).toEqual([200, `http://water.test:8080${AMOUNTS}?limit=1&f=json`]);
});

describe('while other data are published', () => {
  const areas = {
    ...buildLookups(UTAH),
    'reportingunits.csv': ['RU1', 'RU2', 'RU3'].map((id) => ({ ReportingUnitUUID: id })),
    'aggregatedamounts.csv': ['RU1', 'RU2', 'RU3'].map((id) => aggregatedAmount({ ...UTAH, ReportingUnitUUID: id })),
  };
  const publish = async (amounts: number, rights: number, aggregated: number): Promise<void> => {
    await service.load({
      ...submission,
      'sitespecificamounts.csv': submission['sitespecificamounts.csv'].slice(0, amounts),
      'waterallocations.csv': submission['waterallocations.csv'].slice(0, rights),
    });
    await service.load({ ...areas, 'aggregatedamounts.csv': areas['aggregatedamounts.csv'].slice(0, aggregated) });
  };

  test('following rel="next" gives every feature once, from the data version of the first page', async () => {
    await publish(5, 3, 3);
    const walks = featureCollections.map(({ id }) => ({ path: `/ogc/collections/${id}/items` }));
    const whole = await Promise.all(walks.map(async ({ path }) => getFeatures(await service.get(path))));
    const firstPages = await Promise.all(walks.map(({ path }) => service.get(`${path}?limit=1&key=${service.key}`)));
    await publish(1, 1, 1);
    for (const [index, { path }] of walks.entries()) {
      const features = whole[index] ?? [];
      expect(getFeatures(await service.get(path)).length).toBeLessThan(features.length);
      const walked: Feature[] = [];
      let page = firstPages[index];
      for (let pages = 0; page !== undefined && pages < 9; pages++) {
        expect(page.json).toMatchObject({ numberMatched: features.length, timeStamp: '2026-01-02T03:04:05.000Z' });
        expect(page.text).not.toContain(service.key);
        walked.push(...getFeatures(page));
        const next = findLink(page, 'next');
        page = next === undefined ? undefined : await service.get(next);
      }
      expect(walked).toEqual(features);
    }
    await publish(5, 3, 3);
  });
});

test.each<[string, string]>([
  ['limit=0', 'limit'],
  ['limit=-1', 'limit'],
  ['limit=ten', 'limit'],
  ['offset=-1', 'offset'],
  ['bbox=1,2,3', 'bbox'],
  ['bbox=1,50,2,40', 'bbox'],
  ['bbox=-200,0,1,1', 'bbox'],
  ['crs=EPSG:26912', 'crs'],
  ['datetime=2010-13-01', 'datetime'],
  ['datetime=2011-01-01/2010-01-01', 'datetime'],
  ['datetime=..', 'datetime'],
  ['filter=Amount', 'filter'],
  ['filter=Amount=1&filter-lang=sql', 'filter-lang'],
  ['f=csv', 'f'],
  ['StartIndex=1', 'StartIndex'],
  ['colour=red', 'colour'],
])('refuses %s because of %s', async (query, parameter) => {
  const { status, json } = await service.get(`${AMOUNTS}?${query}`);
  expect([status, json.errors[0].parameter]).toEqual([400, parameter]);
});

test('refuses a day that is not in the calendar, with every operator', async () => {
  const { json } = await service.get(`${AMOUNTS}?filter=${encodeURIComponent("TimeframeStart > DATE('2021-02-29')")}`);
  expect(json.errors[0].message).toContain('2021-02-29 is not a calendar date');
});

test.each<[string, readonly number[]]>([
  ['bbox=-12600000,4800000,-12400000,5000000&bbox-crs=[EPSG:3857]', [0, 1]],
  ['State=UT&MinimumAmount=3', [3, 4]],
  [`filter=${encodeURIComponent('S_INTERSECTS(POINT(40 -112), geometry)')}&filter-crs=EPSG:4326`, [0, 1]],
  // No record of the release has a value of the field.
  [`filter=${encodeURIComponent("HUC8 <> '16010202' OR HUC12 IS NOT NULL")}`, []],
])('%s finds the amounts %j', async (query, expected) => {
  expect(await amounts(query)).toEqual(expected);
});

test('a right has the points of its sites, and its lists are strings', async () => {
  const [first, second] = getFeatures(
    await service.get(`${RIGHTS}?filter=${encodeURIComponent("AllocationNativeID <> ''")}`),
  ).toSorted((a, b) => b.id.length - a.id.length);
  expect(first?.geometry).toEqual({
    type: 'MultiPoint',
    coordinates: [
      [-112, 40],
      [179.5, 10],
    ],
  });
  expect(first?.properties).toMatchObject({
    SiteUUID: ['S1', 'S2'],
    SiteTypeCV: ['Well', 'well'],
    County: ['Cache', ''],
  });
  expect([second?.id, second?.geometry]).toEqual(['UTwr~2', null]);
  const owner = encodeURIComponent("CASEI(AllocationOwner) LIKE '%river%'");
  expect(getFeatures(await service.get(`${RIGHTS}?filter=${owner}`))).toHaveLength(1);
});

test('a feature is found by its id, with any characters and in any format', async () => {
  for (const { id } of featureCollections) {
    const path = `/ogc/collections/${id}/items`;
    for (const feature of getFeatures(await service.get(path))) {
      const address = `${path}/${encodeURIComponent(feature.id)}`;
      const answer = await service.get(address);
      expect([answer.status, answer.headers['Content-Type']]).toEqual([200, 'application/geo+json']);
      expect(answer.json).toMatchObject({ ...feature });
      expect(findLink(answer, 'self')).toBe(`${address}?f=json`);
      expect((await service.get(`${address}?f=html`)).text).toContain('</dl>');
      const held = { 'if-none-match': answer.headers['ETag'] ?? '' };
      expect((await service.getWith(address, held)).status).toBe(304);
      const mercator = await service.get(`${address}?crs=EPSG:4326`);
      expect(mercator.headers['Content-Crs']).toContain('4326');
    }
    expect((await service.get(`${path}/UTwr~none`)).status).toBe(404);
  }
});

test('a page over the byte limit is cut short, and its next link continues from there', async () => {
  const pageBytes = { ...service.service.pageBytes, geojson: 5_000 };
  const ids: string[] = [];
  let path: string | undefined = AMOUNTS;
  let pages = 0;
  for (; path !== undefined && pages < 9; pages++) {
    const bounded = { ...service.service, ...createMemory(0, Infinity), pageBytes };
    const answer: Answer = await service.getFrom(bounded, path);
    expect(answer.json.numberReturned).toBe(getFeatures(answer).length);
    ids.push(...getFeatures(answer).map(({ id }) => id));
    path = findLink(answer, 'next');
  }
  expect(pages).toBeGreaterThan(1);
  expect(ids).toEqual(getFeatures(await service.get(AMOUNTS)).map(({ id }) => id));
});
