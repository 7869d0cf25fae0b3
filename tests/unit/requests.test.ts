// The headers Accept, Accept-Encoding (RFC 9110, section 12.5) and If-None-Match (13.1.2) as browsers, programs and
// attackers write them. The query string, decoded strictly. What bounds conditions, and their keys: equal conditions
// have equal ones, others have others.

import fc from 'fast-check';
import { formatEntityTag, matchEntityTags } from '../../shared/http/pipeline/conditional-requests';
import { negotiateCoding, negotiateFormat, readPreferences } from '../../shared/http/pipeline/negotiation';
import {
  joinAll,
  type Boundary,
  countComparisons,
  type Condition,
  buildConditionKey,
  measureDepth,
  EVERYTHING,
  buildTermCondition,
} from '../../shared/query/condition';
import { ANSWER_FORMATS } from '../../shared/query/paging-and-format';
import { splitQuery } from '../../shared/query/query-values';
import { anyText } from '../fixtures/any-text';

const item = (name: string, value: string, isBroken = false): object => ({ name, value, isBroken });

test.each<[string, readonly object[]]>(
  Object.entries({
    '': [],
    '&&': [],
    'a=1': [item('a', '1')],
    'a=1&b=2&a=3': [item('a', '1'), item('b', '2'), item('a', '3')],
    a: [item('a', '')],
    'a=': [item('a', '')],
    '=1': [item('', '1')],
    'a=b=c': [item('a', 'b=c')],
    'a=1&&b=2&': [item('a', '1'), item('b', '2')],
    'a=1;b=2': [item('a', '1;b=2')],
    'a+b=c+d': [item('a b', 'c d')],
    'a=%2B%20%26%3D%25': [item('a', '+ &=%')],
    'a=1,2': [item('a', '1,2')],
    '%61=%c3%A9': [item('a', '\u00e9')],
    'a=%F0%9F%92%A7': [item('a', '\u{1F4A7}')],
    'a=\u00e9': [item('a', '\u00e9')],
    'a=%252B': [item('a', '%2B')],
    'a=%00': [item('a', '\u0000')],
    '__proto__=1': [item('__proto__', '1')],
    'a=%&b=%20': [item('a', '%', true), item('b', ' ')],
  }),
)('?%s', (query, items) => {
  expect(splitQuery(query)).toEqual(items);
});

test.each(['%', '%4', '%zz', '%E9', '%C3', '%C0%80', '%ED%A0%80', '%F4%90%80%80', 'x+%FF'])(
  'the escape %s is broken, and the text stays as sent',
  (text) => {
    expect(splitQuery(`a=${text}`)).toEqual([item('a', text, true)]);
    expect(splitQuery(`${text}=1`)).toEqual([item(text, '1', true)]);
  },
);

