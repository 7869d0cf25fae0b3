// Cache entries take no more memory than the caches count for them.

import { LeastRecentlyUsedCache } from '../../shared/values/least-recently-used-cache';
import { paths } from '../fixtures/handmade';
import { countKeptBytes } from '../fixtures/kept-buffers';
import { createLoadedService } from '../fixtures/test-service';
import { createStateSubmission } from '../fixtures/two-states';

/** The memory of an entry's objects, such as its headers, which caches count approximately. */
const OBJECT_BYTES = 256;

const { getWith, load } = createLoadedService(createStateSubmission('UT', 60));

const queries = [
  '',
  '?RecordCount=2',
  '?State=UT',
  '?County=Adams',
  '?StartDate=2000-01-01&EndDate=2010-12-31',
  '?SearchBoundary=POLYGON((-114 36,-108 36,-108 42,-114 42,-114 36))',
  '?SearchBoundary=state:UT',
  '?OrderBy=Amount',
  '?OrderBy=-StartDate&RecordCount=3',
  '?AmountFrom=1&AmountTo=100000',
  '?format=csv',
  '?format=geojson',
];

const others = [
  '/',
  '/docs',
  '/docs/pages.css',
  '/sitemap.xml',
  '/v1/Inventory',
  '/v1/Sites',
  '/v1/Sites?q=S1',
  '/v1/ReportingUnits',
  '/v1/Find?q=s',
  '/v1/Downloads',
  '/ogc',
  '/ogc/collections',
  '/ogc/collections/sites/items',
  '/ogc/collections/sites/tiles/WebMercatorQuad/0/0/0',
  '/ogc/collections/sites/tiles/WebMercatorQuad/4/6/3',
  '/releases.atom',
  '/data.json',
];

test('no cache entry holds more bytes of buffers than it counts', async () => {
  await load(createStateSubmission('CO', 40));
  const added: { readonly key: string; readonly kept: number; readonly counted: number }[] = [];
  const set = jest.spyOn(LeastRecentlyUsedCache.prototype, 'set');
  const operations = Object.values(paths).flatMap((path) => [
    ...queries.map((query) => `${path}${query}`),
    `${path}/Totals?GroupBy=State`,
    `${path}/Facets?Fields=State`,
  ]);
  for (const path of [...operations, ...others]) {
    for (const coding of ['identity', 'gzip', 'br']) {
      for (let time = 0; time < 2; time++) await getWith(path, { 'accept-encoding': coding });
    }
  }
  for (const [key, value, counted] of set.mock.calls) added.push({ key, kept: countKeptBytes(value), counted });
  set.mockRestore();
  const kinds = new Set(added.map(({ key }) => key.split(' ', 1)[0]));
  expect([...kinds]).toEqual(expect.arrayContaining(['records', 'artifacts', 'orders', 'placeChunks']));
  expect(added.filter(({ kept, counted }) => kept > counted + OBJECT_BYTES)).toEqual([]);
});
