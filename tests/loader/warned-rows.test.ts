import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Report } from '../../data-loaders/format/report';
import { rules, type RuleName } from '../../data-loaders/format/rules';
import { countsOf, findingsOf } from '../fixtures/raw-submission';
import { aggregatedSubmission, allocationsSubmission, siteAmountsSubmission } from '../fixtures/submission';
import type { Row, Submission } from '../fixtures/submission';
import { rowsOf, withCells, withInsertedCopy, withRows } from '../fixtures/submission-changes';
import { createTestService } from '../fixtures/test-service';

const service = createTestService();

interface Case {
  readonly name: string;
  readonly submission: Submission;
  readonly file: string;
  /** Changed cells of the first row. */
  readonly cells: Row;
  readonly column: string;
  readonly rule: RuleName;
  readonly value: unknown;
}

const AMOUNTS = 'sitespecificamounts.csv';
const ALLOCATIONS = 'waterallocations.csv';
const sites = { submission: siteAmountsSubmission, file: 'sites.csv' };
const amounts = { submission: siteAmountsSubmission, file: AMOUNTS };
const allocations = { submission: allocationsSubmission, file: ALLOCATIONS };
const aggregated = { submission: aggregatedSubmission, file: 'aggregatedamounts.csv' };

function unreadable(where: typeof amounts, rule: RuleName, column: string, value: string): Case {
  return {
    ...where,
    ...{ name: `${column} of ${where.file} that is "${value}"`, cells: { [column]: value }, column, rule, value },
  };
}

function noPoint(longitude: string, latitude: string): Case {
  return {
    ...sites,
    name: `coordinates that are no point (${longitude} ${latitude})`,
    cells: { Longitude: longitude, Latitude: latitude },
    column: 'Longitude',
    rule: 'no-point',
    value: `${longitude} ${latitude}`,
  };
}

function unusableGeometry(where: typeof amounts, geometry: string): Case {
  return {
    ...where,
    ...{ name: `a geometry of ${where.file} that searches cannot use (${geometry})`, cells: { Geometry: geometry } },
    ...{ column: 'Geometry', rule: 'unusable-geometry', value: expect.stringContaining(geometry) },
  };
}

const units = { submission: aggregatedSubmission, file: 'reportingunits.csv' };

const cases: readonly Case[] = [
  ...[amounts, aggregated, allocations].map((where): Case => ({
    ...where,
    ...{ name: `a water source of ${where.file} that the submission does not hold`, cells: { WaterSourceUUID: 'ws1' } },
    ...{ column: 'WaterSourceUUID', rule: 'unknown-water-source', value: 'ws1 (watersources.csv has WS1)' },
  })),
  {
    ...sites,
    ...{ name: 'a water source of a site that the submission does not hold', cells: { WaterSourceUUIDs: 'WS1,WS9' } },
    ...{ column: 'WaterSourceUUIDs', rule: 'unknown-water-source', value: 'WS9' },
  },
  {
    ...allocations,
    ...{ name: 'an unknown site in an allocation', cells: { SiteUUID: 'S2,S9,S1' }, column: 'SiteUUID' },
    ...{ rule: 'unknown-site-in-list', value: 'S9' },
  },
  {
    ...allocations,
    ...{ name: 'an allocation without any site', cells: { SiteUUID: '' }, column: 'SiteUUID', rule: 'without-site' },
    value: '',
  },
  ...[amounts, aggregated].map((where): Case => ({
    ...where,
    name: `a TimeframeStart of ${where.file} after its TimeframeEnd`,
    cells: { TimeframeStart: '2017-02-01', TimeframeEnd: '2016-03-04' },
    column: 'TimeframeStart',
    rule: 'reversed-timeframe',
    value: expect.stringContaining('2017-02-01'),
  })),
  unreadable(amounts, 'unreadable-date', 'TimeframeStart', '13/13/2000'),
  unreadable(amounts, 'unreadable-date', 'DataPublicationDate', '2020-02-30'),
  unreadable(aggregated, 'unreadable-number', 'IrrigatedAcreage', 'Infinity'),
  unreadable(allocations, 'unreadable-number', 'AllocationFlow_CFS', '1.5 cfs'),
  unreadable(amounts, 'impossible-number', 'Amount', '-1.797E+308'),
  unreadable(amounts, 'impossible-number', 'IrrigatedAcreage', '1.01e300'),
  unreadable(aggregated, 'impossible-number', 'Amount', '1.7e308'),
  unreadable(allocations, 'impossible-number', 'AllocationFlow_CFS', '1.7976931348623157e308'),
  unreadable(allocations, 'impossible-number', 'AllocationVolume_AF', '-1e301'),
  noPoint('-181', '40'),
  noPoint('-111', '90.5'),
  noPoint('180.1', '40'),
  noPoint('-111', '-91'),
  unusableGeometry(units, 'POLYGON ((-112 41, -111 41, -111 42))'),
  unusableGeometry(units, 'POLYGON ((-112 41, -111 41, -111 42, -112 40))'),
  unusableGeometry(units, 'POLYGON EMPTY'),
  unusableGeometry(sites, 'a field behind the barn'),
];

