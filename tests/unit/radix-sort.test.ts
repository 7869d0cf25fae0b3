import fc from 'fast-check';
import { sortDoubles } from '../../shared/search/radix-sort';

const anyKey = fc.oneof(fc.integer({ min: -3, max: 3 }), fc.double({ noNaN: true })).map((key) => key + 0);

test('sorts doubles, keeps the order of equal doubles, and leaves the keys unchanged', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(anyKey, { maxLength: 60 }), async (values) => {
      const keys = Float64Array.from(values);
      const expected = [...values.keys()].sort((a, b) => {
        const left = values[a] ?? 0;
        const right = values[b] ?? 0;
        if (left === right) return a - b;
        return left < right ? -1 : 1;
      });
      expect([...(await sortDoubles(keys))]).toEqual(expected);
      expect([...keys]).toEqual(values);
    }),
  );
});
