// State abbreviations (D10).

import { readStateCode, stateCodeOf, stateName } from '../../shared/values/states';

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

test.each(['\ufb02', '\u0131d', '\u017fd', 'N\u0301Y'])(
  '%j is not two letters, though capitals of it may be',
  (text) => {
    expect(readStateCode(text)).toBeUndefined();
  },
);

test.each([
  ['US', 'United States'],
  ['UT', 'Utah'],
  ['DC', 'District of Columbia'],
  ['NM', 'New Mexico'],
])('%s is %s', (code, name) => {
  expect(stateName(code)).toBe(name);
  expect(stateCodeOf(name)).toBe(code);
});

test.each(['Utahh', 'Upper Colorado', 'UT/CO', ''])('a StateCV of %j is no state', (text) => {
  expect(stateCodeOf(text)).toBeUndefined();
});
