// What bounds conditions, the numbers next to a number, and keys: equal conditions have equal ones, others have others.

import fc from 'fast-check';
import {
  allOf,
  type Boundary,
  comparisonsIn,
  type Condition,
  conditionKey,
  depthOf,
  EVERYTHING,
  isEverything,
  isOneOf,
  nextAbove,
  nextBelow,
} from '../../shared/query/condition';
import { filterTerm } from '../../shared/query/text-filters';

const irrigated: Condition = {
  ...{ kind: 'text', member: { kind: 'field', field: 'use' } },
  test: { kind: 'one of', isFolded: false, values: ['Irrigation', 'Stockwatering'] },
};
const flowing: Condition = { kind: 'number', member: { kind: 'number', column: 'flow' }, least: 1 };

test('each value of a list counts as a comparison, and nesting counts its levels', () => {
  const nested: Condition = { kind: 'all', of: [irrigated, { kind: 'not', of: { kind: 'any', of: [flowing] } }] };
  expect([comparisonsIn(irrigated), comparisonsIn(flowing), comparisonsIn(nested)]).toEqual([2, 1, 3]);
  expect([depthOf(irrigated), depthOf(nested), depthOf({ kind: 'all', of: [] })]).toEqual([1, 4, 1]);
});

test('one condition alone is itself', () => {
  expect(allOf([flowing])).toBe(flowing);
  expect(allOf([flowing, irrigated])).toEqual({ kind: 'all', of: [flowing, irrigated] });
});

test('no number lies between a number and the next one', () => {
  expect([nextAbove(1), nextAbove(0), nextBelow(0)]).toEqual([1 + Number.EPSILON, 5e-324, -5e-324]);
  fc.assert(
    fc.property(fc.double({ noNaN: true, noDefaultInfinity: true, min: -1e300, max: 1e300 }), (number) => {
      expect(nextAbove(number)).toBeGreaterThan(number);
      expect(nextBelow(nextAbove(number))).toBe(number + 0);
      const middle = number / 2 + nextAbove(number) / 2;
      expect([number + 0, nextAbove(number)]).toContain(middle + 0);
    }),
  );
});

const point = (digest: string, x: number): Boundary => ({ geometry: { type: 'Point', coordinates: [x, 2] }, digest });
const utah = isOneOf('state', ['UT']);
const colorado = isOneOf('state', ['CO']);
const cache = isOneOf('county', ['Cache']);
const flow = { kind: 'number', column: 'flow' } as const;
const volume = { kind: 'number', column: 'volume' } as const;
const owner = (values: readonly string[], isFolded: boolean): Condition => ({
  ...{ kind: 'text', member: { kind: 'owner' } },
  test: { kind: 'one of', isFolded, values },
});

const conditions: readonly Condition[] = [
  EVERYTHING,
  { kind: 'any', of: [] },
  utah,
  isOneOf('state', ['UT', 'CO']),
  isOneOf('state', ['UT","state:co']),
  isOneOf('state', []),
  allOf([utah, colorado]),
  { kind: 'any', of: [utah, colorado] },
  allOf([utah, cache]),
  { kind: 'not', of: utah },
  { kind: 'not', of: allOf([utah, cache]) },
  allOf([{ kind: 'not', of: utah }, cache]),
  { kind: 'within', dates: 'period', from: 1 },
  { kind: 'within', dates: 'period', to: 1 },
  { kind: 'within', dates: 'period', from: 0 },
  { kind: 'within', dates: 'period', from: 1, to: 1 },
  { kind: 'within', dates: 'published', from: 1 },
  { kind: 'within', dates: 'published', to: 1 },
  { kind: 'during', from: 1 },
  { kind: 'number', member: flow, least: 1 },
  { kind: 'number', member: flow, most: 1 },
  { kind: 'number', member: flow, least: 1, most: 1 },
  { kind: 'number', member: volume, most: 1 },
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
  expect(new Set(conditions.map(conditionKey)).size).toBe(conditions.length);
});

test('neither order, repetition nor nesting of what is joined matters', () => {
  const one = allOf([
    utah,
    isOneOf('county', ['Cache', 'Rich', 'cache']),
    { kind: 'within', dates: 'period', from: 1, to: 2 },
  ]);
  const other = allOf([
    { kind: 'within', to: 2, dates: 'period', from: 1 },
    allOf([isOneOf('county', ['Rich', 'Cache County']), allOf([utah, utah])]),
  ]);
  expect(conditionKey(one)).toBe(conditionKey(other));
  expect(conditionKey({ kind: 'any', of: [utah, colorado] })).toBe(conditionKey({ kind: 'any', of: [colorado, utah] }));
  expect(conditionKey(owner(['b', 'a', 'b'], true))).toBe(conditionKey(owner(['a', 'b'], true)));
});

test('a condition alone has the key that it has as the only one of several', () => {
  expect(conditionKey({ kind: 'all', of: [utah] })).toBe(conditionKey(utah));
  expect(conditionKey({ kind: 'any', of: [utah] })).toBe(conditionKey(utah));
});

test('a boundary counts by its digest', () => {
  const keyOf = (boundary: Boundary): string => conditionKey({ kind: 'boundary', boundary });
  expect(keyOf(point('d', 1))).toBe(keyOf(point('d', 3)));
});

test('nothing but an AND of nothing asks for everything', () => {
  expect(conditions.filter(isEverything)).toEqual([EVERYTHING]);
  expect(isEverything(allOf([EVERYTHING, allOf([EVERYTHING])]))).toBe(true);
});

test.each([
  ['site', ' UT_S1 ', 'site:ut_s1'],
  ['variable', 'Site-Specific, Withdrawal', 'variable:sitespecificwithdrawal'],
  ['variableSpecific', 'A_B/c', 'variableSpecific:abc'],
  ['use', 'Stock  Watering', 'use:stock watering'],
  ['county', 'Cache County', 'county:cache'],
  ['state', 'UT', 'state:ut'],
] as const)('the term of the %s %j is %s', (field, value, term) => {
  expect(filterTerm(field, value)).toBe(term);
});
