// How the explorer sends requests and handles answers and refusals. If a request is repeated, the newest answer wins; a
// request that was told to wait is sent again.

import * as fc from 'fast-check';
import { ServiceClient } from '../../explorer/requests/client';
import { parseCsv } from '../../explorer/requests/csv';
import { downloadFile } from '../../explorer/requests/downloads';
import { describeTrouble, type Reply, type Trouble } from '../../explorer/requests/reply';
import { LiveQuery, type Schedule } from '../../explorer/session/live-query';
import { answerWithJson, createServiceClient, FakeService, settlePromises } from '../fixtures/explorer-services';
import { oneAmount } from '../fixtures/handmade';
import { createLoadedService } from '../fixtures/test-service';

const real = createLoadedService({
  ...oneAmount,
  'sites.csv': [{ SiteUUID: 'S1', Longitude: -111, Latitude: 40 }],
});

const rights = { kind: 'rights', filters: { State: ['UT', 'CO'], AllocationOwner: ['A & B'] } } as const;

describe('a request', () => {
  const cases: readonly (readonly [number, object, Readonly<Record<string, string>>, Trouble])[] = [
    [401, {}, {}, { kind: 'key', fault: 'unknown' }],
    [401, { type: 'urn:water-data-query-service:problem:key-missing' }, {}, { kind: 'key', fault: 'missing' }],
    [401, { type: 'urn:water-data-query-service:problem:key-revoked' }, {}, { kind: 'key', fault: 'revoked' }],
    [401, { type: 'urn:water-data-query-service:problem:key-expired' }, {}, { kind: 'key', fault: 'expired' }],
    [
      429,
      {},
      { 'Retry-After': '7', Date: 'Fri, 02 Jan 2026 03:04:05 GMT' },
      { kind: 'limit', seconds: 7, until: Date.UTC(2026, 0, 2, 3, 4, 12) },
    ],
    [429, {}, { 'Retry-After': '7' }, { kind: 'limit', seconds: 7 }],
    [503, {}, { 'Retry-After': '2' }, { kind: 'busy', seconds: 2 }],
    [
      503,
      {},
      { 'Retry-After': 'Fri, 02 Jan 2026 03:04:15 GMT', Date: 'Fri, 02 Jan 2026 03:04:05 GMT' },
      { kind: 'busy', seconds: 10 },
    ],
    [503, {}, { 'Retry-After': '0', Date: 'Fri, 02 Jan 2026 03:04:05 GMT' }, { kind: 'busy', seconds: 5 }],
    [503, {}, { 'Retry-After': 'soon' }, { kind: 'busy', seconds: 5 }],
    [503, {}, {}, { kind: 'busy', seconds: 5 }],
    [410, {}, {}, { kind: 'gone' }],
    [500, {}, { 'X-Request-Id': 'id-1' }, { kind: 'failed', status: 500, requestId: 'id-1' }],
    [400, { detail: 'Too many.' }, {}, { kind: 'refused', reasons: ['Too many.'] }],
    [
      400,
      { errors: [{ parameter: 'HUC8', message: 'must be exactly 8 digits', value: '1' }] },
      {},
      { kind: 'refused', reasons: ['HUC8 must be exactly 8 digits (you entered “1”).'] },
    ],
  ];

  test.each(cases)('answered with %d explains what to do', async (status, body, headers, trouble) => {
    const client = new ServiceClient(
      '',
      () => '',
      new FakeService().answer(answerWithJson(body, status, headers)).send,
    );
    const reply = await client.request('v1/Inventory');
    expect(reply).toEqual(trouble);
    expect(describeTrouble(trouble).length).toBeGreaterThan(8);
  });

  test('that gets no answer explains the failure', async () => {
    const client = new ServiceClient('', () => '', new FakeService().send);
    expect(await client.request('v1/Inventory')).toEqual({ kind: 'unreachable' });
  });

  test.each(['', 'https://water.example.org/base'])('to "%s" is a POST beyond 4,000 bytes', async (base) => {
    const service = new FakeService().answer(answerWithJson({}));
    const client = new ServiceClient(base, () => 'wdk_key', service.send);
    for (let length = 3600; length <= 4100; length += 10) {
      const filter = 'x'.repeat(length);
      await client.request('v1/Sites', { SiteUUID: ['é', filter] });
    }
    const posted = service.sent.filter(({ method }) => method === 'POST');
    const got = service.sent.filter(({ method }) => method === 'GET');
    expect([posted.length > 0, got.length > 0]).toEqual([true, true]);
    expect(got.filter(({ url }) => url.length > 4000)).toEqual([]);
    for (const { url, body, headers } of posted) {
      expect(url).toBe(`${base}/v1/Sites`);
      expect(body).toMatch(/^SiteUUID=%C3%A9&SiteUUID=x+$/);
      expect(headers).toMatchObject({ 'X-API-Key': 'wdk_key', 'Content-Type': 'application/x-www-form-urlencoded' });
      expect(body).not.toContain('wdk_key');
    }
  });

  test('with a boundary of 5,000 positions is answered', async () => {
    const ring = Array.from({ length: 4999 }, (_, index) => {
      const angle = (2 * Math.PI * index) / 4999;
      return [-111 + Math.cos(angle), 40 + Math.sin(angle)];
    });
    const SearchBoundary = JSON.stringify({ type: 'Polygon', coordinates: [[...ring, ring[0]]] });
    const reply = await createServiceClient(real).request('v1/Sites', { SearchBoundary });
    expect(reply).toMatchObject({ kind: 'answer', value: { TotalSitesCount: 1 } });
  });

  test('for a GeoJSON file combines pages of one data version', async () => {
    const page = (name: string) =>
      answerWithJson({ features: [{ name }] }, 200, { 'X-Total-Count': '10001', 'Data-Version': 'v1' });
    const service = new FakeService().answer(page('a'), page('b'));
    const client = new ServiceClient('', () => '', service.send);
    const reply = await downloadFile(client, { ...rights, order: '' }, 'geojson', () => undefined);
    if (reply.kind !== 'answer') throw new Error(reply.kind);
    expect(JSON.parse(await reply.value.text())).toEqual({
      type: 'FeatureCollection',
      features: [{ name: 'a' }, { name: 'b' }],
    });
    expect(service.sent[1]?.url).toContain('DataVersion=v1&StartIndex=10000');
  });
});

