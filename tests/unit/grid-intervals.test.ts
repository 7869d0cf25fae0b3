// One axis of a boundary's grid (ADR 0037): the interval that is found for a value is the one that holds it.

import fc from 'fast-check';
import { Intervals } from '../../shared/search/boundary/grid-axes';

const value = fc.oneof(
  fc.double({ min: -180, max: 180, noNaN: true }),
  fc.integer({ min: -3, max: 3 }),
  fc.double({ min: -1e-300, max: 1e-300, noNaN: true }),
);
// Without -0, which is 0 to the intervals.
const values = fc.array(value, { minLength: 1, maxLength: 60 }).map((list) => list.map((one) => one + 0));

test('a value lies in the last interval that begins at it or before, for any values and questions', () => {
  fc.assert(
    fc.property(values, fc.integer({ min: 1, max: 40 }), fc.array(value), (from, most, asked) => {
      const intervals = new Intervals(Float64Array.from(from), most);
      const all = [...from, ...asked, ...intervals.starts];
      const wanted = all.map((one) => intervals.starts.findLastIndex((start) => start <= one));
      expect(all.map((one) => intervals.indexOf(one))).toEqual(wanted);
    }),
    { numRuns: 300 },
  );
});

test('intervals begin at the least value and at the greatest, ascending, and are at most twice as many as wanted', () => {
  fc.assert(
    fc.property(values, fc.integer({ min: 1, max: 40 }), (from, most) => {
      const { starts } = new Intervals(Float64Array.from(from), most);
      expect([starts[0], starts.at(-1)]).toEqual([Math.min(...from), Math.max(...from)]);
      expect([...starts]).toEqual([...new Set(starts)].sort((a, b) => a - b));
      expect(starts.length).toBeLessThanOrEqual(2 * most + 1);
    }),
  );
});

test('a value before the first interval lies in none, nor does what is not a number', () => {
  const intervals = new Intervals(Float64Array.of(1, 2, 3), 2);
  expect([intervals.indexOf(0.9), intervals.indexOf(NaN), intervals.indexOf(-Infinity)]).toEqual([-1, -1, -1]);
  expect(intervals.indexOf(Infinity)).toBe(intervals.count - 1);
});
