// Dates in queries (D6) and submissions (submissions.md, 3): every accepted and every refused form.

import fc from 'fast-check';
import { formatIsoDate, parseIsoDay, readQueryDate, type SlashDateOrder, toDay } from '../../shared/values/dates';

describe('dates of queries', () => {
  function read(text: string, order: SlashDateOrder = 'MDY'): string {
    const day = readQueryDate(text, order);
    return day.ok ? formatIsoDate(day.value) : `refused: ${day.problem}`;
  }

  test.each([
    ['2010-12-31', '2010-12-31'],
    ['2000-02-29', '2000-02-29'],
    ['2024-02-29', '2024-02-29'],
    ['0001-01-01', '0001-01-01'],
    ['9999-12-31', '9999-12-31'],
    ['1/2/2010', '2010-01-02'],
    ['01/02/2010', '2010-01-02'],
    ['12/31/2010', '2010-12-31'],
    ['2/29/1904', '1904-02-29'],
    ['2010-12-31T00:00', '2010-12-31'],
    ['2010-12-31t23:59', '2010-12-31'],
    ['2010-12-31 23:59', '2010-12-31'],
    ['2010-12-31T23:59:59', '2010-12-31'],
    ['2010-12-31 23:59:59.9', '2010-12-31'],
    ['2010-12-31T23:59:59.123456789', '2010-12-31'],
    ['2010-12-31T23:59Z', '2010-12-31'],
    ['2010-12-31T23:59:59z', '2010-12-31'],
    ['2010-12-31T23:59:59.5-07:00', '2010-12-31'],
    ['2010-12-31T23:59:59+0700', '2010-12-31'],
    ['2010-12-31T00:00:00+14', '2010-12-31'],
    ['2010-12-31T00:00:00 07:00', '2010-12-31'],
  ])('reads %s as %s: only the calendar date counts', (text, date) => {
    expect(read(text)).toBe(date);
  });

  test.each([
    '2020-02-30',
    '2019-02-29',
    '1900-02-29',
    '2020-00-10',
    '2020-13-01',
    '2020-01-00',
    '2020-04-31',
    '2/29/1900',
    '4/31/2020',
    '0/1/2020',
    '1/0/2020',
    '13/32/2020',
  ])('refuses %s, which is not a day of the calendar', (text) => {
    expect(read(text)).toMatch(/^refused: /);
  });

  test.each([
    '2010',
    '2010-12',
    '2010-1-2',
    '20101231',
    '2010/12/31',
    '12-31-2010',
    '12.31.2010',
    '1/2/10',
    '1/2/02010',
    '001/2/2010',
    '1 / 2 / 2010',
    '1/2/2010 10:00',
    '12010-12-31',
    '-2010-12-31',
    '+2010-12-31',
    '2010-12-31T',
    '2010-12-31T10',
    '2010-12-31T1:00',
    '2010-12-31T24:00',
    '2010-12-31T10:60',
    '2010-12-31T10:00:61',
    '2010-12-31T10:00:00.',
    '2010-12-31T10:00 PM',
    '2010-12-31T10:00ZZ',
    '2010-12-31TZ',
    '2010-12-31T10:00+7',
    '2010-12-31T10:00+99:99',
    '2010-12-31T10:00+07:60',
    '2010-12-31  10:00',
    '2010-12-31_10:00',
    '2010-12-31x',
    'x2010-12-31',
    'Dec 31 2010',
    'today',
    '\u0662\u0660\u0661\u0660-12-31',
    '44561',
  ])('refuses %s, which is not written as a date', (text) => {
    expect(read(text)).toMatch(/^refused: .*date/);
  });

  test.each<[string, SlashDateOrder, string, string]>([
    ['31/12/2010', 'MDY', '2010-12-31', '12/31/2010'],
    ['13/1/2010', 'MDY', '2010-01-13', '1/13/2010'],
    ['12/31/2010', 'DMY', '2010-12-31', '31/12/2010'],
    ['1/13/2010', 'DMY', '2010-01-13', '13/1/2010'],
    ['31/12/0099', 'MDY', '0099-12-31', '12/31/0099'],
  ])('refuses %s under %s and suggests both correct spellings', (text, order, iso, slash) => {
    expect(read(text, order)).toMatch(/^refused: /);
    expect(read(text, order)).toContain(iso);
    expect(read(text, order)).toContain(slash);
    // Both suggested spellings are read as the same date.
    expect(read(iso, order)).toBe(iso);
    expect(read(slash, order)).toBe(iso);
  });

  test('counts days as the calendar of JavaScript does', () => {
    fc.assert(
      fc.property(
        fc.date({ min: new Date('0001-01-01'), max: new Date('9999-12-31'), noInvalidDate: true }),
        (date) => {
          const iso = date.toISOString().slice(0, 10);
          const [year = 0, month = 0, day = 0] = iso.split('-').map(Number);
          const number = toDay(year, month, day);
          expect(number).toBe(Math.floor(date.getTime() / 86_400_000));
          expect(parseIsoDay(iso)).toBe(number);
          expect(formatIsoDate(number ?? NaN)).toBe(iso);
          for (const order of ['MDY', 'DMY'] as const) {
            const slash = order === 'MDY' ? [month, day] : [day, month];
            expect(read(`${slash.join('/')}/${String(year).padStart(4, '0')}`, order)).toBe(iso);
          }
        },
      ),
    );
  });
});