test('CSV is read back as it was written, whatever the cells contain', () => {
  const quoted = (cell: string): string => (/[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell);
  const cell = fc.string({ unit: fc.constantFrom('a', '"', ',', '\n', '\r', ' ', 'é', '|') });
  fc.assert(
    fc.property(fc.array(fc.array(cell, { minLength: 2, maxLength: 4 }), { minLength: 1, maxLength: 4 }), (rows) => {
      const text = rows.map((row) => `${row.map(quoted).join()}\r\n`).join('');
      expect(parseCsv(text)).toEqual(rows);
    }),
  );
});

describe('a repeated request', () => {
  type Resolve = (reply: Reply<number>) => void;
  const answer = (value: number): Reply<number> => ({ kind: 'answer', value, version: '' });
  const quiet = { isStale: false, trouble: undefined, isLoading: false, isSlow: false };
  const never = () => new Promise<Reply<number>>(() => undefined);

  /** The pending timers, without canceled ones. A timer ends when a test calls it. */
  function clock() {
    const waits: { readonly milliseconds: number; readonly act: () => void; isPrevented: boolean }[] = [];
    const wait: Schedule = (milliseconds, act) => {
      const one = { milliseconds, act, isPrevented: false };
      waits.push(one);
      return () => {
        one.isPrevented = true;
      };
    };
    return { wait, due: () => waits.filter(({ isPrevented }) => !isPrevented) };
  }

  test('shows the answer to the newest request, whichever arrives first, and the previous answer in the meantime', async () => {
    const query = new LiveQuery<number>(() => () => undefined);
    const resolves: Resolve[] = [];
    const question = () => new Promise<Reply<number>>((resolve: Resolve) => resolves.push(resolve));
    const questions = [1, 2, 3].map(() => () => question());
    for (const one of questions) query.run(one, 'one subject');
    resolves[1]?.(answer(2));
    await settlePromises();
    expect(query.state.value).toEqual({ ...quiet, answer: undefined, isLoading: true });
    resolves[2]?.(answer(3));
    resolves[0]?.(answer(1));
    await settlePromises();
    expect(query.state.value).toEqual({ ...quiet, answer: answer(3) });
    query.rerun();
    expect(query.state.value).toEqual({ ...quiet, answer: answer(3), isLoading: true });
  });

  test('marks an answer as stale if it belongs to another subject, even if the new request is refused', async () => {
    const query = new LiveQuery<number>(() => () => undefined);
    query.run(() => Promise.resolve(answer(3)), 'Utah');
    await settlePromises();
    const refused: Reply<number> = { kind: 'refused', reasons: ['No such county.'] };
    query.run(() => Promise.resolve(refused), 'nowhere');
    expect(query.state.value).toEqual({ ...quiet, answer: answer(3), isStale: true, isLoading: true });
    await settlePromises();
    expect(query.state.value).toEqual({ ...quiet, answer: answer(3), isStale: true, trouble: refused });
    query.run(() => Promise.resolve(answer(4)), 'Idaho');
    expect(query.state.value.trouble).toBeUndefined();
    await settlePromises();
    expect(query.state.value).toEqual({ ...quiet, answer: answer(4) });
  });

  test('says after a while that it is waiting, gives up eventually, and can be repeated', async () => {
    const { wait, due } = clock();
    const query = new LiveQuery<number>(wait);
    const signals: AbortSignal[] = [];
    query.run((abort) => {
      signals.push(abort);
      return never();
    }, '');
    const [slow, silent] = due();
    slow?.act();
    expect(query.state.value).toMatchObject({ isLoading: true, isSlow: true });
    silent?.act();
    const trouble = { kind: 'silent', seconds: 45 };
    expect(query.state.value).toEqual({ ...quiet, answer: undefined, trouble });
    expect([signals.map(({ aborted }) => aborted), due()]).toEqual([[true], []]);
    query.rerun();
    expect([signals.length, due().length, query.state.value.isSlow]).toEqual([2, 2, false]);
    query.run(() => Promise.resolve(answer(1)), '');
    await settlePromises();
    expect([query.state.value, due()]).toEqual([{ ...quiet, answer: answer(1) }, []]);
  });

  test('is sent again after the time that the service demands', async () => {
    const { wait, due } = clock();
    const query = new LiveQuery<number>(wait);
    const waited: number[] = [];
    const actOnce = async (): Promise<void> => {
      const waits = due();
      waited.push(...waits.map(({ milliseconds }) => milliseconds));
      waits[0]?.act();
      await settlePromises();
    };
    const replies: Reply<number>[] = [{ kind: 'busy', seconds: 4 }, { kind: 'unreachable' }, answer(5)];
    query.run(() => Promise.resolve(replies.shift() ?? answer(0)), '');
    await settlePromises();
    expect(query.state.value.trouble).toEqual({ kind: 'busy', seconds: 4 });
    await actOnce();
    await actOnce();
    expect([waited, due()]).toEqual([[4000, 10_000], []]);
    expect(query.state.value).toEqual({ ...quiet, answer: answer(5) });
  });
});
