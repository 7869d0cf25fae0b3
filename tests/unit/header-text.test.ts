// Values of submissions in headers are ASCII, contain no line breaks, and have a limited length after encoding.

import { encodeForHeader } from '../../shared/http/v1/header-text';

test.each([
  ['plain text', 'Bear River', 'Bear River'],
  ['a line break', 'a\r\nSet-Cookie: b', 'a%0D%0ASet-Cookie: b'],
  ['a control character', 'a\u001bb\u007f', 'a%1Bb%7F'],
  ['a percent sign', '100%', '100%25'],
  ['an accent', 'Réservoir', 'R%C3%A9servoir'],
  ['half of a surrogate pair', 'a\ud83d', 'a%EF%BF%BD'],
  ['the longest allowed text', 'x'.repeat(100), 'x'.repeat(100)],
])('%s is encoded', (_, text, encoded) => {
  expect(encodeForHeader(text)).toBe(encoded);
});

test.each([
  ['ASCII', 'x'],
  ['accents', 'é'],
  ['ideographs', '水'],
  ['emoji', '💧'],
  ['line breaks', '\n'],
  ['spaces', ' '],
])('a long text of %s is cut off within the bound', (_, character) => {
  const encoded = encodeForHeader(character.repeat(50_000));
  expect(encoded.length).toBeLessThanOrEqual(103);
  expect(encoded).toMatch(/^(?:[ -$&-~]|%[0-9A-F]{2})*\.\.\.$/);
});
