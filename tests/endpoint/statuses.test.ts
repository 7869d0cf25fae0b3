// Statuses, their order, and the shape of errors (D31).

import { HttpRequest, type HttpMethod } from '@azure/functions';
import { siteVariableAmountsFunctions } from '../../functions/site-variable-amounts';
import type { Store } from '../../shared/store/port';
import { paths } from '../fixtures/handmade';
import { createTestService } from '../fixtures/test-service';

const service = createTestService();
const key = { 'x-api-key': service.key };
const NOT_HELD = '0123456789abcdef0123456789abcdef';

afterAll(() => service.close());

const operations = Object.values(paths);
const refusals: readonly [string, HttpMethod, string, Record<string, string>, number][] = [
  ['an unknown path with everything wrong', 'POST', '/v1/Nothing?x=1', {}, 404],
  ['an unknown path with a key', 'GET', '/v1/Nothing', key, 404],
  ['a path below an operation', 'GET', `${paths.site}/1`, key, 404],
  ['a method without a key', 'POST', `${paths.site}?x=1`, {}, 405],
  ['a method with a key', 'DELETE', paths.site, key, 405],
  ['no key, a bad parameter and a version not held', 'GET', `${paths.site}?x=1&DataVersion=${NOT_HELD}`, {}, 401],
  ['a bad parameter and a version not held', 'GET', `${paths.site}?x=1&DataVersion=${NOT_HELD}`, key, 400],
  ['a version not held', 'GET', `${paths.site}?DataVersion=${NOT_HELD}`, key, 410],
];

describe.each(refusals)('%s (%s %s)', (_, method, path, headers, status) => {
  test(`is a ${status}, as a problem`, async () => {
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
  });
});

describe.each(operations)('%s', (path) => {
  test.each<HttpMethod>(['POST', 'PUT', 'PATCH', 'DELETE'])('answers %s with 405 and Allow', async (method) => {
    const { status, headers } = await service.get(path, {}, method);
    expect(status).toBe(405);
    expect(headers['Allow']).toBe('GET, HEAD, OPTIONS');
  });

  test('answers 200 as application/json', async () => {
    const { status, headers } = await service.get(path);
    expect(status).toBe(200);
    expect(headers['Content-Type']).toMatch(/^application\/json(; ?charset=utf-8)?$/i);
  });
});

test('every answer has an identifier of its own', async () => {
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
  const request = new HttpRequest({ method: 'GET', url: `http://localhost${paths.site}`, headers: key });
  const { status, body } = await siteVariableAmountsFunctions[0].handle(request, {
    ...service.service,
    store,
    logError,
  });
  expect(status).toBe(500);
  const text = Buffer.from(body as Uint8Array).toString(); // Every answer with a body of ours has bytes.
  expect(Object.keys(JSON.parse(text))).toEqual(['type', 'title', 'status', 'detail', 'instance']);
  expect(text).not.toContain('secret');
  expect(heard).toEqual([failure]);
});
