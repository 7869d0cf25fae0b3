// The query string of a request is decoded strictly.

import fc from 'fast-check';
import { splitQuery } from '../../shared/query/query-string';
import { anyText } from '../fixtures/any-text';

const item = (name: string, value: string, isBroken = false): object => ({ name, value, isBroken });

test.each<[string, readonly object[]]>([
  ['', []],
  ['&&', []],
  ['a=1', [item('a', '1')]],
  ['a=1&b=2&a=3', [item('a', '1'), item('b', '2'), item('a', '3')]],
  ['a', [item('a', '')]],
  ['a=', [item('a', '')]],
  ['=1', [item('', '1')]],
  ['a=b=c', [item('a', 'b=c')]],
  ['a=1&&b=2&', [item('a', '1'), item('b', '2')]],
  ['a=1;b=2', [item('a', '1;b=2')]],
  ['a+b=c+d', [item('a b', 'c d')]],
  ['a=%2B%20%26%3D%25', [item('a', '+ &=%')]],
  ['a=1,2', [item('a', '1,2')]],
  ['%61=%c3%A9', [item('a', '\u00e9')]],
  ['a=%F0%9F%92%A7', [item('a', '\u{1F4A7}')]],
  ['a=\u00e9', [item('a', '\u00e9')]],
  ['a=%252B', [item('a', '%2B')]],
  ['a=%00', [item('a', '\u0000')]],
  ['__proto__=1', [item('__proto__', '1')]],
  ['a=%&b=%20', [item('a', '%', true), item('b', ' ')]],
])('splits ?%s into its parameters', (query, items) => {
  expect(splitQuery(query)).toEqual(items);
});

test.each(['%', '%4', '%zz', '%E9', '%C3', '%C0%80', '%ED%A0%80', '%F4%90%80%80', 'x+%FF'])(
  'marks the broken escape %s, and keeps the text as it was sent',
  (text) => {
    expect(splitQuery(`a=${text}`)).toEqual([item('a', text, true)]);
    expect(splitQuery(`${text}=1`)).toEqual([item(text, '1', true)]);
  },
);

test('reads back every name and value that was encoded', () => {
  const texts = anyText({ minLength: 1 });
  fc.assert(
    fc.property(fc.array(fc.tuple(texts, texts)), (pairs) => {
      const encoded = pairs.map((pair) => pair.map(encodeURIComponent).join('=')).join('&');
      const expected = pairs.map(([name, value]) => item(name, value));
      expect(splitQuery(encoded)).toEqual(expected);
      expect(splitQuery(encoded.replaceAll('%20', '+'))).toEqual(expected);
    }),
  );
});
