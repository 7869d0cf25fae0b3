// Cross-origin requests (D32), preflights, HEAD.

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
    expect.arrayContaining(['X-API-Key', 'If-None-Match', 'If-Match', 'If-Unmodified-Since']),
  );
  expect(headers['X-Request-Id']).toMatch(/^[0-9a-f-]{36}$/);
});

test.each<[string, Record<string, string>]>([
  [paths.site, key],
  [`${paths.site}?StartIndex=5`, key],
  [`${paths.site}?RecordCount=0`, key],
  [paths.aggregated, {}],
  ['/v1/Nothing', {}],
])('HEAD %s has the status and the headers of GET and no body', async (path, headers) => {
  const read = await service.get(path, headers);
  const head = await service.get(path, headers, 'HEAD');
  expect(head.status).toBe(read.status);
  expect(head.text).toBe('');
  expect(comparableHeaders(head)).toEqual(comparableHeaders(read));
  expect(Number(read.headers['Content-Length'])).toBe(Buffer.byteLength(read.text));
});
