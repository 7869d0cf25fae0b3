// What a refused request says (D4), numbers and dates that are never repaired (D5 to D7).

import { aggregatedAmounts, siteAllocationAmounts, siteVariableAmounts } from '../../shared/query/operations';
import type { Operation } from '../../shared/query/operations';
import { splitQuery, type ParameterError } from '../../shared/query/query-values';
import { readRequest } from '../../shared/query/read-request';

function errorsOf(operation: Operation, query: string): readonly ParameterError[] {
  const read = readRequest(operation, splitQuery(query), { slashDateOrder: 'MDY' });
  return read.ok ? [] : read.errors;
}

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