test.each(cases)('takes $name with a warning', async ({ submission, file, cells, column, rule, value }) => {
  const report = await service.load(withCells(submission, file, 0, cells));
  expect(findingsOf(report, rule)).toEqual([{ file, line: 2, column, rule, value }]);
  const rows = rowsOf(submission, file).length;
  const counts = countsOf(report, file);
  expect(counts).toMatchObject({ read: rows, accepted: rows, rejected: 0 });
  expect(counts.reasons[rule]).toBe(1);
  expect(counts.warned).toBeGreaterThanOrEqual(1);
});

test('takes a vocabulary term in another letter case with a warning, and only such a term', async () => {
  const changed = withCells(siteAmountsSubmission, AMOUNTS, 3, { BeneficialUseCategory: 'IRRIGATION,Domestic' });
  const report = await service.load(
    withCells(changed, AMOUNTS, 4, { CommunityWaterSupplySystem: 'clear creek water' }),
  );
  expect(findingsOf(report, 'letter-case')).toEqual([
    expect.objectContaining({
      ...{ file: AMOUNTS, line: 5, column: 'BeneficialUseCategory', value: expect.stringContaining('IRRIGATION') },
    }),
  ]);
  expect(countsOf(report, AMOUNTS)).toMatchObject({ accepted: 6, warned: 1, rejected: 0 });
});

test('leaves other organizations aside with a warning each', async () => {
  const others = { OrganizationUUID: 'ORG_2', State: 'CO' };
  const report = await service.load(withInsertedCopy(siteAmountsSubmission, 'organizations.csv', others));
  expect(findingsOf(report, 'other-organization')).toEqual([
    { file: 'organizations.csv', line: 3, column: 'OrganizationUUID', rule: 'other-organization', value: 'ORG_2' },
  ]);
  expect(countsOf(report, 'organizations.csv')).toMatchObject({ read: 2, accepted: 2, warned: 1, rejected: 0 });
  expect(report.dataSets.map(({ organizationUuid }) => organizationUuid)).toEqual(['ORG_1']);
});

test('counts a row with several warnings once, and each warning', async () => {
  const cells = { WaterSourceUUID: 'WS9', DataPublicationDate: 'soon', PopulationServed: 'many' };
  const report = await service.load(withCells(siteAmountsSubmission, AMOUNTS, 2, cells));
  expect(countsOf(report, AMOUNTS)).toMatchObject({
    warned: 1,
    reasons: { 'unknown-water-source': 1, 'unreadable-date': 1, 'unreadable-number': 1 },
  });
});

