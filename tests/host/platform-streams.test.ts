// Requests and answers as HTTP streams of the Azure Functions library: a slow reader costs no memory, a body is read up
// to its limit, and clients notice if an answer ends early.

import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { httpFunctions } from '../../functions/http-functions';
import { createPlatformHandler, InvocationResponses } from '../../functions/platform-handler';
import type { HttpFunction, HttpResponse } from '../../shared/http/pipeline/service';
import { FunctionsLibrary, StandInCore } from '../fixtures/functions-library';
import { allocation, buildLookups } from '../fixtures/handmade';
import { createTestService } from '../fixtures/test-service';

const mockCore = new StandInCore();
jest.mock('@azure/functions-core', () => mockCore, { virtual: true });

const MEBIBYTE = 1024 * 1024;
const CHUNK_BYTES = 64 * 1024;

/**
 * The maximum memory for an answer that is not read: the socket buffers on both sides, up to 10 MB by default on Linux.
 */
const MAX_SOCKET_BYTES = 24 * MEBIBYTE;

const service = createTestService();
let library: FunctionsLibrary;
let responses: InvocationResponses;

beforeAll(async () => {
  const { app } = await import('@azure/functions');
  library = new FunctionsLibrary(mockCore, app);
  responses = new InvocationResponses();
  for (const declared of httpFunctions) library.register(declared.name, createHandler(declared));
  await service.load({
    ...buildLookups(),
    'sites.csv': [{ SiteUUID: 'S1', StateCV: 'UT', Longitude: -111, Latitude: 40 }],
    'waterallocations.csv': [allocation({ AllocationNativeID: '36/2551', SiteUUID: 'S1' })],
  });
});

afterAll(() => {
  library.close();
});

function createHandler(declared: Pick<HttpFunction, 'handle'>): ReturnType<typeof createPlatformHandler> {
  return createPlatformHandler(declared, () => service.service, responses);
}

/** A stream of this many bytes that counts how many were requested. */
class CountedSource extends Readable {
  produced = 0;

  constructor(
    private readonly bytes: number,
    private readonly failAt = Infinity,
  ) {
    super({ highWaterMark: CHUNK_BYTES });
  }

  override _read(): void {
    if (this.produced >= this.failAt) {
      this.destroy(new Error('the source failed'));
      return;
    }
    if (this.produced >= this.bytes) {
      this.push(null);
      return;
    }
    this.produced += CHUNK_BYTES;
    this.push(Buffer.alloc(CHUNK_BYTES, 1));
  }
}

function registerSource(name: string, source: Readable): void {
  const answer: HttpResponse = { status: 200, headers: { 'content-type': 'text/plain' }, body: source };
  library.register(name, createHandler({ handle: () => Promise.resolve(answer) }));
}

/** Waits until nothing more is produced. */
async function untilStill(sources: readonly CountedSource[]): Promise<readonly number[]> {
  let before: readonly number[] = [];
  let now = sources.map(({ produced }) => produced);
  while (before.join() !== now.join() || now.includes(0)) {
    await pause(200);
    before = now;
    now = sources.map(({ produced }) => produced);
  }
  return now;
}

test('ten stalled readers keep no more of an answer in memory than their socket buffers hold', async () => {
  const bytes = 256 * MEBIBYTE;
  const sources = Array.from({ length: 10 }, () => new CountedSource(bytes));
  const readers: IncomingMessage[] = [];
  for (const [index, source] of sources.entries()) {
    registerSource(`slow-${index}`, source);
    const { response } = await library.invoke(`slow-${index}`, { path: '/slow' });
    readers.push(await response);
  }
  const produced = await untilStill(sources);
  expect(produced.filter((amount) => amount > MAX_SOCKET_BYTES)).toEqual([]);
  for (const reader of readers) reader.destroy();
  while (sources.some((source) => !source.destroyed)) await pause(20);
  const after = await untilStill(sources);
  expect(after.filter((amount, index) => amount > (produced[index] ?? 0) + 4 * CHUNK_BYTES)).toEqual([]);
});

test('a reader that continues after a pause gets every byte', async () => {
  const source = new CountedSource(64 * MEBIBYTE);
  registerSource('paused', source);
  const { response, handled } = await library.invoke('paused', { path: '/paused' });
  const reader = await response;
  await untilStill([source]);
  expect((await buffer(reader)).length).toBe(64 * MEBIBYTE);
  await handled;
});

test('an answer whose source fails is aborted instead of ending normally', async () => {
  const source = new CountedSource(64 * MEBIBYTE, 2 * MEBIBYTE);
  registerSource('failing', source);
  const { response, handled } = await library.invoke('failing', { path: '/failing' });
  const results = await Promise.allSettled([response.then(buffer), handled]);
  expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
});

const FORM = { 'x-api-key': service.key, 'content-type': 'application/x-www-form-urlencoded' };

test('a POST is answered with the parameters in its body, with a boundary of 5,000 positions', async () => {
  const ring = Array.from({ length: 4999 }, (_, index) => {
    const angle = (2 * Math.PI * index) / 4999;
    return [-111 + Math.cos(angle), 40 + Math.sin(angle)];
  });
  const boundary = JSON.stringify({ type: 'Polygon', coordinates: [[...ring, ring[0]]] });
  const path = '/v1/SiteAllocationAmounts';
  const { request, response } = await library.invoke('SiteAllocationAmounts', { path, method: 'POST', headers: FORM });
  request.end(new URLSearchParams({ SearchBoundary: boundary }).toString());
  const answer = await response;
  const body = JSON.parse((await buffer(answer)).toString()) as { readonly TotalWaterAllocationsCount: number };
  expect([answer.statusCode, answer.headers['cache-control'], body.TotalWaterAllocationsCount]).toEqual([
    200,
    'no-store',
    1,
  ]);
});

test('a body of more than 1 MiB is refused while it is being sent, and no more of it is read', async () => {
  const source = new CountedSource(256 * MEBIBYTE);
  const path = '/v1/SiteAllocationAmounts';
  const { request, response } = await library.invoke('SiteAllocationAmounts', { path, method: 'POST', headers: FORM });
  source.pipe(request);
  const answer = await response;
  expect(answer.statusCode).toBe(413);
  expect(JSON.parse((await buffer(answer)).toString())).toMatchObject({ status: 413 });
  expect(source.produced).toBeLessThan(MAX_SOCKET_BYTES);
  source.destroy();
});

test.each([
  [
    'decoded, with the raw address',
    '36/2551',
    { 'x-waws-unencoded-url': '/ogc/collections/allocations/items/ORG_1~36%2F2551' },
  ],
  ['decoded, without the raw address', '36/2551', {}],
  ['as it was sent', '36%2F2551', {}],
])('a right whose identifier has a slash opens when its address arrives %s', async (_, id, headers) => {
  const path = `/ogc/collections/allocations/items/ORG_1~${id}?f=json`;
  const all = { 'x-api-key': service.key, ...headers };
  const { response } = await library.invoke('Ogc', { path, headers: all });
  const answer = await response;
  const feature = JSON.parse((await buffer(answer)).toString()) as { readonly id: string };
  expect([answer.statusCode, feature.id]).toEqual([200, 'ORG_1~36/2551']);
});
