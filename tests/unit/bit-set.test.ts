// A set of numbers holds each of them once and gives them ascending, however they were marked.

import fc from 'fast-check';
import { BitSet, markWithin } from '../../shared/values/bytes/bit-set';

const END = 300;

const run = fc
  .tuple(fc.nat(END - 1), fc.nat(END - 1))
  .map(([a, b]): [number, number] => [Math.min(a, b), Math.max(a, b)]);

test('numbers and runs in any order, overlapping ones too, are held once and given ascending', () => {
  fc.assert(
    fc.property(fc.array(run), fc.array(fc.nat(END - 1)), (runs, numbers) => {
      const set = new BitSet(END);
      for (const [first, last] of runs) set.addRange(first, last);
      for (const number of numbers) set.add(number);
      const isHeld = (number: number): boolean =>
        numbers.includes(number) || runs.some(([first, last]) => first <= number && number <= last);
      const all = Array.from({ length: END }, (_, number) => number);
      expect([...set.numbers()]).toEqual(all.filter(isHeld));
      expect(all.filter((number) => set.has(number))).toEqual(all.filter(isHeld));
    }),
  );
});

test('the last number of a word and the first of the next are kept apart', () => {
  const set = new BitSet(128);
  set.add(31);
  set.addRange(64, 95);
  expect([30, 31, 32, 63, 64, 95, 96].map((number) => set.has(number))).toEqual([
    false,
    true,
    false,
    false,
    true,
    true,
    false,
  ]);
  expect(set.numbers()).toHaveLength(33);
});

test('a new set is empty', () => {
  expect(new BitSet(0).numbers()).toHaveLength(0);
  expect(new BitSet(70).numbers()).toHaveLength(0);
});

test('numbers within both ends are marked, from where they begin, and what is none is not', () => {
  const number = fc.oneof(fc.integer({ min: -3, max: 3 }), fc.constantFrom(NaN, -0, Infinity, -Infinity, 0.5));
  fc.assert(
    fc.property(fc.array(number, { maxLength: 100 }), number, number, (numbers, least, most) => {
      const set = new BitSet(32 + numbers.length);
      markWithin(Float64Array.from(numbers), [least, most], set, 32);
      const expected = numbers.flatMap((one, at) => (one >= least && one <= most ? [32 + at] : []));
      expect([...set.numbers()]).toEqual(expected);
    }),
  );
});
