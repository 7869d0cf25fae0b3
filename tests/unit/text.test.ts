// Texts are folded before they are compared (D8, D9, D12), and ordered by their UTF-8 bytes (D17).

import fc from 'fast-check';
import { compareUtf8 } from '../../shared/values/compare-utf8';
import { foldCounty, foldName, foldText, foldVariable, normalizeText } from '../../shared/values/fold-text';
import { anyText } from '../fixtures/any-text';

describe('folding', () => {
  test.each([
    ['Irrigation', ' irrigation '],
    ['STREAM GAGE', 'Stream  \t\u00a0gage'],
    ['Caf\u00e9', 'CAFE\u0301'],
    ['\u00c5ngstr\u00f6m', '\u212bNGSTRO\u0308M'],
    ['a\nb', 'A B'],
  ])('folds %j and %j to the same text (D8)', (left, right) => {
    expect(foldText(left)).toBe(foldText(right));
  });

  test.each([
    ['Caf\u00e9', 'Cafe'],
    ['stream gage', 'streamgage'],
    ['Irrigation', 'Irrigation.'],
    ['A,B', 'A, B'],
    ['A-B', 'A B'],
    ['Cache County', 'Cache'],
  ])('folds %j and %j to different texts (D8)', (left, right) => {
    expect(foldText(left)).not.toBe(foldText(right));
  });

  const texts = anyText();
  const blanks = fc.stringMatching(/^[ \t\n\u00a0]{1,4}$/);

  test('ignores surrounding and repeated white space and the composition of characters', () => {
    fc.assert(
      fc.property(texts, texts, blanks, blanks, (left, right, outer, inner) => {
        expect(foldText(`${outer}${left}${inner}${right}${outer}`)).toBe(foldText(`${left} ${right}`));
        expect(foldText(left.normalize('NFD'))).toBe(foldText(left));
      }),
    );
  });

  test('folds a county to the same text with and without the word "County" at its end', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[A-Za-z][A-Za-z .']{0,20}[a-z]$/), (name) => {
        fc.pre(!/(^| )county$/i.test(name));
        expect(foldCounty(`${name} County`)).toBe(foldCounty(name));
      }),
    );
  });
});

describe('order of texts', () => {
  const texts = anyText({ maxLength: 8 });

  test.each([
    ['\uffff', '\u{10000}'],
    ['\ue000', '\u{1F4A7}'],
    ['\u{1F4A7}', '\u{1F4A8}'],
  ])('sorts %j before %j', (first, second) => {
    expect(compareUtf8(first, second)).toBeLessThan(0);
    expect(compareUtf8(second, first)).toBeGreaterThan(0);
  });

  test('sorts by UTF-8 bytes, including characters beyond the Basic Multilingual Plane', () => {
    fc.assert(
      fc.property(texts, texts, texts, (prefix, left, right) => {
        const expected = Buffer.compare(Buffer.from(prefix + left), Buffer.from(prefix + right));
        expect(Math.sign(compareUtf8(prefix + left, prefix + right))).toBe(expected);
      }),
      { numRuns: 2_000 },
    );
  });
});

describe('long texts', () => {
  const marks = 'a' + '\u0301\u0323'.repeat(125_000);

  test('with long runs of marks are split, so that normalizing takes linear time', () => {
    const runs = normalizeText(marks, 'NFC').match(/[^\P{M}\u034f]+/gu) ?? [];
    expect(Math.max(...runs.map(({ length }) => length))).toBeLessThanOrEqual(30);
  });

  test.each([
    ['a text', foldText],
    ['a name', foldName],
    ['a county', foldCounty],
    ['a variable', foldVariable],
  ])('folding %s of 250,000 marks twice changes nothing', (_, fold) => {
    expect(fold(fold(marks))).toBe(fold(marks));
  });

  test('with at most 30 marks in a row are normalized as Unicode defines', () => {
    const letters = fc.array(fc.constantFrom('a', 'e', '\u0301', '\u0323', '\u0344', '\uac00'), { maxLength: 30 });
    fc.assert(
      fc.property(letters, (characters) => {
        const text = characters.join('');
        expect(normalizeText(text, 'NFC')).toBe(text.normalize('NFC'));
        expect(normalizeText(text, 'NFD')).toBe(text.normalize('NFD'));
      }),
    );
  });
});
