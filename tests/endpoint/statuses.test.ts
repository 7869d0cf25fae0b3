// Statuses, their precedence and the shape of errors (D31); cross-origin requests (D32), HEAD, and conditional
// requests, of every operation.

import type { HttpMethod } from '@azure/functions';
import type { Store } from '../../shared/store/port';
import { oneAmount, paths } from '../fixtures/handmade';
import { createLoadedService, createTestService, selectComparableHeaders } from '../fixtures/test-service';

describe('statuses and errors', () => {
  const service = createTestService();
  const key = { 'x-api-key': service.key };
  const NOT_HELD = '0123456789abcdef0123456789abcdef';

  const refusals: readonly [string, HttpMethod, string, Record<string, string>, number][] = [
    ['an unknown path with everything wrong', 'POST', '/v1/Nothing?x=1', {}, 404],
    ['an unknown path with a key', 'GET', '/v1/Nothing', key, 404],
    ['a path below an operation', 'GET', `${paths.site}/1`, key, 404],
    ['a method without a key', 'PUT', `${paths.site}?x=1`, {}, 405],
    ['a method with a key', 'DELETE', paths.site, key, 405],
    ['no key, a bad parameter and a version not held', 'GET', `${paths.site}?x=1&DataVersion=${NOT_HELD}`, {}, 401],
    ['a bad parameter and a version not held', 'GET', `${paths.site}?x=1&DataVersion=${NOT_HELD}`, key, 400],
    ['a version not held', 'GET', `${paths.site}?DataVersion=${NOT_HELD}`, key, 410],
  ];

  test.each(refusals)('%s (%s %s) is a problem that any origin may read', async (_, method, path, headers, status) => {
    const answer = await service.get(path, headers, method);
    expect(answer.status).toBe(status);
    expect(answer.headers['Content-Type']).toBe('application/problem+json');
    const members = ['type', 'title', 'status', 'detail', 'instance'];
    expect(Object.keys(answer.json)).toEqual(status === 400 ? [...members, 'errors'] : members);
    expect(answer.json.status).toBe(status);
    expect(answer.json.type).toMatch(/^[a-z]+:\S+$/);
    expect(answer.json.title).toMatch(/^[A-Z]/);
    expect(answer.json.detail).toMatch(/\.$/);
    expect(answer.json.instance).toBe(`urn:uuid:${answer.headers['X-Request-Id'] ?? ''}`);
    expect(answer.headers).toMatchObject({
      'Access-Control-Allow-Origin': '*',
      'Access-Control-Expose-Headers': (await service.get(paths.site)).headers['Access-Control-Expose-Headers'],
    });
  });

  test.each(Object.values(paths))('%s answers other methods with 405 and Allow', async (path) => {
    for (const method of ['PUT', 'PATCH', 'DELETE'] as const) {
      const { status, headers } = await service.get(path, {}, method);
      expect([status, headers['Allow']]).toEqual([405, 'GET, HEAD, POST, OPTIONS']);
    }
  });

  test('every answer has its own request id', async () => {
    const requests = [paths.site, paths.site, '/v1/Nothing', `${paths.site}?x=1`];
    const ids = await Promise.all(requests.map(async (path) => (await service.get(path)).headers['X-Request-Id']));
    expect(new Set(ids).size).toBe(requests.length);
    for (const id of ids) expect(id).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
  });

  test('a failure of the store is a 500 that reveals nothing internal', async () => {
    const failure = new Error('secret detail');
    const store: Store = Object.assign(Object.create(service.store), { currentState: () => Promise.reject(failure) });
    const heard: unknown[] = [];
    const logError = (_: string, error: unknown): void => {
      heard.push(error);
    };
    const testedService = { ...service.service, store, logError };
    const { status, text, json } = await service.getFrom(testedService, paths.site);
    expect([status, Object.keys(json)]).toEqual([500, ['type', 'title', 'status', 'detail', 'instance']]);
    expect(text).not.toContain('secret');
    expect(heard).toEqual([failure]);
  });
});

describe('headers and methods', () => {
  const service = createLoadedService(oneAmount);
  const key = { 'x-api-key': service.key };

  const splitList = (text: string | undefined): readonly string[] => (text ?? '').split(/,\s*/);

  test.each(Object.values(paths))('a preflight of %s answers 204 without a key and without a body', async (path) => {
    const preflight = {
      origin: 'https://example.org',
      'access-control-request-method': 'GET',
      'access-control-request-headers': 'x-api-key',
    };
    const { status, headers, text } = await service.get(path, preflight, 'OPTIONS');
    expect(status).toBe(204);
    expect(text).toBe('');
    expect(splitList(headers['Access-Control-Allow-Methods'])).toEqual(['GET', 'HEAD', 'POST', 'OPTIONS']);
    expect(splitList(headers['Access-Control-Allow-Headers'])).toEqual(
      expect.arrayContaining(['*', 'Authorization', 'X-API-Key']),
    );
    expect(headers).toMatchObject({
      'Access-Control-Allow-Origin': '*',
      'X-Request-Id': expect.stringMatching(/^[0-9a-f-]{36}$/),
    });
  });

  const everyOperation = [
    ...Object.values(paths).flatMap((path) => [path, `${path}?format=csv`, `${path}?format=geojson`]),
    ...Object.values(paths).flatMap((path) => [`${path}/Totals?GroupBy=State`, `${path}/Facets?Facet=State`]),
    '/v1/Sites',
    '/v1/Sites?format=csv',
    '/v1/ReportingUnits',
    '/v1/Inventory',
    '/v1/Downloads',
    '/ogc/collections/sites/items',
    '/ogc/collections/sites/items/ORG_1~S1',
    '/ogc/collections/site-amounts/items',
    '/ogc/collections/sites/tiles/WebMercatorQuad/0/0/0',
  ];

  describe.each(everyOperation)('%s', (path) => {
    test('needs a key, and answers HEAD with the headers of GET and no body', async () => {
      expect((await service.get(path, {})).status).toBe(401);
      for (const coding of ['identity', 'br']) {
        const headers = { ...key, 'accept-encoding': coding };
        const read = await service.get(path, headers);
        const head = await service.get(path, headers, 'HEAD');
        expect([head.status, head.text]).toEqual([read.status, '']);
        expect(selectComparableHeaders(head)).toEqual(selectComparableHeaders(read));
        expect(read.headers['Access-Control-Allow-Origin']).toBe('*');
        if (read.status === 200) expect(Number(read.headers['Content-Length'])).toBe(read.bytes.length);
      }
    });

    test('is a 304 for a client that already has the answer, for GET and HEAD', async () => {
      const { ETag: tag } = (await service.get(path, key)).headers;
      for (const method of ['GET', 'HEAD'] as const) {
        const again = await service.get(path, { ...key, 'if-none-match': tag ?? 'none' }, method);
        expect(again).toMatchObject({ status: 304, text: '', headers: { ETag: tag } });
      }
    });
  });

  test.each([`${paths.site}?RecordCount=0`, '/v1/Nothing', '/health'])(
    'HEAD %s has the status and the headers of GET and no body',
    async (path) => {
      const read = await service.get(path, key);
      const head = await service.get(path, key, 'HEAD');
      expect([head.status, head.text]).toEqual([read.status, '']);
      expect(selectComparableHeaders(head)).toEqual(selectComparableHeaders(read));
    },
  );
});
