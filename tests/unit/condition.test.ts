// The size and the key of a condition: different conditions have different keys.

import {
  type Boundary,
  buildConditionKey,
  buildTermCondition,
  type Condition,
  countComparisons,
  EVERYTHING,
  joinAll,
  measureDepth,
} from '../../shared/query/condition';

const irrigated: Condition = {
  kind: 'text',
  member: { kind: 'field', field: 'use' },
  test: { kind: 'one of', isFolded: false, values: ['Irrigation', 'Stockwatering'] },
};
const flowing: Condition = { kind: 'number', member: { kind: 'number', column: 'flow' }, min: 1 };

const nested: Condition = {
  kind: 'all',
  operands: [irrigated, { kind: 'not', operand: { kind: 'any', operands: [flowing] } }],
};

test('counts each value of a list as a comparison', () => {
  expect(countComparisons(irrigated)).toBe(2);
  expect(countComparisons(flowing)).toBe(1);
  expect(countComparisons(nested)).toBe(3);
});

test('measures how deep conditions are nested', () => {
  expect(measureDepth(irrigated)).toBe(1);
  expect(measureDepth(nested)).toBe(4);
  expect(measureDepth({ kind: 'all', operands: [] })).toBe(1);
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

test('gives different conditions different keys', () => {
  expect(new Set(conditions.map(buildConditionKey)).size).toBe(conditions.length);
});
