// The parameter datetime (D48, ADR 0077), and what the extent of a collection says of space and time.

import { readInterval } from '../../shared/query/cql2/item-parameters';
import { isoDateOfDay } from '../../shared/values/dates';

function read(text: string): string {
  const interval = readInterval(text);
  if (!interval.ok) return 'refused';
  const [from, to] = [interval.value.from, interval.value.to].map((day) =>
    day === undefined ? '..' : isoDateOfDay(day),
  );
  return `${from ?? ''}/${to ?? ''}`;
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
  ...['', '..', 'P1D', 'P1D/P1D', 'P1D/..', '../P1D', 'P/1990-01-01', 'PT/1990-01-01', '1990-01-01/P1DT', '1990'].map(
    (text) => [text, 'refused'],
  ),
  ...['1990-02-30', '1/1/1990', '1991-01-01/1990-01-01', '1990-01-01/1990-01-02/1990-01-03', '1990-01-01/1.5'].map(
    (text) => [text, 'refused'],
  ),
])('datetime=%s asks for %s', (text, expected) => {
  expect(read(text)).toBe(expected);
});

test('a comparison of a date column by GDAL is refused with the way to write it', () => {
  expect(readInterval('../1970-01-01T')).toMatchObject({ ok: false, problem: expect.stringContaining('CAST(NAME') });
});
