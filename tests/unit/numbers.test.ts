// Integers of queries (D5), numbers of submissions (submissions.md, 3) and digests.

import fc from 'fast-check';
import { DIGEST_NAME, digestName, digestNameOf, startDigest } from '../../shared/values/digest';
import { firstNotBelow, readInteger, readNumber } from '../../shared/values/numbers';

test.each([
  ['0', 0],
  ['007', 7],
  ['10000', 10_000],
  ['9007199254740991', 9_007_199_254_740_991],
])('the integer %s is %i', (text, value) => {
  expect(readInteger(text)).toBe(value);
});

test.each([
  ...['', ' 1', '1 ', '-1', '+1', '1.0', '1e3', '0x10', '0b1', '1_000', '1,000', '12abc', '\u0661', '9007199254740992'],
  '9'.repeat(400),
])('%j is not an integer', (text) => {
  expect(readInteger(text)).toBeUndefined();
});

test.each(
  Object.entries({
    ...{ '12.5': 12.5, '-12.5': -12.5, '+1': 1, '.5': 0.5, '5.': 5, '1e3': 1000, '1.5E-2': 0.015, '1E+2': 100 },
    ...{ '007': 7, '1e-400': 0 },
  }),
)('the number %s is %d', (text, value) => {
  expect(readNumber(text)).toBe(value);
});

test.each([
  ...['', '.', '-', 'e5', '1e', 'NaN', 'nan', 'Infinity', '-inf', '1e400', '0x10', '1,000', '1 000', '12abc'],
  ...['1.2.3', '--1', '\u0661'],
])('%j is not a number', (text) => {
  expect(readNumber(text)).toBeUndefined();
});

test('zero has no sign', () => {
  for (const text of ['-0', '-0.0', '-1e-400']) expect(Object.is(readNumber(text), 0)).toBe(true);
});

test('every finite number that JavaScript writes is read as itself', () => {
  fc.assert(
    fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (value) => {
      expect(readNumber(String(value))).toBe(value + 0);
    }),
  );
});

test('the first number that is not below a bound is found from any index on before which all are', () => {
  fc.assert(
    fc.property(fc.uniqueArray(fc.nat(50)), fc.nat(51), fc.nat(50), (drawn, bound, start) => {
      const numbers = Uint32Array.from(drawn).sort();
      const below = numbers.filter((number) => number < bound).length;
      expect(firstNotBelow(numbers, bound, Math.min(start, below))).toBe(below);
    }),
  );
});

describe('digests', () => {
  test('a name is the start of the SHA-256 of the UTF-8 bytes, however they came in', () => {
    expect(digestNameOf('abc')).toBe('ba7816bf8f01cfea414140de5dae2223');
    expect(digestName(startDigest().update('a').update('bc'))).toBe(digestNameOf('abc'));
    expect(digestNameOf('')).toBe('e3b0c44298fc1c149afbf4c8996fb924');
  });

  test.each(['', 'f'.repeat(31), 'f'.repeat(33), 'F'.repeat(32), 'g'.repeat(32), `${'f'.repeat(32)}\n`])(
    '%j has not the shape of a name',
    (text) => {
      expect(DIGEST_NAME.test(text)).toBe(false);
    },
  );
});
