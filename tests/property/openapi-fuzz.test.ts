// Random requests from the OpenAPI document never get a 5xx, and every answer matches the document. `npm run soak`
// sends 5,000 to each operation.

import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import fc from 'fast-check';
import { makeKey } from '../../shared/access/access-keys';
import { FORM_TYPE } from '../../shared/http/pipeline/outcome';
import { DIGEST_NAME } from '../../shared/values/digest';
import { chooseSeed, countCases } from '../fixtures/soak';
import { aggregatedSubmission, allocationsSubmission, siteAmountsSubmission } from '../fixtures/submission';
import { type Answer, createTestService, requestService } from '../fixtures/test-service';
import { type DrawnRequest, drawnRequest } from '../openapi/drawn-requests';
import { openApi, whatDoesNotFit } from '../openapi/reading';

const service = createTestService();
const wrongKey = makeKey('nobody', '2025-01-01T00:00:00.000Z', null).key;
let earlierVersion: string;
/** The path of an existing download. */
let file: string;
const numRuns = countCases(5000, 0.024);

beforeAll(async () => {
  await service.load({ ...siteAmountsSubmission, ...allocationsSubmission });
  earlierVersion = (await service.store.currentState()).version;
  await service.load(aggregatedSubmission);
  await service.makeFiles();
  const { json } = await service.get('/v1/Downloads');
  file = json.Downloads[0].Files[0].Path;
});

/** Parameters for existing data versions, which random strings would never match. */
function isVersion(name: string, value: string): boolean {
  return /^(changed)?since$/i.test(name.trim()) && DIGEST_NAME.test(value);
}

function formatQuery({ items, rest, access }: DrawnRequest): string {
  const key = { query: service.key, wrong: wrongKey, header: '', none: '' }[access];
  const named = items.map(([name, value]) => [name, isVersion(name, value) ? earlierVersion : value] as const);
  const all = key === '' ? named : [...named, ['key', key] as const];
  return all.map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`).join('&') + rest;
}

/** Replaces the variables in a path of the document. */
function fillPath(path: string): string {
  if (path.includes('{zoom}')) return path.replace('{zoom}/{row}/{column}', '0/0/0');
  return path.includes('{') ? file : path;
}

/** Whether the request has its parameters in the body. */
function isPosted(path: string, { method }: DrawnRequest): boolean {
  return method === 'POST' && openApi.paths[path]?.post !== undefined;
}

async function ask(path: string, drawn: DrawnRequest): Promise<Answer> {
  const key = drawn.access === 'header' ? { 'x-api-key': service.key } : {};
  const { method } = drawn;
  const headers = { ...drawn.headers, ...key };
  const answer = isPosted(path, drawn)
    ? await requestService(service.service, fillPath(path), {
        method,
        headers: { ...headers, 'content-type': FORM_TYPE },
        body: formatQuery(drawn),
      })
    : await service.get(`${fillPath(path)}?${formatQuery(drawn)}`, headers, method);
  const decode = { br: brotliDecompressSync, gzip: gunzipSync }[answer.headers['Content-Encoding'] ?? ''];
  if (decode === undefined || answer.bytes.length === 0) return answer;
  const text = decode(answer.bytes).toString();
  const isJson = answer.headers['Content-Type']?.includes('json') === true;
  return { ...answer, text, json: isJson ? JSON.parse(text) : undefined };
}

/** The expected names in errors: a known parameter as the operation spells it, an unknown parameter as it was sent. */
function* wrongNames(path: string, drawn: DrawnRequest, { json }: Answer): Iterable<string> {
  const known = new Set([...(openApi.paths[path]?.get.parameters ?? []).map(({ name }) => name), 'key']);
  const errors = json.errors as readonly { parameter: string; message: string }[];
  if (errors.length === 0) yield 'no parameter is named';
  for (const { parameter, message } of errors) {
    const isSent = drawn.items.some(([name]) => name.trim().startsWith(parameter.trim().slice(0, 20)));
    const isNamed = known.has(parameter) || isSent || drawn.rest.includes(parameter);
    if (!isNamed) yield `${parameter} is named, and ${formatQuery(drawn)} was sent`;
    if (message === '') yield `nothing is said of ${parameter}`;
  }
}

/**
 * A browser may get a problem as a page. Descriptions mention this only in words, so that clients see one type (D80).
 */
function acceptsPages(path: string, { headers }: DrawnRequest): boolean {
  if (openApi.paths[path]?.get.description.includes('as a page') !== true) return false;
  return Object.entries(headers).some(
    ([name, value]) => name.toLowerCase() === 'accept' && value.includes('text/html'),
  );
}

/** The errors of an answer. All are checked together, because an `expect` for each took a third of the total time. */
function* listFaults(path: string, drawn: DrawnRequest, answer: Answer): Iterable<string> {
  const { method } = drawn;
  const { status, headers, text } = answer;
  if (status >= 500) yield `a failure: ${status}`;
  const isPage =
    headers['Content-Type']?.startsWith('text/html') === true &&
    [401, 404].includes(status) &&
    acceptsPages(path, drawn);
  if (status >= 400 && headers['Content-Type'] !== 'application/problem+json' && !isPage) yield 'no problem details';
  if (method === 'OPTIONS' && status !== 204) yield `OPTIONS is answered ${status}`;
  const isPost = isPosted(path, drawn);
  if (!isPost && !['OPTIONS', 'GET', 'HEAD'].includes(method) && status !== 405)
    yield `${method} is answered ${status}`;
  if (['OPTIONS', 'HEAD'].includes(method) && text !== '') yield `${method} has a body`;
  const unfit =
    (method === 'GET' || isPost) && !isPage ? whatDoesNotFit(path, answer, isPost ? 'post' : 'get') : undefined;
  if (unfit !== undefined) yield JSON.stringify(unfit);
  if ((method === 'GET' || isPost) && status === 400) yield* wrongNames(path, drawn, answer);
  if (text.includes(service.key.slice(-20))) yield 'the key is in the answer';
}

/** Keys and submissions have separate tests, on a service where they are turned on. */
const asked = Object.keys(openApi.paths).filter((path) => !/^\/v1\/(?:Keys|Submissions)\b/.test(path));

describe.each(asked)('%s', (path) => {
  test('answers random requests from the document as described', async () => {
    const seen = new Set<string>();
    const operation = openApi.paths[path]?.get ?? { operationId: '', description: '', responses: {} };
    await fc.assert(
      fc.asyncProperty(drawnRequest(operation), async (drawn) => {
        const answer = await ask(path, drawn);
        seen.add(`${drawn.method} ${answer.status}`);
        expect([...listFaults(path, drawn, answer)]).toEqual([]);
      }),
      { numRuns, seed: chooseSeed(6) },
    );
    // The random requests include both accepted and refused requests.
    const reached = Object.keys(operation.responses).filter((status) => seen.has(`GET ${status}`));
    // If a parameter is required, few random requests succeed, so they rarely include answers both with and without a
    // tag.
    const isWhole = operation.parameters?.every(({ required }) => !required) === true;
    const answered = isWhole ? ['200', '304'] : [seen.has('GET 304') ? '304' : '200'];
    const expected =
      operation.parameters === undefined
        ? ['200']
        : [...answered, '400', '401'].filter((status) => status in operation.responses);
    expect(reached).toEqual(expect.arrayContaining(expected));
  }, 1_800_000);
});
