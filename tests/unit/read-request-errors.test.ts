// What a refused request says (D4), numbers and dates that are never repaired (D5 to D7).

import { aggregatedAmounts, siteAllocationAmounts, siteVariableAmounts } from '../../shared/query/operations';
import type { Operation } from '../../shared/query/operations';
import { splitQuery, type ParameterError } from '../../shared/query/query-values';
import { readRequest } from '../../shared/query/read-request';

function errorsOf(operation: Operation, query: string): readonly ParameterError[] {
  const read = readRequest(operation, splitQuery(query), { slashDateOrder: 'MDY' });
  return read.ok ? [] : read.errors;
}

test('all bad parameters are listed at once, each as the operation spells it', () => {
  const query = 'usgscategorynamecv=%zz&STATE=Utah&state=XX&searchgeometry=1&recordcount=0&x=1&Y=2&startdate=never';
  const errors = errorsOf(aggregatedAmounts, query).map(({ parameter, value }) => `${parameter}=${value}`);
  expect(errors.sort()).toEqual([
    ...['RecordCount=0', 'SearchBoundary=1', 'StartDate=never', 'State=Utah', 'State=XX', 'UsgsCategoryNameCV=%zz'],
    ...['Y=2', 'x=1'],
  ]);
});

test.each([
  { operation: siteVariableAmounts, name: 'USGSCategoryNameCV' },
  { operation: aggregatedAmounts, name: 'UsgsCategoryNameCV' },
  { operation: siteAllocationAmounts, name: 'USGSCategoryNameCV' },
])('$operation.name calls the category $name', ({ operation, name }) => {
  expect(errorsOf(operation, 'UsgsCategoryNameCv=%E9').map(({ parameter }) => parameter)).toEqual([name]);
});

test.each([
  ['199 characters', 'x'.repeat(199), 'x'.repeat(199)],
  ['200 characters', 'x'.repeat(200), 'x'.repeat(200)],
  ['201 characters', 'x'.repeat(201), 'x'.repeat(200)],
  ['100,000 characters', 'x'.repeat(100_000), 'x'.repeat(200)],
])('shows at most 200 characters of a value of %s', (_, value, shown) => {
  expect(errorsOf(siteVariableAmounts, `HUC8=${value}`).map((error) => error.value)).toEqual([shown]);
  expect(errorsOf(siteVariableAmounts, `Foo=${value}`).map((error) => error.value)).toEqual([shown]);
});

test('a character outside the basic plane is never cut in two', () => {
  const [error] = errorsOf(siteVariableAmounts, `HUC8=x${encodeURIComponent('\u{1F4A7}'.repeat(200))}`);
  expect(error?.value.isWellFormed()).toBe(true);
});

const KEY = `wdk_abcd1234_${'k'.repeat(43)}`;

test.each([
  ...[`apikey=${KEY}`, `${KEY}=1`, `State=${KEY}`, `StartIndex=${KEY}&StartIndex=${KEY}`, `key=${KEY}%`],
  `Foo=${'x'.repeat(170)}${KEY}`,
])('an access key is blotted out of %s', (query) => {
  const errors = errorsOf(siteVariableAmounts, query);
  expect(errors.length).toBeGreaterThan(0);
  expect(JSON.stringify(errors)).not.toContain('wdk_');
  expect(JSON.stringify(errors)).not.toContain('kkkk');
});

test.each([
  ...['-1', '+1', '1e3', '0x10', '12abc', '1.0', '1.', '.5', '1,000', '1 000', '\u0661', 'NaN', 'Infinity', '--1'],
])('neither StartIndex nor RecordCount is %s', (text) => {
  const value = encodeURIComponent(text);
  const names = errorsOf(siteVariableAmounts, `StartIndex=${value}&RecordCount=${value}`).map(
    (error) => error.parameter,
  );
  expect(names).toEqual(['StartIndex', 'RecordCount']);
});

test.each([
  ['StartIndex=9007199254740991', true],
  ['StartIndex=9007199254740992', false],
  ['StartIndex=0', true],
  ['StartIndex=007', true],
  ['RecordCount=0', false],
  ['RecordCount=1', true],
  ['RecordCount=10000', true],
  ['RecordCount=10001', false],
])('?%s is accepted: %s', (query, isAccepted) => {
  expect(errorsOf(siteVariableAmounts, query)).toHaveLength(isAccepted ? 0 : 1);
});

test.each([
  {
    operation: siteVariableAmounts,
    query: 'StartDate=2010-01-02&EndDate=1/1/2010',
    start: 'StartDate',
    end: 'EndDate',
  },
  {
    operation: aggregatedAmounts,
    query: 'EndDate=2010-01-01&StartDate=2010-01-02T00:00',
    start: 'StartDate',
    end: 'EndDate',
  },
  {
    operation: siteAllocationAmounts,
    query: 'StartPriorityDate=2010-01-02&EndPriorityDate=2010-01-01',
    start: 'StartPriorityDate',
    end: 'EndPriorityDate',
  },
])('$operation.name?$query: one entry names both dates', ({ operation, query, start, end }) => {
  const errors = errorsOf(operation, query);
  expect(errors.map(({ parameter }) => parameter)).toEqual([start]);
  expect(errors[0]?.message).toContain(end);
});

test('a start on its end is accepted, and both bounds are days', () => {
  const read = readRequest(siteVariableAmounts, splitQuery('StartDate=1970-01-02&EndDate=1/2/1970'), {
    slashDateOrder: 'MDY',
  });
  expect(read).toMatchObject({ ok: true, request: { condition: { kind: 'within', dates: 'period', from: 1, to: 1 } } });
});

test('the slash order of the operator is used for every date', () => {
  const read = readRequest(siteAllocationAmounts, splitQuery('StartPriorityDate=2/1/1970&EndPriorityDate=03/01/1970'), {
    slashDateOrder: 'DMY',
  });
  expect(read).toMatchObject({ ok: true, request: { condition: { kind: 'within', dates: 'period', from: 1, to: 2 } } });
});
