// The headers Accept and Accept-Encoding (RFC 9110, section 12.5) as browsers, programs and attackers write them.

import { negotiateCoding, negotiateFormat, readPreferences } from '../../shared/http/pipeline/negotiation';
import { ANSWER_FORMATS } from '../../shared/query/format-parameters';

test.each<[string | null, string]>([
  [null, 'json'],
  ['', 'json'],
  [' , ,', 'json'],
  ['*/*', 'json'],
  ['application/json', 'json'],
  ['application/*', 'json'],
  ['text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8', 'json'],
  ['text/html, image/gif, image/jpeg, *; q=.2, */*; q=.2', 'json'],
  ['application/json, text/plain, */*', 'json'],
  ['text/csv', 'csv'],
  ['Text/CSV', 'csv'],
  ['text/csv; charset=utf-8; header=present', 'csv'],
  ['text/*', 'csv'],
  ['text/csv, */*;q=0.1', 'csv'],
  ['*/*, text/csv', 'csv'],
  ['application/geo+json', 'geojson'],
  ['application/geo+json, application/json', 'geojson'],
  ['application/json;q=0.5, application/geo+json;q=0.9, text/csv;q=0.7', 'geojson'],
  ['application/json;q=0.500, text/csv;q=.5', 'json'],
  ['application/json;q=0, */*', 'csv'],
  ['*/*;q=0.1, application/json;q=0', 'csv'],
  ['application/json;q=x', 'json'],
  ['text/csv;q=7;q=0', 'csv'],
  ['application/json;version="a,b", text/csv;q=0.1', 'json'],
  [`${'image/x,'.repeat(99)}text/csv`, 'csv'],
])('answers Accept: %s in the format %s', (accept, format) => {
  expect(negotiateFormat(accept, ANSWER_FORMATS)).toBe(format);
});

test.each([
  'text/html',
  'application/xml, image/*',
  '*/*;q=0',
  'application/json;q=0, text/csv;q=0.0, application/geo+json;q=0.000',
  'json',
  'application/problem+json',
])('has no format for Accept: %s', (accept) => {
  expect(negotiateFormat(accept, ANSWER_FORMATS)).toBeUndefined();
});

test.each<[string | null, string | undefined]>([
  [null, undefined],
  ['', undefined],
  ['identity', undefined],
  ['deflate, zstd', undefined],
  ['gzip', 'gzip'],
  ['gzip, deflate', 'gzip'],
  ['gzip, deflate, br, zstd', 'br'],
  ['GZIP;q=1, BR;q=0.5', 'gzip'],
  ['*', 'br'],
  ['*;q=0', undefined],
  ['br;q=0, *', 'gzip'],
  ['gzip;q=0', undefined],
  ['identity, gzip;q=0.5', undefined],
  ['identity;q=0.5, gzip;q=0.5', 'gzip'],
])('answers Accept-Encoding: %s with the coding %s', (acceptEncoding, coding) => {
  expect(negotiateCoding(acceptEncoding)).toBe(coding);
});

test('ignores preferences after the first hundred', () => {
  expect(readPreferences('a,'.repeat(1_000_000))).toHaveLength(100);
  expect(negotiateFormat(`${'image/x,'.repeat(100)}text/csv`, ANSWER_FORMATS)).toBeUndefined();
});
