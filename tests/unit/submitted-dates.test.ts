// Dates of submissions (submissions.md, 3): YYYY-MM-DD and M/D/YYYY, each with a time that is dropped, and M/D/YY.

import fc from 'fast-check';
import { dayOf, readSubmittedDate } from '../../shared/values/dates';

test.each([
  ['2010-12-31', '2010-12-31'],
  ['2024-02-29', '2024-02-29'],
  ['12/31/2010', '2010-12-31'],
  ['1/2/2010', '2010-01-02'],
  ['01/02/2010', '2010-01-02'],
  ['2010-12-31 00:00:00', '2010-12-31'],
  ['2010-12-31T23:59:59.999Z', '2010-12-31'],
  ['2010-12-31T23:59:59-07:00', '2010-12-31'],
  ['2010-12-31 7:05', '2010-12-31'],
  ['12/31/2010 0:00', '2010-12-31'],
  ['12/31/2010 00:00:00', '2010-12-31'],
  ['12/31/2010 12:00:00 AM', '2010-12-31'],
  ['12/31/2010 11:59 pm', '2010-12-31'],
  ['1/2/30', '1930-01-02'],
  ['1/2/99', '1999-01-02'],
  ['1/2/00', '2000-01-02'],
  ['01/02/29', '2029-01-02'],
  ['2/29/04', '2004-02-29'],
])('%s is %s', (text, date) => {
  expect(readSubmittedDate(text)).toBe(date);
});

test.each([
  '',
  '2010',
  '2010-12',
  '2010-02-29',
  '1900-02-29',
  '31/12/2010',
  '13/13/2010',
  '2/29/01',
  '1/2/1',
  '1/2/010',
  '1/2/20100',
  '12-31-2010',
  '20101231',
  '2010/12/31',
  '44561',
  '2010-12-31 25:00',
  '2010-12-31 10:99',
  '2010-12-31 noon',
  '12/31/2010 noon',
  '1/2/10 10:00',
  'Jan 2, 2010',
  '2-Jan-10',
  '04/15',
  'today',
  '0000-00-00',
])('%j is never guessed', (text) => {
  expect(readSubmittedDate(text)).toBeUndefined();
});

test('every two-digit year lies from 1930 to 2029', () => {
  for (let year = 0; year < 100; year++) {
    const full = Number(readSubmittedDate(`6/15/${String(year).padStart(2, '0')}`)?.slice(0, 4));
    expect(full).toBe(year < 30 ? 2000 + year : 1900 + year);
  }
});

test('whatever is read is a calendar date of ten characters, and reads as itself', () => {
  const part = fc.integer({ min: 0, max: 40 }).map(String);
  const separator = fc.constantFrom('-', '/', ' ', 'T');
  const anyParts = fc.tuple(part, separator, part, separator, fc.integer({ min: 0, max: 3000 }).map(String));
  const number = (min: number, max: number): fc.Arbitrary<string> => fc.integer({ min, max }).map(String);
  const dateParts = fc.tuple(number(1, 12), fc.constant('/'), number(1, 31), fc.constant('/'), number(1850, 2150));
  const texts = fc.oneof(anyParts, dateParts);
  let dates = 0;
  fc.assert(
    fc.property(texts, (parts) => {
      const read = readSubmittedDate(parts.join(''));
      if (read === undefined) return;
      dates++;
      expect(read).toMatch(/^\d{4}-\d{2}-\d{2}$/);
      expect(dayOf(Number(read.slice(0, 4)), Number(read.slice(5, 7)), Number(read.slice(8)))).toBeDefined();
      expect(readSubmittedDate(read)).toBe(read);
    }),
    { numRuns: 2_000, seed: 20_260_103 },
  );
  expect(dates).toBeGreaterThan(500);
});
