// What bounds conditions, the numbers next to a number, and keys: equal conditions have equal ones, others have others.

import {
  allOf,
  type Boundary,
  comparisonsIn,
  type Condition,
  conditionKey,
  depthOf,
  EVERYTHING,
  isOneOf,
} from '../../shared/query/condition';

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
