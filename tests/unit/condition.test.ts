// What bounds conditions, and the numbers next to a number, which make open ends of intervals closed ones.

import fc from 'fast-check';
import { allOf, comparisonsIn, depthOf, nextAbove, nextBelow, type Condition } from '../../shared/query/condition';

const irrigated: Condition = {
  ...{ kind: 'text', member: { kind: 'field', field: 'use' } },
  test: { kind: 'one of', isFolded: false, values: ['Irrigation', 'Stockwatering'] },
};
const flowing: Condition = { kind: 'number', member: { kind: 'number', column: 'flow' }, least: 1 };

test('each value of a list counts as a comparison, and nesting counts its levels', () => {
  const nested: Condition = { kind: 'all', of: [irrigated, { kind: 'not', of: { kind: 'any', of: [flowing] } }] };
  expect([comparisonsIn(irrigated), comparisonsIn(flowing), comparisonsIn(nested)]).toEqual([2, 1, 3]);
  expect([depthOf(irrigated), depthOf(nested), depthOf({ kind: 'all', of: [] })]).toEqual([1, 4, 1]);
});

test('one condition alone is itself', () => {
  expect(allOf([flowing])).toBe(flowing);
  expect(allOf([flowing, irrigated])).toEqual({ kind: 'all', of: [flowing, irrigated] });
});

test('no number lies between a number and the next one', () => {
  expect([nextAbove(1), nextAbove(0), nextBelow(0)]).toEqual([1 + Number.EPSILON, 5e-324, -5e-324]);
  fc.assert(
    fc.property(fc.double({ noNaN: true, noDefaultInfinity: true, min: -1e300, max: 1e300 }), (number) => {
      expect(nextAbove(number)).toBeGreaterThan(number);
      expect(nextBelow(nextAbove(number))).toBe(number + 0);
      const middle = number / 2 + nextAbove(number) / 2;
      expect([number + 0, nextAbove(number)]).toContain(middle + 0);
    }),
  );
});
