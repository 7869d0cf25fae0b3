// FILE.warned.csv: every warning of a file, however many there are, beside its rejected rows.

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Report } from '../../data-loaders/format/report';
import { rules } from '../../data-loaders/format/rules';
import { siteAmountsSubmission, type Submission } from '../fixtures/submission';
import { rowsOf, withCells, withRows } from '../fixtures/submission-changes';
import { createTestService } from '../fixtures/test-service';

const AMOUNTS = 'sitespecificamounts.csv';
const HEADER = 'line,column,rule,value,sentence';
const MANY = 1500;

const service = createTestService();

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
