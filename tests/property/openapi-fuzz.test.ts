// Requests drawn from the OpenAPI document: never a 5xx, and every answer is as the document says. `npm run soak` asks
// 5,000 of each operation.

import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { join } from 'node:path';
import fc from 'fast-check';
import { makeMissingFiles } from '../../data-loaders/files/make-files';
import { SILENT } from '../../data-loaders/stage/progress';
import { makeKey } from '../../shared/access/access-keys';
import { LocalDownloads } from '../../shared/store/local-downloads';
import { DIGEST_NAME } from '../../shared/values/digest';
import { drawnRequest, type DrawnRequest } from '../openapi/drawn-requests';
import { openApi, whatDoesNotFit } from '../openapi/reading';
import { soakCases, soakSeed } from '../fixtures/soak';
import { aggregatedSubmission, allocationsSubmission, siteAmountsSubmission } from '../fixtures/submission';
import { createTestService, type Answer } from '../fixtures/test-service';

const service = createTestService();
const wrongKey = makeKey('nobody', '2025-01-01T00:00:00.000Z', null).key;
let formerVersion: string;
/** The path of a file that can be downloaded. */
let file: string;
const numRuns = soakCases(5000, 0.04);

beforeAll(async () => {
  await service.load({ ...siteAmountsSubmission, ...allocationsSubmission });
  formerVersion = (await service.store.currentState()).version;
  await service.load(aggregatedSubmission);
  const files = new LocalDownloads(join(service.folder, 'data'));
  await makeMissingFiles({ store: service.store, files, progress: SILENT, isToStop: () => false });
  const { json } = await service.get('/v1/Downloads');
  file = json.Downloads[0].Files[0].Path;
});

afterAll(() => service.close());

/** Changes are asked since a version that is held, which nobody can draw. */
function isVersion(name: string, value: string): boolean {
  return /^(changed)?since$/i.test(name.trim()) && DIGEST_NAME.test(value);
}

function queryOf({ items, rest, access }: DrawnRequest): string {
  const key = { query: service.key, wrong: wrongKey, header: '', none: '' }[access];
  const named = items.map(([name, value]) => [name, isVersion(name, value) ? formerVersion : value] as const);
  const all = key === '' ? named : [...named, ['key', key] as const];
  return all.map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`).join('&') + rest;
}

async function ask(path: string, drawn: DrawnRequest): Promise<Answer> {
  const key = drawn.access === 'header' ? { 'x-api-key': service.key } : {};
  const asked = path.includes('{zoom}')
    ? path.replace('{zoom}/{row}/{column}', '0/0/0')
    : path.includes('{')
      ? file
      : path;
  const answer = await service.get(`${asked}?${queryOf(drawn)}`, { ...drawn.headers, ...key }, drawn.method);
  const decode = { br: brotliDecompressSync, gzip: gunzipSync }[answer.headers['Content-Encoding'] ?? ''];
  if (decode === undefined || answer.bytes.length === 0) return answer;
  const text = decode(answer.bytes).toString();
  const isJson = answer.headers['Content-Type']?.includes('json') === true;
  return { ...answer, text, json: isJson ? JSON.parse(text) : undefined };
}

/** Every wrong parameter is named as the operation spells it, or, when it has none of the name, as it was sent. */
function expectNamed(path: string, drawn: DrawnRequest, { json }: Answer): void {
  const known = new Set([...(openApi.paths[path]?.get.parameters ?? []).map(({ name }) => name), 'key']);
  const sent = queryOf(drawn);
  expect(json.errors.length).toBeGreaterThan(0);
  for (const { parameter, message } of json.errors as { parameter: string; message: string }[]) {
    const isSent = drawn.items.some(([name]) => name.trim().startsWith(parameter.trim().slice(0, 20)));
    const isNamed = known.has(parameter) || isSent || drawn.rest.includes(parameter);
    expect({ sent, parameter, isNamed }).toEqual({ sent, parameter, isNamed: true });
    expect(message).not.toBe('');
  }
}

describe.each(Object.keys(openApi.paths))('%s', (path) => {
  test('answers as described whatever is drawn from the document', async () => {
    const seen = new Map<string, number>();
    const operation = openApi.paths[path]?.get ?? { responses: {} };
    await fc.assert(
      fc.asyncProperty(drawnRequest(operation), async (drawn) => {
        const { method } = drawn;
        const answer = await ask(path, drawn);
        seen.set(`${method} ${answer.status}`, (seen.get(`${method} ${answer.status}`) ?? 0) + 1);
        expect(answer.status).toBeLessThan(500);
        if (answer.status >= 400) expect(answer.headers['Content-Type']).toBe('application/problem+json');
        if (method === 'OPTIONS') expect(answer).toMatchObject({ status: 204, text: '' });
        else if (method !== 'GET' && method !== 'HEAD') expect(answer.status).toBe(405);
        else if (method === 'HEAD') expect(answer.text).toBe('');
        else expect(whatDoesNotFit(path, answer)).toBeUndefined();
        if (method === 'GET' && answer.status === 400) expectNamed(path, drawn, answer);
        expect(answer.text).not.toContain(service.key.slice(-20));
      }),
      { numRuns, seed: soakSeed(6) },
    );
    // The drawn requests include accepted and refused ones.
    const reached = Object.keys(operation.responses).filter((status) => seen.has(`GET ${status}`));
    // Few draws have a parameter that must be there, and fewer of them a tag beside it.
    const isOften304 = operation.parameters?.every(({ required }) => !required) === true;
    const expected =
      operation.parameters === undefined
        ? ['200']
        : ['200', '400', '401', ...(isOften304 ? ['304'] : [])].filter((status) => status in operation.responses);
    expect(reached).toEqual(expect.arrayContaining(expected));
  }, 1_800_000);
});
