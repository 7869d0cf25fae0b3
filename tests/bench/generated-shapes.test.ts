// The generated submissions have the shapes of real ones, and the same bytes from the same seed, so that two runs of a
// benchmark can be compared.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { generateSubmissions } from '../../bench/generate/submissions';
import { temporaryFolder } from '../fixtures/temporary-folder';

type Row = Readonly<Record<string, string>>;

const RECORDS = 20_000;
const [folder, again, other] = [temporaryFolder(), temporaryFolder(), temporaryFolder()];

beforeAll(() => generateSubmissions(folder, RECORDS, 1));

test('the same seed gives the same bytes, another one does not', async () => {
  await generateSubmissions(again, RECORDS, 1);
  await generateSubmissions(other, RECORDS, 2);
  expect(contentOf(again)).toBe(contentOf(folder));
  expect(contentOf(other)).not.toBe(contentOf(folder));
});

test('a few gages have long series, many sites a short one', () => {
  const counts = countsOf(rowsOf('site-amounts', 'sitespecificamounts.csv').map(cell('SiteUUID')));
  const gages = counts.slice(-12);
  const others = counts.slice(0, -12);
  expect(sum(gages)).toBe(RECORDS / 4);
  expect(gages[0]).toBeGreaterThan(RECORDS / 4 / 13);
  expect(others.length).toBeGreaterThan(200);
  expect(middle(others)).toBeGreaterThan(15);
  expect(middle(others)).toBeLessThan(45);
  expect(others.at(-1)).toBeLessThanOrEqual(273);
});

test('places of use have areas with a heavy tail of corners, some in two parts', () => {
  const areas = rowsOf('allocations', 'sites.csv')
    .map(cell('Geometry'))
    .filter((geometry) => geometry !== '');
  const corners = areas.map((area) => area.split(',').length).sort((a, b) => a - b);
  expect(middle(corners)).toBeLessThan(110);
  expect(corners.at(-1)).toBeGreaterThan(10 * middle(corners));
  expect(areas.some((area) => area.startsWith('MULTIPOLYGON'))).toBe(true);
});

test('rights name 1 to 215 sites, half of them one or two, and some several uses', () => {
  const rights = rowsOf('allocations', 'waterallocations.csv');
  const sites = rights.map((right) => partsOf(right['SiteUUID'])).sort((a, b) => a - b);
  expect([sites[0], middle(sites), sites.at(-1)]).toEqual([1, 2, 215]);
  const severalUses = rights.filter((right) => partsOf(right['BeneficialUseCategory']) > 1);
  expect(severalUses.length / rights.length).toBeGreaterThan(0.15);
});

test('rights are 28 percent of the site amounts, aggregated amounts 3', () => {
  expect(rowsOf('site-amounts', 'sitespecificamounts.csv')).toHaveLength(RECORDS);
  expect(rowsOf('allocations', 'waterallocations.csv')).toHaveLength(5600);
  expect(rowsOf('aggregated', 'aggregatedamounts.csv')).toHaveLength(600);
});

function rowsOf(submission: string, file: string): Row[] {
  return parse(readFileSync(join(folder, submission, file)), { columns: true });
}

function contentOf(root: string): string {
  const files = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((name) => /\.(csv|json)$/.test(name));
  return files
    .sort()
    .map((name) => `${name}\n${readFileSync(join(root, name), 'utf8')}`)
    .join('');
}

function cell(column: string): (row: Row) => string {
  return (row) => row[column] ?? '';
}

function partsOf(list: string | undefined): number {
  return (list ?? '').split(',').length;
}

/** Sorts ascending. */
function countsOf(values: readonly string[]): number[] {
  const counts = new Map<string, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts.values()].sort((a, b) => a - b);
}

function middle(ascending: readonly number[]): number {
  return ascending[Math.floor(ascending.length / 2)] ?? NaN;
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
