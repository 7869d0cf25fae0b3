// Limits for one body at /mcp (D72): each message of a batch counts as a request, the answers to a batch are bounded
// together, calls run one after another and let other requests run in between, and arguments may not be nested too
// deeply.

import { RequestQueue } from '../../shared/http/pipeline/request-queue';
import type { Service } from '../../shared/http/pipeline/service';
import { buildToolCall, type McpAnswer, postMessage } from '../fixtures/mcp-client';
import { siteAmountsSubmission } from '../fixtures/submission';
import { createAccess, createLoadedService } from '../fixtures/test-service';

const tested = createLoadedService(siteAmountsSubmission);
const { service, key } = tested;

function post(message: unknown, target: Service = service, keyHeaders = { 'X-API-Key': key }): Promise<McpAnswer> {
  return postMessage(target, message, keyHeaders);
}

const WITHOUT_KEY = {} as { 'X-API-Key': string };

function createBatch(count: number): readonly object[] {
  return Array.from({ length: count }, (_, index) => buildToolCall('describe', {}, index));
}

function countAnswers({ text }: McpAnswer): number {
  return text.split('"structuredContent"').length - 1;
}

/** The number of requests left, from the header RateLimit. */
function readRequestsLeft({ headers }: McpAnswer): number {
  return Number(/"requests";r=(\d+)/.exec(headers.get('RateLimit') ?? '')?.[1]);
}

describe('a batch', () => {
  test('counts each message as a request', async () => {
    const bounded = { ...service, access: createAccess(tested, { requestsPerMinute: 20 }) };
    const first = await post(createBatch(12), bounded);
    expect(first.status).toBe(200);
    expect(countAnswers(first)).toBe(12);
    expect(readRequestsLeft(first)).toBe(8);
    const second = await post(createBatch(12), bounded);
    expect(second.status).toBe(429);
    expect(Number(second.headers.get('Retry-After'))).toBeGreaterThan(0);
  });

  test('counts notifications and messages that are not valid, too', async () => {
    const bounded = { ...service, access: createAccess(tested, { requestsPerMinute: 20 }) };
    const notification = { jsonrpc: '2.0', method: 'notifications/initialized' };
    const sent = await post([...createBatch(2), notification, notification, 7], bounded);
    expect(readRequestsLeft(sent)).toBe(15);
  });

  test('that is larger than the limit is refused, and the error states the maximum number of messages', async () => {
    const bounded = { ...service, access: createAccess(tested, { requestsPerMinute: 5 }) };
    const { status, text } = await post(createBatch(6), bounded);
    expect(status).toBe(400);
    expect(text).toContain('Send at most 5 messages.');
  });

  test('counts against the allowance without a key', async () => {
    const bounded = { ...service, access: createAccess(tested, { perHour: 10 }) };
    const first = await post(createBatch(8), bounded, WITHOUT_KEY);
    expect([first.status, readRequestsLeft(first)]).toEqual([200, 2]);
    expect((await post(createBatch(8), bounded, WITHOUT_KEY)).status).toBe(429);
  });

  test('has answers whose total size is limited', async () => {
    const sent = await post(Array.from({ length: 100 }, (_, index) => buildToolCall('describe', {}, index)));
    expect(sent.status).toBe(200);
    expect(Buffer.byteLength(sent.text)).toBeLessThan(350_000);
    expect(sent.text).toMatch(/answers to this batch have more than 250 KB/);
  });

  test('is answered one message at a time, and other requests run in between', async () => {
    let now = 0;
    let turns = 0;
    const queue = new (class extends RequestQueue {
      override giveWay(): Promise<void> {
        turns++;
        return super.giveWay();
      }
    })(1);
    // Each reading advances the clock by more than a slice.
    const clock = (): number => {
      now += 10;
      return now;
    };
    const sent = await post(createBatch(10), { ...service, queue, clock, deadlineMs: 1e9 });
    expect(countAnswers(sent)).toBe(10);
    expect(turns).toBeGreaterThanOrEqual(10);
  });
});

const nestLists = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth);
const nestObjects = (depth: number): string => '{"a":'.repeat(depth) + '1' + '}'.repeat(depth);

describe('arguments', () => {
  const sentArguments = {
    'a list of 21 levels': `{"kind":"Sites","filters":${nestLists(21)}}`,
    'a list of 15,000 levels': `{"kind":"Sites","filters":${nestLists(15_000)}}`,
    'objects of 5,000 levels': `{"kind":"Sites","filters":${nestObjects(5000)}}`,
    'a filter of 5,000 levels': `{"kind":"Sites","filters":{"State":${nestObjects(5000)}}}`,
    'a kind of 15,000 levels': `{"kind":${nestLists(15_000)}}`,
    'a limit of 15,000 levels': `{"kind":"Sites","limit":${nestLists(15_000)}}`,
    'an unknown argument of 15,000 levels': `{"kind":"Sites","more":${nestLists(15_000)}}`,
  };
  const sent = (text: string): string => {
    return `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"records","arguments":${text}}}`;
  };

  test.each(Object.entries(sentArguments))('with %s get an error that says so', async (_, text) => {
    const answer = await post(sent(text));
    expect(answer.status).toBe(200);
    expect(answer.text).toContain('nested more than 20 levels');
    expect(answer.text).toContain('"isError":true');
  });

  test('nested 20 levels deep are accepted', async () => {
    const answer = await post(sent(`{"kind":"Sites","filters":{"State":${nestLists(19)}}}`));
    expect(answer.text).not.toContain('nested');
  });

  test.each([
    ['_meta', `{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{"x":${nestLists(15_000)}}}}`],
    ['an id', `{"jsonrpc":"2.0","id":${nestLists(15_000)},"method":"tools/list"}`],
    ['a resource', `{"jsonrpc":"2.0","id":1,"method":"resources/read","params":{"uri":${nestLists(15_000)}}}`],
    ['a method that does not exist', `{"jsonrpc":"2.0","id":1,"method":"x","params":${nestObjects(5000)}}`],
    ['a result', `{"jsonrpc":"2.0","id":1,"result":${nestObjects(5000)}}`],
    ['the whole body', nestLists(16_000)],
  ])('nested too deeply in %s never cause an internal error', async (_, message) => {
    expect((await post(message)).status).toBeLessThan(500);
  });
});
