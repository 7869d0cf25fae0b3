// Equal criteria have equal keys, others have others.

import { criteriaKey, hasPeriod, type Boundary, type Criteria } from '../../shared/query/criteria';
import { filterTerm } from '../../shared/query/filter-terms';

const NO_CRITERIA: Criteria = { terms: [], period: {} };

const point = (digest: string, x: number): Boundary => ({ geometry: { type: 'Point', coordinates: [x, 2] }, digest });

const criteria: readonly Criteria[] = [
  NO_CRITERIA,
  { terms: [['state:ut']], period: {} },
  { terms: [['state:ut', 'state:co']], period: {} },
  { terms: [['state:ut'], ['state:co']], period: {} },
  { terms: [['state:ut', 'county:cache']], period: {} },
  { terms: [['state:ut'], ['county:cache']], period: {} },
  { terms: [['state:ut","state:co']], period: {} },
  { terms: [['state:ut'], []], period: {} },
  { terms: [], period: { from: 1 } },
  { terms: [], period: { to: 1 } },
  { terms: [], period: { from: 0 } },
  { terms: [], period: { from: 1, to: 1 } },
  { terms: [['state:ut']], period: { from: 1 } },
  { terms: [], period: {}, published: { from: 1 } },
  { terms: [], period: {}, published: { to: 1 } },
  { terms: [], period: {}, organizations: ['a'] },
  { terms: [], period: {}, organizations: ['a', 'b'] },
  { terms: [], period: {}, organizations: [] },
  { terms: [], period: {}, numbers: [{ column: 'flow', minimum: 1 }] },
  { terms: [], period: {}, numbers: [{ column: 'flow', maximum: 1 }] },
  { terms: [], period: {}, numbers: [{ column: 'volume', maximum: 1 }] },
  { terms: [], period: {}, numbers: [{ column: 'flow', minimum: 1, maximum: 1 }] },
  { terms: [], period: {}, owners: ['a'] },
  { terms: [], period: {}, owners: ['a', 'b'] },
  { terms: [], period: {}, boundary: point('a', 1) },
  { terms: [], period: {}, boundary: point('b', 1) },
  { terms: [], period: {}, condition: { kind: 'boundary', boundary: point('a', 1) } },
  { terms: [], period: {}, condition: { kind: 'boundary', boundary: point('b', 1) } },
  { terms: [], period: {}, condition: { kind: 'number', member: { kind: 'number', column: 'flow' }, least: 1 } },
  { terms: [], period: {}, condition: { kind: 'number', member: { kind: 'number', column: 'flow' }, most: 1 } },
  { terms: [], period: {}, condition: { kind: 'all', of: [] } },
  { terms: [], period: {}, condition: { kind: 'any', of: [] } },
];

test('different criteria have different keys', () => {
  expect(new Set(criteria.map(criteriaKey)).size).toBe(criteria.length);
});

test('neither order nor repetition matters', () => {
  const one: Criteria = { terms: [['state:ut', 'state:co', 'state:ut'], ['county:cache']], period: { from: 1, to: 2 } };
  const other: Criteria = { terms: [['county:cache'], ['state:co', 'state:ut']], period: { to: 2, from: 1 } };
  expect(criteriaKey(one)).toBe(criteriaKey(other));
});

test('a boundary counts by its digest', () => {
  const keyOf = (boundary: Boundary): string => criteriaKey({ ...NO_CRITERIA, boundary });
  expect(keyOf(point('d', 1))).toBe(keyOf(point('d', 3)));
});

test.each([
  [{}, false],
  [{ from: 0 }, true],
  [{ to: 0 }, true],
  [{ from: 1, to: 2 }, true],
])('the period %j bounds something: %s', (period, expected) => {
  expect(hasPeriod(period)).toBe(expected);
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
