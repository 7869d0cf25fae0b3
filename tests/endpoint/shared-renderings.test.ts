// What several clients ask for at once is rendered once, and a failure is only that of those who waited for it.

import { createMemory } from '../../shared/http/make-service';
import type { Service } from '../../shared/http/pipeline/service';
import { SharedRenderings } from '../../shared/http/pipeline/shared-renderings';
import { createSearchCaches } from '../../shared/search/index/search-caches';
import { Deadline, DeadlinePassedError, getCurrentDeadline, withDeadline } from '../../shared/store/deadline';
import type { ReleaseReader, Store } from '../../shared/store/port';
import { allocation, buildLookups, siteAmount } from '../fixtures/handmade';
import { createTestService } from '../fixtures/test-service';

const service = createTestService();

beforeAll(() =>
  service.load({
    ...buildLookups(),
    'sites.csv': [{ SiteUUID: 'S1', Longitude: '-111', Latitude: '40' }],
    'sitespecificamounts.csv': [siteAmount({ SiteUUID: 'S1' })],
    'waterallocations.csv': [allocation({ AllocationNativeID: 'A', SiteUUID: 'S1' })],
  }),
);

const CLIENTS = 8;

test.each([
  '/ogc/collections/sites/items/ORG_1~S1?f=html',
  '/ogc/collections/sites/items/ORG_1~S1?f=json',
  '/ogc/collections/sites/items/ORG_1~S1?f=jsonld',
  '/ogc/collections/allocations/items/ORG_1~A?f=html',
  '/ogc/collections/sites/tiles/WebMercatorQuad/0/0/0',
  '/v1/SiteVariableAmounts/Totals',
  '/v1/SiteVariableAmounts/Facets',
  '/v1/Find?Query=S1',
  '/v1/Inventory',
])('%s is rendered once for all clients that ask for it at once', async (path) => {
  const { counting, getReads } = countReads();
  const first = await service.getFrom(counting, path);
  expect([path, first.status]).toEqual([path, 200]);
  const readsOfOne = getReads();
  const again = countReads();
  const answers = await Promise.all(Array.from({ length: CLIENTS }, () => service.getFrom(again.counting, path)));
  expect(answers.map(({ status, text }) => ({ status, text }))).toEqual(
    answers.map(() => ({ status: first.status, text: first.text })),
  );
  expect(again.getReads()).toBeLessThanOrEqual(readsOfOne);
});

/** The service with empty caches, and how often it read from a release. */
function countReads(): { readonly counting: Service; readonly getReads: () => number } {
  let reads = 0;
  const countCalls = (reader: ReleaseReader): ReleaseReader =>
    new Proxy(reader, {
      get: (target, name) => {
        const member: unknown = Reflect.get(target, name);
        if (typeof member !== 'function') return member;
        reads++;
        return member.bind(target) as unknown;
      },
    });
  const store = new Proxy<Store>(service.store, {
    get: (target, name) => {
      if (name === 'openRelease') {
        return async (id: string) => {
          const reader = await target.openRelease(id);
          return reader && countCalls(reader);
        };
      }
      const member: unknown = Reflect.get(target, name);
      return typeof member === 'function' ? (member.bind(target) as unknown) : member;
    },
  });
  const memory = createMemory(8e6, Infinity);
  return { counting: { ...service.service, ...memory, caches: createSearchCaches(8e6), store }, getReads: () => reads };
}

describe('a rendering', () => {
  const renderings = new SharedRenderings();
  const runWith = <Value>(isClientGone: () => boolean, render: () => Promise<Value>): Promise<Value> =>
    withDeadline(new Deadline(60_000, () => performance.now(), { isClientGone }), () => renderings.run('key', render));

  test('that fails is tried again by the next request', async () => {
    const fail = (): Promise<string> => Promise.reject(new Error('no'));
    const both = await Promise.allSettled([runWith(() => false, fail), runWith(() => false, fail)]);
    expect(both.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(
      await runWith(
        () => false,
        () => Promise.resolve('done'),
      ),
    ).toBe('done');
  });

  test('goes on when the client that began it leaves, and ends when all have left', async () => {
    let isFirstGone = false;
    let isSecondGone = false;
    let steps = 0;
    const render = async (): Promise<number> => {
      for (;;) {
        await getCurrentDeadline().giveWay();
        steps++;
        if (steps === 3) isFirstGone = true;
        if (steps === 6) isSecondGone = true;
      }
    };
    const both = [runWith(() => isFirstGone, render), runWith(() => isSecondGone, render)];
    for (const result of await Promise.allSettled(both)) {
      expect(result).toMatchObject({ status: 'rejected', reason: expect.any(DeadlinePassedError) });
    }
    expect(steps).toBe(6);
  });

  test('keeps a request no longer than its own deadline', async () => {
    let finish = (): void => undefined;
    const render = (): Promise<void> =>
      new Promise((resolve) => {
        finish = resolve;
      });
    const long = runWith(() => false, render);
    const short = withDeadline(new Deadline(5, () => performance.now()), () => renderings.run('key', render));
    await expect(short).rejects.toBeInstanceOf(DeadlinePassedError);
    finish();
    await long;
  });
});
