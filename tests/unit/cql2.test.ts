// CQL2 as text and as JSON: both give the same tree, messages name the position of the problem, and no input breaks the
// parsers (D47).

import fc from 'fast-check';
import { parseCqlJson } from '../../shared/query/cql2/parse-json';
import { parseCqlText } from '../../shared/query/cql2/parse-text';
import { COORDINATE_SYSTEMS } from '../../shared/values/coordinate-systems';
import { anyText } from '../fixtures/any-text';
import { expression, writeCqlText } from '../fixtures/cql2-text';
import { chooseSeed, countCases } from '../fixtures/soak';

/** The soak uses the number of random inputs that D47 promises. */
const FUZZ = { numRuns: countCases(20_000, 0.05), seed: chooseSeed(20_261_122) };

test('parses the text of any tree as the same tree', () => {
  fc.assert(
    fc.property(expression, (tree) => {
      expect(parseCqlText(writeCqlText(tree))).toEqual({ ok: true, value: tree });
    }),
  );
});

test('parses the JSON of any tree as its text', () => {
  fc.assert(
    fc.property(expression, (tree) => {
      expect(parseCqlJson(JSON.stringify(tree))).toEqual(parseCqlText(writeCqlText(tree)));
    }),
  );
});

const op = (name: string, ...args: readonly unknown[]): object => ({ op: name, args });
const a = { property: 'a' };
const amount = { property: 'Amount' };
const state = { property: 'State' };

test.each<[string, unknown]>([
  [
    "Amount > 5 and State = 'UT' OR Amount<-1.5e2",
    op('or', op('and', op('>', amount, 5), op('=', state, 'UT')), op('<', amount, -150)),
  ],
  ["not a LIKE 'O''Neil\\'s%'", op('not', op('like', a, "O'Neil's%"))],
  ['a NOT BETWEEN 1 AND 2', op('not', op('between', a, 1, 2))],
  ["a not in ('x')", op('not', op('in', a, ['x']))],
  ['"a b" is not null', op('not', op('isNull', { property: 'a b' }))],
  ["casei(a) = casei('X')", op('=', op('casei', a), op('casei', 'X'))],
  [
    's_intersects(geometry, point(-112 40))',
    op('s_intersects', { property: 'geometry' }, { type: 'Point', coordinates: [-112, 40] }),
  ],
  ['(((TRUE)))', true],
])('parses %s', (text, tree) => {
  expect(parseCqlText(text)).toEqual({ ok: true, value: tree });
});

test.each([
  ['', 'at character 1: expected a property, a value, NOT or (, found the end'],
  ['Amount >', 'at character 9: expected a value, found the end'],
  ['Amount 5', 'at character 8: expected =, <>, <, >, <=, >=, LIKE, BETWEEN, IN or IS, found 5'],
  ['Amount = 5 State', 'at character 12: expected AND, OR or the end, found State'],
  ['(Amount = 5', 'at character 12: expected ), found the end'],
  ["State = 'UT", "at character 9: the quote ' is not closed"],
  ['a = 5 ; b', 'at character 7: ; is not allowed here'],
  ['a BETWEEN 1 OR 2', 'at character 13: expected AND, found OR'],
  ['s_intersects(geometry, POINT(1 95))', /^at character 24: .*latitude/],
  ['s_intersects(geometry, POLYGON((1 2)', /^at character 24: the geometry has no closing bracket/],
  ['s_within(geometry, POINT(1 2))', /^s_within is not supported/],
  ['BBOX(geometry, 1, 2, 3, 4)', /^BBOX is .*; write S_INTERSECTS\(geometry, BBOX\(west, south, east, north\)\)$/],
  ['ST_Within(geometry, POINT(1 2))', /^ST_Within is .*; use S_INTERSECTS$/],
  ["UPPER(State) = 'UT'", /^UPPER is .*; write CASEI\(/],
  ["contains(County, 'a')", /^contains is .*; write PROPERTY LIKE /],
  ["T_AFTER(TimeframeStart, DATE('2020-01-01'))", /^T_AFTER is .*; write PROPERTY >= DATE\(/],
  ['round(Amount) = 1', /^round is .*; functions are S_INTERSECTS/],
  ['a = 1e999', /expected a number that is not too large/],
  ['('.repeat(600), 'is nested deeper than 500 levels'],
])('refuses %s', (text, problem) => {
  const read = parseCqlText(text);
  expect(read).toEqual({ ok: false, problem: typeof problem === 'string' ? problem : expect.stringMatching(problem) });
});

test.each([
  ['{', 'is not JSON'],
  ['[]', 'the filter: expected an object'],
  ['{"op":"and","args":[true]}', 'the filter: and needs at least two args'],
  ['{"op":"not","args":[{"op":"=","args":[1]}]}', 'the filter.args[0]: = takes 2 args'],
  ['{"op":"in","args":[{"property":"a"},1]}', 'the filter.args[1]: expected a list of values'],
  ['{"op":"t_after","args":[]}', /^the filter: t_after is not supported/],
  ['{"op":"=","args":[null,1]}', 'the filter.args[0]: expected an object'],
])('refuses the JSON %s', (json, problem) => {
  const read = parseCqlJson(json);
  expect(read).toEqual({ ok: false, problem: typeof problem === 'string' ? problem : expect.stringMatching(problem) });
});

test('converts geometries to degrees from the coordinate system of the filter', () => {
  const [, latitudeFirst, mercator] = COORDINATE_SYSTEMS;
  const read = parseCqlText('S_INTERSECTS(geometry, POINT(40 -112))', latitudeFirst);
  expect(read).toMatchObject({ value: { args: [{}, { coordinates: [-112, 40] }] } });
  const json = '{"op":"s_intersects","args":[{"property":"geometry"},{"type":"Point","coordinates":[0,0]}]}';
  expect(parseCqlJson(json, mercator)).toMatchObject({ value: { args: [{}, { coordinates: [0, 0] }] } });
});

const fragment = fc.constantFrom(
  'AND',
  'or',
  'NOT',
  '(',
  ')',
  ',',
  "'",
  '"',
  '=',
  '<',
  'LIKE',
  'between',
  'IN',
  'is',
  'null',
  'casei(',
  'a',
  '5',
  '-',
  '.',
  '1e5',
  'POINT(',
  'POLYGON((',
  'bbox(',
  's_intersects(',
  'DATE(',
  "'2010-01-01'",
  '\\',
  '\u{1f600}',
  '%',
);

test('no text and no JSON makes a parser throw an unexpected error', () => {
  const text = fc.oneof(
    fc.array(fragment).map((parts) => parts.join(' ')),
    anyText(),
    fc.json(),
  );
  fc.assert(
    fc.property(text, (input) => {
      expect(typeof parseCqlText(input).ok).toBe('boolean');
      expect(typeof parseCqlJson(input).ok).toBe('boolean');
    }),
    FUZZ,
  );
});

test('parses long texts in linear time', () => {
  const length = 100_000;
  for (const part of ["'", '(', 'a', '1', '"', ' ', 'NOT ', "a='", 'POINT(', 'a=1 AND ']) {
    expect(parseCqlText(part.repeat(length / part.length)).ok).toBe(false);
  }
});
