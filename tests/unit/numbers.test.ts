// Integers in queries (D5) and numbers in submissions.

import fc from 'fast-check';
import { readInteger, readNumber } from '../../shared/values/numbers';

test.each([
  ['0', 0],
  ['007', 7],
  ['10000', 10_000],
  ['9007199254740991', 9_007_199_254_740_991],
])('reads the integer %s as %i', (text, value) => {
  expect(readInteger(text)).toBe(value);
});

test.each([
  '',
  ' 1',
  '1 ',
  '-1',
  '+1',
  '1.0',
  '1e3',
  '0x10',
  '0b1',
  '1_000',
  '1,000',
  '12abc',
  '\u0661',
  '9007199254740992',
  '9'.repeat(400),
])('refuses %j as an integer', (text) => {
  expect(readInteger(text)).toBeUndefined();
});

test.each(['-0', '-0.0', '-1e-400'])('reads the number %s as positive zero', (text) => {
  expect(Object.is(readNumber(text), 0)).toBe(true);
});

test('reads back every finite number that JavaScript writes', () => {
  fc.assert(
    fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (value) => {
      expect(readNumber(String(value))).toBe(value + 0);
    }),
  );
});
