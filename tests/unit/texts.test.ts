// How texts are compared and ordered: folding (D8, D9, D12), the order of D17, and states (D10).

import fc from 'fast-check';
import { readStateCode, stateCodeOf, stateName } from '../../shared/values/states';
import { compareUtf8, foldCounty, foldText } from '../../shared/values/text';
import { anyText } from '../fixtures/any-text';

describe('folding', () => {
  test.each([
    ['Irrigation', ' irrigation '],
    ['STREAM GAGE', 'Stream  \t\u00a0gage'],
    ['Caf\u00e9', 'CAFE\u0301'],
    ['\u00c5ngstr\u00f6m', '\u212bNGSTRO\u0308M'],
    ['a\nb', 'A B'],
  ])('D8: %j is %j', (one, other) => {
    expect(foldText(one)).toBe(foldText(other));
  });

  test.each([
    ['Caf\u00e9', 'Cafe'],
    ['stream gage', 'streamgage'],
    ['Irrigation', 'Irrigation.'],
    ['A,B', 'A, B'],
    ['A-B', 'A B'],
    ['Cache County', 'Cache'],
  ])('D8: %j is not %j', (one, other) => {
    expect(foldText(one)).not.toBe(foldText(other));
  });

  const texts = anyText();
  const blanks = fc.stringMatching(/^[ \t\n\u00a0]{1,4}$/);

  test('white space around and within, and the composition of characters, never matter', () => {
    fc.assert(
      fc.property(texts, texts, blanks, blanks, (a, b, blank, other) => {
        expect(foldText(`${blank}${a}${other}${b}${blank}`)).toBe(foldText(`${a} ${b}`));
        expect(foldText(a.normalize('NFD'))).toBe(foldText(a));
      }),
    );
  });

  test('a county is the same with and without its trailing word', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[A-Za-z][A-Za-z .']{0,20}[a-z]$/), (name) => {
        fc.pre(!/(^| )county$/i.test(name));
        expect(foldCounty(`${name} County`)).toBe(foldCounty(name));
      }),
    );
  });
});

describe('the order', () => {
  const texts = anyText({ maxLength: 8 });

  test.each([
    ['\uffff', '\u{10000}'],
    ['\ue000', '\u{1F4A7}'],
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
});

describe('states', () => {
  const CODES =
    `AL AK AZ AR CA CO CT DE FL GA HI ID IL IN IA KS KY LA ME MD MA MI MN MS MO MT NE NV NH NJ NM NY NC ND OH OK
  OR PA RI SC SD TN TX UT VT VA WA WV WI WY DC AS GU MP PR VI US`.split(/\s+/);

  test('the 50 states, DC, five territories and US are known, in any letter case, each with a name of its own', () => {
    expect(CODES).toHaveLength(57);
    for (const code of CODES) {
      expect(readStateCode(code)).toBe(code);
      expect(readStateCode(code.toLowerCase())).toBe(code);
      expect(stateCodeOf(stateName(code))).toBe(code);
      expect(stateCodeOf(stateName(code).toUpperCase())).toBe(code);
    }
    expect(new Set(CODES.map(stateName)).size).toBe(CODES.length);
  });

  test('no other two letters are a state', () => {
    const letters = Array.from('ABCDEFGHIJKLMNOPQRSTUVWXYZ');
    const pairs = letters.flatMap((first) => letters.map((second) => first + second));
    expect(pairs.filter((pair) => readStateCode(pair) !== undefined).sort()).toEqual([...CODES].sort());
  });

  test.each(['', 'U', 'Utah', 'UTAH', 'U T', 'UT,CO', ' UT', '49', '__proto__', 'constructor'])(
    'a query cannot ask for the state %j',
    (text) => {
      expect(readStateCode(text)).toBeUndefined();
    },
  );

  test.each(['Utahh', 'Upper Colorado', 'UT/CO', ''])('a StateCV of %j is no state', (text) => {
    expect(stateCodeOf(text)).toBeUndefined();
  });
});