test('does not count the warnings of a row that is rejected for its key', async () => {
  const report = await service.load(withInsertedCopy(siteAmountsSubmission, AMOUNTS, { DataPublicationDate: 'soon' }));
  const { warned, rejected, reasons } = countsOf(report, AMOUNTS);
  expect({ warned, rejected }).toEqual({ warned: 0, rejected: 1 });
  expect(reasons).not.toHaveProperty('unreadable-date');
  expect(findingsOf(report, 'unreadable-date')).toEqual([]);
});

// FILE.warned.csv: every warning of a file, however many there are, beside its rejected rows.

const HEADER = 'line,column,rule,value,sentence';
const MANY = 1500;

async function load(
  submission: Submission,
  name: string,
): Promise<{ report: Report; linesOf: (file: string) => string[] }> {
  const rejectedDirectory = join(service.folder, name);
  const report = await service.load(submission, { rejectedDirectory, isDryRun: true });
  const textOf = (file: string): string => readFileSync(join(rejectedDirectory, file), 'utf8');
  return {
    report,
    linesOf: (file) => (existsSync(join(rejectedDirectory, file)) ? textOf(file).trimEnd().split('\n') : []),
  };
}

const [amount] = rowsOf(siteAmountsSubmission, AMOUNTS);

test('a warning has its line, column, rule, value and sentence', async () => {
  const submission = withCells(siteAmountsSubmission, AMOUNTS, 1, { IrrigatedAcreage: '1,200 acres' });
  const { linesOf } = await load(submission, 'one');
  const [header, ...lines] = linesOf('sitespecificamounts.warned.csv');
  expect(header).toBe(HEADER);
  expect(lines.filter((line) => !line.includes('absent-column'))).toEqual([
    `3,IrrigatedAcreage,unreadable-number,"1,200 acres",${rules['unreadable-number'].sentence}`,
  ]);
});

test('all warnings are listed, not the first 1,000 of a rule alone', async () => {
  const many = Array.from({ length: MANY }, (_, index) => ({
    ...amount,
    TimeframeStart: '1.1.2000',
    CommunityWaterSupplySystem: `system ${index}`,
  }));
  const { report, linesOf } = await load(withRows(siteAmountsSubmission, AMOUNTS, many), 'many');
  expect(report.findings.filter(({ rule }) => rule === 'unreadable-date')).toHaveLength(1000);
  const lines = linesOf('sitespecificamounts.warned.csv').filter((line) => line.includes(',unreadable-date,'));
  expect(lines.map((line) => Number(line.split(',')[0]))).toEqual(many.map((_, index) => index + 2));
});

test('each file that has warnings gets a list that the counts of the report agree with', async () => {
  const spoilt = withCells(siteAmountsSubmission, 'sites.csv', 0, { Longitude: 'west', NHDUpdateDate: 'May' });
  const { report, linesOf } = await load(spoilt, 'each');
  for (const { file, reasons } of report.files) {
    // The keys of reasons are rules.
    const warned = Object.entries(reasons).filter(
      ([rule]) => rules[rule as keyof typeof rules].severity !== 'rejected',
    );
    const lines = linesOf(file.replace('.csv', '.warned.csv')).slice(1);
    for (const [rule, count] of warned) expect(lines.filter((line) => line.includes(`,${rule},`))).toHaveLength(count);
    expect(lines).toHaveLength(warned.reduce((sum, [, count]) => sum + count, 0));
  }
});

test('a row that turns out to be rejected is not warned for', async () => {
  const twice = { ...amount, TimeframeStart: '1.1.2000' };
  const { report, linesOf } = await load(withRows(siteAmountsSubmission, AMOUNTS, [twice, twice]), 'twice');
  expect(report.files.find(({ file }) => file === AMOUNTS)).toMatchObject({ rejected: 1, warned: 1 });
  const lines = linesOf('sitespecificamounts.warned.csv').filter((line) => line.includes(',unreadable-date,'));
  expect(lines).toHaveLength(1);
  expect(lines[0]).toMatch(/^2,/);
});
