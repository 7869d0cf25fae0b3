import { ExportSlots } from '../../shared/files/export-slots';

beforeEach(() => jest.useFakeTimers());

afterEach(() => jest.useRealTimers());

test('gives a slot to waiting exports in turn', async () => {
  const slots = new ExportSlots(1);
  expect(slots.acquire()).toBe(true);
  const order: string[] = [];
  const first = slots.acquireWithin(1000).then((isFree) => order.push(`first ${isFree}`));
  const second = slots.acquireWithin(1000).then((isFree) => order.push(`second ${isFree}`));
  slots.release();
  await first;
  expect(slots.acquire()).toBe(false);
  slots.release();
  await second;
  slots.release();
  expect(order).toEqual(['first true', 'second true']);
  expect(slots.acquire()).toBe(true);
});

test('refuses an export that waited too long, and gives it no slot later', async () => {
  const slots = new ExportSlots(1);
  slots.acquire();
  const late = slots.acquireWithin(1000);
  jest.advanceTimersByTime(1001);
  expect(await late).toBe(false);
  slots.release();
  expect([slots.acquire(), slots.acquire()]).toEqual([true, false]);
});

test.each([
  ['no export has finished', [], 30],
  ['exports take half a second', [500, 500], 1],
  ['exports take ten seconds', [10_000], 10],
  ['an export was canceled', [undefined, 2500], 3],
  ['exports take an hour', [3_600_000], 300],
])('estimates the wait if %s', (_, durations, seconds) => {
  const slots = new ExportSlots(1);
  for (const duration of durations) {
    slots.acquire();
    slots.release(duration);
  }
  expect(slots.estimateWait()).toBe(seconds);
});
