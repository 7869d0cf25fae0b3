// Cross-origin requests (D32), preflights, HEAD, and answers that a client has already, of every operation.

import type { HttpMethod } from '@azure/functions';
import { lookupsOf, paths, siteAmount } from '../fixtures/handmade';
import { comparableHeaders, createTestService } from '../fixtures/test-service';

const service = createTestService();
const key = { 'x-api-key': service.key };

beforeAll(async () => {
  await service.load({
    ...lookupsOf(),
    'sites.csv': [{ SiteUUID: 'S1' }],
    'sitespecificamounts.csv': [siteAmount({})],
  });
});

afterAll(() => service.close());

const EXPOSED = `ETag, Link, Data-Version, X-Total-Count, X-Record-Count, RateLimit, RateLimit-Policy, Retry-After,
  Query-Hint`.split(/,\s+/);

const listOf = (text: string | undefined): readonly string[] => (text ?? '').split(/,\s*/);

test.each<[HttpMethod, string, Record<string, string>, number]>([
  ['GET', paths.site, key, 200],
  ['HEAD', paths.site, key, 200],
  ['GET', `${paths.site}?State=Nowhere`, key, 400],
  ['GET', paths.site, {}, 401],
  ['GET', '/v1/Nothing', {}, 404],
  ['POST', paths.site, {}, 405],
  ['GET', `${paths.site}?DataVersion=${'0'.repeat(32)}`, key, 410],
  ['OPTIONS', paths.allocations, {}, 204],
])('%s %s lets any origin read the answer and its headers', async (method, path, headers, status) => {
  const answer = await service.get(path, { ...headers, origin: 'https://example.org' }, method);
  expect(answer.status).toBe(status);
  expect(answer.headers['Access-Control-Allow-Origin']).toBe('*');
  expect(listOf(answer.headers['Access-Control-Expose-Headers'])).toEqual(expect.arrayContaining(EXPOSED));
});

test.each(Object.values(paths))('a preflight of %s answers 204 without a key and without a body', async (path) => {
  const preflight = {
    origin: 'https://example.org',
    'access-control-request-method': 'GET',
    'access-control-request-headers': 'x-api-key',
  };
  const { status, headers, text } = await service.get(path, preflight, 'OPTIONS');
  expect(status).toBe(204);
  expect(text).toBe('');
  expect(listOf(headers['Access-Control-Allow-Methods'])).toEqual(['GET', 'HEAD', 'OPTIONS']);
  expect(listOf(headers['Access-Control-Allow-Headers'])).toEqual(
    expect.arrayContaining(['X-API-Key', 'If-None-Match']),
  );
  expect(headers['X-Request-Id']).toMatch(/^[0-9a-f-]{36}$/);
});

const everyOperation = [
  ...Object.values(paths).flatMap((path) => [path, `${path}?format=csv`, `${path}?format=geojson`]),
  ...Object.values(paths).flatMap((path) => [`${path}/Totals?GroupBy=State`, `${path}/Facets?Facet=State`]),
  ...['/v1/Sites', '/v1/Sites?format=csv', '/v1/ReportingUnits', '/v1/Inventory', '/v1/Downloads'],
  ...['/ogc/collections/sites/items', '/ogc/collections/sites/items/ORG_1~S1'],
  ...['/ogc/collections/site-amounts/items', '/ogc/collections/sites/tiles/WebMercatorQuad/0/0/0'],
];

describe.each(everyOperation)('%s', (path) => {
  test('needs a key, and answers HEAD with the headers of GET and no body', async () => {
    expect((await service.get(path, {})).status).toBe(401);
    for (const coding of ['identity', 'br']) {
      const headers = { ...key, 'accept-encoding': coding };
      const [read, head] = [await service.get(path, headers), await service.get(path, headers, 'HEAD')];
      expect([head.status, head.text]).toEqual([read.status, '']);
      expect(comparableHeaders(head)).toEqual(comparableHeaders(read));
      if (read.status === 200) expect(Number(read.headers['Content-Length'])).toBe(read.bytes.length);
    }
  });

  test('is a 304 for whoever has the answer, by GET and by HEAD', async () => {
    const { ETag: tag = '' } = (await service.get(path, key)).headers;
    expect(tag).not.toBe('');
    for (const method of ['GET', 'HEAD'] as const) {
      const again = await service.get(path, { ...key, 'if-none-match': tag }, method);
      expect(again).toMatchObject({ status: 304, text: '', headers: { ETag: tag } });
    }
  });
});

test.each([`${paths.site}?RecordCount=0`, '/v1/Nothing', '/health'])(
  'HEAD %s has the status and the headers of GET and no body',
  async (path) => {
    const [read, head] = [await service.get(path, key), await service.get(path, key, 'HEAD')];
    expect([head.status, head.text]).toEqual([read.status, '']);
    expect(comparableHeaders(head)).toEqual(comparableHeaders(read));
  },
);
