import fc from 'fast-check';
import { sortByKey } from '../../shared/search/order-records';

test('indices stand in the order of their keys, those of equal keys in their own', async () => {
  const key = fc.oneof(fc.double({ noNaN: true }), fc.integer({ min: -3, max: 3 }));
  await fc.assert(
    fc.asyncProperty(fc.array(key, { maxLength: 200 }), async (drawn) => {
      const keys = drawn.map((each) => each + 0);
      const keyOf = (index: number): number => keys[index] ?? NaN;
      const ordered = (a: number, b: number): number => (keyOf(a) === keyOf(b) ? a - b : keyOf(a) < keyOf(b) ? -1 : 1);
      const expected = keys.map((_, index) => index).sort(ordered);
      expect([...(await sortByKey(Float64Array.from(keys)))]).toEqual(expected);
    }),
    { numRuns: 60 },
  );
});
