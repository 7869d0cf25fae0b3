// Processing many items with a limited number in progress.

import { setImmediate } from 'node:timers/promises';
import { mapInParallel } from '../../shared/store/in-parallel';

test.each([
  [0, 3],
  [1, 3],
  [3, 3],
  [10, 3],
  [10, 1],
])('maps %d items in order with at most %d in progress', async (count, maxInFlight) => {
  const items = Array.from({ length: count }, (_, index) => index);
  let inFlight = 0;
  let most = 0;
  const results = await mapInParallel(items, maxInFlight, async (item) => {
    inFlight++;
    most = Math.max(most, inFlight);
    for (let turn = 0; turn <= (item * 7) % 5; turn++) await setImmediate();
    inFlight--;
    return item * 2;
  });
  expect(results).toEqual(items.map((item) => item * 2));
  expect(most).toBe(Math.min(count, maxInFlight));
});

test('throws the error of a call and starts no other call', async () => {
  const begun: number[] = [];
  const mapped = mapInParallel([0, 1, 2, 3, 4, 5], 2, async (item) => {
    begun.push(item);
    await setImmediate();
    if (item === 1) throw new Error('broken');
  });
  await expect(mapped).rejects.toThrow('broken');
  await setImmediate();
  expect(begun.length).toBeLessThanOrEqual(3);
});
