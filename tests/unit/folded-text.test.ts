// How texts are compared (D8, D9, D12).

import fc from 'fast-check';
import { anyText } from '../fixtures/any-text';
import { foldCounty, foldText, foldVariable } from '../../shared/values/text';

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

test.each([
  'AggregatedWithdrawal_Irrigation',
  'aggregated withdrawal, irrigation',
  'Aggregated-Withdrawal/Irrigation',
  ' Aggregated\tWithdrawal  Irrigation,',
])('D9: %j is one variable however its pair is joined', (text) => {
  expect(foldVariable(text)).toBe('aggregatedwithdrawalirrigation');
});

test.each(['Aggregated Withdrawal', 'Aggregated Withdrawal Irrigation.', 'Aggregated Withdrawals Irrigation'])(
  'D9: %j is another variable',
  (text) => {
    expect(foldVariable(text)).not.toBe('aggregatedwithdrawalirrigation');
  },
);

test.each([
  ['Cache County', 'cache'],
  ['CACHE  COUNTY ', 'cache'],
  ['Cache', 'cache'],
  ['County Line', 'county line'],
  ['County', 'county'],
  ['Blackcounty', 'blackcounty'],
])('D12: the county %j is compared as %j', (text, folded) => {
  expect(foldCounty(text)).toBe(folded);
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