test('whatever was encoded is read back', () => {
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

const irrigated: Condition = {
  kind: 'text',
  member: { kind: 'field', field: 'use' },
  test: { kind: 'one of', isFolded: false, values: ['Irrigation', 'Stockwatering'] },
};
const flowing: Condition = { kind: 'number', member: { kind: 'number', column: 'flow' }, min: 1 };

test('each value of a list counts as a comparison, and nesting counts its levels', () => {
  const nested: Condition = {
    kind: 'all',
    operands: [irrigated, { kind: 'not', operand: { kind: 'any', operands: [flowing] } }],
  };
  expect([countComparisons(irrigated), countComparisons(flowing), countComparisons(nested)]).toEqual([2, 1, 3]);
  expect([measureDepth(irrigated), measureDepth(nested), measureDepth({ kind: 'all', operands: [] })]).toEqual([
    1, 4, 1,
  ]);
});

const point = (digest: string, x: number): Boundary => ({ geometry: { type: 'Point', coordinates: [x, 2] }, digest });
const utah = buildTermCondition('state', ['UT']);
const colorado = buildTermCondition('state', ['CO']);
const cache = buildTermCondition('county', ['Cache']);
const flow = { kind: 'number', column: 'flow' } as const;
const volume = { kind: 'number', column: 'volume' } as const;
const owner = (values: readonly string[], isFolded: boolean): Condition => ({
  kind: 'text',
  member: { kind: 'owner' },
  test: { kind: 'one of', isFolded, values },
});

const conditions: readonly Condition[] = [
  EVERYTHING,
  { kind: 'any', operands: [] },
  utah,
  buildTermCondition('state', ['UT', 'CO']),
  buildTermCondition('state', ['UT","state:co']),
  buildTermCondition('state', []),
  joinAll([utah, colorado]),
  { kind: 'any', operands: [utah, colorado] },
  joinAll([utah, cache]),
  { kind: 'not', operand: utah },
  { kind: 'not', operand: joinAll([utah, cache]) },
  joinAll([{ kind: 'not', operand: utah }, cache]),
  { kind: 'within', dates: 'period', from: 1 },
  { kind: 'within', dates: 'period', to: 1 },
  { kind: 'within', dates: 'period', from: 0 },
  { kind: 'within', dates: 'period', from: 1, to: 1 },
  { kind: 'within', dates: 'published', from: 1 },
  { kind: 'within', dates: 'published', to: 1 },
  { kind: 'during', from: 1 },
  { kind: 'number', member: flow, min: 1 },
  { kind: 'number', member: flow, max: 1 },
  { kind: 'number', member: flow, min: 1, max: 1 },
  { kind: 'number', member: volume, max: 1 },
  { kind: 'missing', member: volume },
  owner(['a'], true),
  owner(['a'], false),
  owner(['a', 'b'], true),
  { kind: 'boundary', boundary: point('a', 1) },
  { kind: 'boundary', boundary: point('b', 1) },
  { kind: 'boundaryOfPlace', place: { field: 'site', id: 'a' } },
  { kind: 'boundaryOfPlace', place: { field: 'reportingUnit', id: 'a' } },
  { kind: 'changedSince', version: 'a' },
  { kind: 'minimumYears', years: 1 },
];

test('different conditions have different keys', () => {
  expect(new Set(conditions.map(buildConditionKey)).size).toBe(conditions.length);
});

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
])('Accept: %s gets %s', (accept, format) => {
  expect(negotiateFormat(accept, ANSWER_FORMATS)).toBe(format);
});

test.each([
  'text/html',
  'application/xml, image/*',
  '*/*;q=0',
  'application/json;q=0, text/csv;q=0.0, application/geo+json;q=0.000',
  'json',
  'application/problem+json',
])('Accept: %s gets nothing', (accept) => {
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
])('Accept-Encoding: %s gets %s', (acceptEncoding, coding) => {
  expect(negotiateCoding(acceptEncoding)).toBe(coding);
});

test('preferences after the first hundred are ignored', () => {
  expect(readPreferences('a,'.repeat(1_000_000))).toHaveLength(100);
  expect(negotiateFormat(`${'image/x,'.repeat(100)}text/csv`, ANSWER_FORMATS)).toBeUndefined();
});

const DIGEST = '0123456789abcdef0123456789abcdef';
const TAG = formatEntityTag(DIGEST, 42);

test.each([
  ['the tag', TAG],
  ['the tag as a weak one', `W/${TAG}`],
  ['the tag among others', `"x", W/"y,z" ,${TAG}, "w"`],
  ['the tag after empty elements', `, ,\t${TAG}`],
  ['the tag with no comma before it', `"x"${TAG}`],
])('%s is held, with its total', (_, header) => {
  expect(matchEntityTags(header, DIGEST)).toEqual({ total: 42 });
});

test.each(['*', ' * '])('"%s" is any answer', (header) => {
  expect(matchEntityTags(header, DIGEST)).toEqual({ total: undefined });
});

test.each([
  ['nothing', ''],
  ['another tag', `"${'f'.repeat(32)}-42"`],
  ['a tag without a total', `"${DIGEST}"`],
  ['a tag with another ending', `"${DIGEST}-x"`],
  ['a tag with a total that no answer has', `"${DIGEST}-${'9'.repeat(30)}"`],
  ['a tag without quotes', TAG.replaceAll('"', '')],
  ['a tag without its last quote', TAG.slice(0, -1)],
  ['a tag after something that is none', `x, ${TAG}`],
  ['a small w', `w/${TAG}`],
  ['a star in a list', `*, ${TAG.replace('0', '1')}`],
])('%s is not held', (_, header) => {
  expect(matchEntityTags(header, DIGEST)).toBeUndefined();
});
