// The order of D17.

import fc from 'fast-check';
import { anyText } from '../fixtures/any-text';
import { compareUtf8 } from '../../shared/values/text';

const texts = anyText({ maxLength: 8 });

test.each([
  ['', 'a'],
  ['A', 'a'],
  ['Z', 'a'],
  ['a', 'aa'],
  ['10', '9'],
  ['z', '\u00e9'],
  ['\uffff', '\u{10000}'],
  ['\ue000', '\u{1F4A7}'],
  ['a\uff01', 'a\u{1F4A7}'],
  ['\u{1F4A7}', '\u{1F4A8}'],
])('%j stands before %j', (one, other) => {
  expect(compareUtf8(one, other)).toBeLessThan(0);
  expect(compareUtf8(other, one)).toBeGreaterThan(0);
});

test('the order is that of the UTF-8 bytes, for texts with astral characters too', () => {
  fc.assert(
    fc.property(texts, texts, texts, (start, one, other) => {
      const bytes = Buffer.compare(Buffer.from(start + one), Buffer.from(start + other));
      expect(Math.sign(compareUtf8(start + one, start + other))).toBe(bytes);
    }),
    { numRuns: 2_000 },
  );
});
