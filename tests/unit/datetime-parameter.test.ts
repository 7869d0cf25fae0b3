// The parameter datetime of the OGC API (D48, ADR 0077).

import { readInterval } from '../../shared/query/cql2/datetime-interval';
import { formatIsoDate } from '../../shared/values/dates';

/** The first and the last day of an interval, as `2000-01-01/..`; `..` means an open end. */
function readDays(text: string): string {
  const interval = readInterval(text);
  return interval.ok ? `${formatDay(interval.value.from)}/${formatDay(interval.value.to)}` : 'refused';
}

function formatDay(day: number | undefined): string {
  return day === undefined ? '..' : formatIsoDate(day);
}

test.each([
  ['1990-01-01', '1990-01-01/1990-01-01'],
  ['1990-01-01T00:00:00Z', '1990-01-01/1990-01-01'],
  ['1990-01-01/..', '1990-01-01/..'],
  ['/1990-01-01', '../1990-01-01'],
  ['../..', '../..'],
  ['1990-01-01/P2D', '1990-01-01/1990-01-03'],
  ['1990-01-31/P1M', '1990-01-31/1990-02-28'],
  ['1991-11-30/P1Y3M', '1991-11-30/1993-02-28'],
  ['1990-01-01/P2W', '1990-01-01/1990-01-15'],
  ['1990-01-01T12:00:00Z/PT12H', '1990-01-01/1990-01-02'],
  ['1990-01-01T12:00:00Z/PT11H59M59S', '1990-01-01/1990-01-01'],
  ['P1M/1990-03-31', '1990-02-28/1990-03-31'],
  ['P1D/1990-03-01', '1990-02-28/1990-03-01'],
  ['p1y/1990-03-01', '1989-03-01/1990-03-01'],
])('reads datetime=%s as %s', (text, days) => {
  expect(readDays(text)).toBe(days);
});

test.each([
  '',
  '..',
  'P1D',
  'P1D/P1D',
  'P1D/..',
  '../P1D',
  'P/1990-01-01',
  'PT/1990-01-01',
  '1990-01-01/P1DT',
  '1990',
  '1990-02-30',
  '1/1/1990',
  '1991-01-01/1990-01-01',
  '1990-01-01/1990-01-02/1990-01-03',
  '1990-01-01/1.5',
])('refuses datetime=%s', (text) => {
  expect(readDays(text)).toBe('refused');
});

test('refuses the date comparison that GDAL sends, and says how to write it', () => {
  expect(readInterval('../1970-01-01T')).toMatchObject({ ok: false, problem: expect.stringContaining('CAST(NAME') });
});
