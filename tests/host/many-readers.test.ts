// Fast and slow readers each receive their own complete answer, whatever other clients do.

import { get, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { setImmediate } from 'node:timers/promises';
import { httpFunctions } from '../../functions/http-functions';
import { type RunningServer, startServer } from '../../host/server';
import { BytesInFlight } from '../../shared/http/pipeline/bytes-in-flight';
import { httpFunction } from '../../shared/http/pipeline/pipeline';
import type { Route } from '../../shared/http/pipeline/route';
import { oneAmount, paths, siteAmount } from '../fixtures/handmade';
import { openResponse } from '../fixtures/host-process';
import { createTestService } from '../fixtures/test-service';

/** Even a page with half of these records is far larger than the buffers of a socket. */
const RECORDS = 4000;
const LONG_TEXT = 'Town '.repeat(800).trim();

const service = createTestService();
let server: RunningServer;

beforeAll(async () => {
  await service.load({
    ...oneAmount,
    'sitespecificamounts.csv': Array.from({ length: RECORDS }, (_, index) =>
      siteAmount({ Amount: index, ReportYearCV: 10_000 + index, CommunityWaterSupplySystem: LONG_TEXT }),
    ),
  });
  server = await startServer(httpFunctions, service.service, { host: '127.0.0.1', port: 0 });
});

afterAll(() => server.stop());

function pageFrom(start: number): string {
  return `${paths.site}?StartIndex=${start}&RecordCount=${RECORDS / 2}`;
}

function ask(path: string): Promise<IncomingMessage> {
  return openResponse({ port: server.port, path, headers: { 'x-api-key': service.key } });
}

test('readers get the same bytes whether others read slowly, read fast or disconnect early', async () => {
  const starts = [0, 500, 1000, 1500];
  const alone = new Map<number, string>();
  for (const start of starts) alone.set(start, await text(await ask(pageFrom(start))));
  expect(new Set(alone.values()).size).toBe(starts.length);
  for (let round = 0; round < 2; round++) {
    const waiting = await Promise.all(starts.map((start) => ask(pageFrom(start))));
    const leaving = await ask(pageFrom(round));
    leaving.destroy();
    for (const start of starts) expect((await text(await ask(pageFrom(start)))) === alone.get(start)).toBe(true);
    const late = await Promise.all(waiting.map(text));
    expect(late.map((read, index) => read === alone.get(starts[index] ?? -1))).toEqual([true, true, true, true]);
  }
});

test('answers for disconnected clients do not count against the memory limit', async () => {
  const body = Buffer.alloc(600_000);
  let asked = 0;
  let answerAll = (): void => undefined;
  const mayAnswer = new Promise<void>((resolve) => {
    answerAll = resolve;
  });
  const slowRoute: Route = {
    access: 'open',
    answer: async () => {
      asked++;
      await mayAnswer;
      return { kind: 'answer', body: Buffer.from(body), contentType: 'text/plain', headers: {} };
    },
  };
  const routes = [{ name: 'Slow', path: '', route: slowRoute }];
  const slow = httpFunction({ name: 'Slow', route: '{*path}', routes });
  const bounded = { ...service.service, bytesInFlight: new BytesInFlight(1_000_000) };
  const other = await startServer([slow], bounded, { host: '127.0.0.1', port: 0 });
  try {
    const clients = Array.from({ length: 4 }, () =>
      get({ port: other.port, agent: false }).on('error', () => undefined),
    );
    while (asked < clients.length) await setImmediate();
    const left = clients.map((client) => new Promise((resolve) => client.once('close', resolve)));
    for (const client of clients) client.destroy();
    await Promise.all(left);
    // The server notices this in a later turn of the event loop.
    for (let turn = 0; turn < 100; turn++) await setImmediate();
    answerAll();
    for (let turn = 0; turn < 10; turn++) await setImmediate();
    const answer = await openResponse({ port: other.port });
    expect(answer.statusCode).toBe(200);
    expect(await text(answer)).toHaveLength(body.length);
  } finally {
    await other.stop();
  }
});
