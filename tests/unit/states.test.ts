// State codes in queries and state names in submissions (D10).

import { findStateCode, getStateName, readStateCode } from '../../shared/values/states';

const STATES =
  'AL AK AZ AR CA CO CT DE FL GA HI ID IL IN IA KS KY LA ME MD MA MI MN MS MO MT NE NV NH NJ NM NY NC ND OH OK OR PA RI SC SD TN TX UT VT VA WA WV WI WY';
const OTHER_CODES = 'DC AS GU MP PR VI US';
const CODES = `${STATES} ${OTHER_CODES}`.split(' ');

test.each(CODES)('reads the code %s in any letter case, and its state name gives the same code', (code) => {
  expect(readStateCode(code)).toBe(code);
  expect(readStateCode(code.toLowerCase())).toBe(code);
  expect(findStateCode(getStateName(code))).toBe(code);
  expect(findStateCode(getStateName(code).toUpperCase())).toBe(code);
});

test('has 50 states, DC, five territories and US, each with its own name', () => {
  expect(CODES).toHaveLength(57);
  expect(new Set(CODES.map(getStateName)).size).toBe(CODES.length);
});

test('contains no other two-letter code', () => {
  const letters = Array.from('ABCDEFGHIJKLMNOPQRSTUVWXYZ');
  const pairs = letters.flatMap((first) => letters.map((second) => first + second));
  expect(pairs.filter((pair) => readStateCode(pair) !== undefined).sort()).toEqual([...CODES].sort());
});

test.each(['', 'U', 'Utah', 'UTAH', 'U T', 'UT,CO', ' UT', '49', '__proto__', 'constructor'])(
  'does not read %j as a state code in a query',
  (text) => {
    expect(readStateCode(text)).toBeUndefined();
  },
);

test.each(['Utahh', 'Upper Colorado', 'UT/CO', ''])('does not read a StateCV of %j as a state', (text) => {
  expect(findStateCode(text)).toBeUndefined();
});
