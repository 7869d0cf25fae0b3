// Each rule that rejects a row rejects that row alone; a column that must be there rejects every row. What the report
// says of them is bounded.

import type { RuleName } from '../../data-loaders/format/rules';
import { requiredColumns } from '../fixtures/plain-verdicts';
import { aggregatedSubmission, allocationsSubmission, siteAmountsSubmission } from '../fixtures/submission';
import type { Row, Submission } from '../fixtures/submission';
import { countsOf, findingsOf } from '../fixtures/raw-submission';
import { rowsOf, withCells, withInsertedCopy, withoutColumn, withRows } from '../fixtures/submission-changes';
import { createTestService } from '../fixtures/test-service';

const service = createTestService();

interface Case {
  readonly name: string;
  readonly file: string;
  /** Cells in which the second row differs from the first. */
  readonly cells: Row;
  readonly column: string | null;
  readonly rule: RuleName;
  readonly value: unknown;
}

const SITE_AMOUNTS = 'sitespecificamounts.csv';
const AGGREGATED = 'aggregatedamounts.csv';
const ALLOCATIONS = 'waterallocations.csv';
const RELATIONS = 'podsitetopousiterelationships.csv';

/** Pairs of a file and a column that no row of it may lack. */
const REQUIRED_COLUMNS = Object.entries(requiredColumns).flatMap(([file, columns]) =>
  columns.map((column): readonly [string, string] => [file, column]),
);

/** A valid submission that has the file. */
function submissionWith(file: string): Submission {
  const beneficialUses = [{ BeneficialUseCategory: 'Irrigation', USGSCategoryNameCV: 'Irrigation' }];
  const found = [siteAmountsSubmission, aggregatedSubmission, allocationsSubmission].find((one) => file in one);
  return found ?? { ...siteAmountsSubmission, 'beneficialuses.csv': beneficialUses };
}

/** `hint` stands behind an identifier that differs from a known one in letter case alone. */
function unknownReference(file: string, column: string, id: string, rule: RuleName, hint = ''): Case {
  const name = `an amount of ${file} whose ${column} the submission does not hold (${id})`;
  return { name, file, cells: { [column]: id, AllocationNativeID: 'other' }, column, rule, value: `${id}${hint}` };
}

function unreadable(file: string, column: string, value: string): Case {
  const name = `a row of ${file} whose ${column} is "${value}"`;
  return { name, file, cells: { [column]: value }, column, rule: 'required-unreadable', value };
}

function duplicate(file: string, column: string, value: string): Case {
  const name = `a second row of ${file} with the same ${column}`;
  return { name, file, cells: { [column]: value }, column, rule: 'duplicate-identifier', value };
}

const cases: readonly Case[] = [
  ...[SITE_AMOUNTS, AGGREGATED, ALLOCATIONS].flatMap((file) => [
    unknownReference(file, 'OrganizationUUID', 'ORG_9', 'unknown-organization'),
    unknownReference(file, 'OrganizationUUID', 'org_1', 'unknown-organization', ' (organizations.csv has ORG_1)'),
    unknownReference(file, 'VariableSpecificUUID', 'v1', 'unknown-variable', ' (variables.csv has V1)'),
    unknownReference(file, 'MethodUUID', 'M2', 'unknown-method'),
  ]),
  unknownReference(SITE_AMOUNTS, 'SiteUUID', 's1', 'unknown-site', ' (sites.csv has S1)'),
  unknownReference(AGGREGATED, 'ReportingUnitUUID', 'ru1', 'unknown-reporting-unit', ' (reportingunits.csv has RU1)'),
  ...['NaN', 'nan', 'Infinity', '-inf', '1,000', '0x10', 'Unknown', '12 AF', '1e999', '--1'].map((value) =>
    unreadable(SITE_AMOUNTS, 'Amount', value),
  ),
  unreadable(AGGREGATED, 'Amount', 'n/a'),
  ...['Utah', 'XX', 'U', 'UTA'].map((value) => unreadable('organizations.csv', 'State', value)),
  duplicate('organizations.csv', 'OrganizationUUID', 'ORG_1'),
  duplicate('variables.csv', 'VariableSpecificUUID', 'V1'),
  duplicate('methods.csv', 'MethodUUID', 'M1'),
  duplicate('watersources.csv', 'WaterSourceUUID', 'WS1'),
  duplicate('sites.csv', 'SiteUUID', 'S1'),
  duplicate('reportingunits.csv', 'ReportingUnitUUID', 'RU1'),
  duplicate('beneficialuses.csv', 'BeneficialUseCategory', 'Irrigation'),
  ...[SITE_AMOUNTS, AGGREGATED, ALLOCATIONS].map((file): Case => ({
    ...{ name: `a second amount of ${file} with the same key`, file },
    ...{ cells: { Amount: '99', AllocationOwner: 'Somebody else' }, column: null, rule: 'duplicate-amount' },
    value: expect.stringContaining('line 2'),
  })),
  ...['PODSiteUUID', 'POUSiteUUID'].map((column): Case => ({
    ...{ name: `a relation whose ${column} is not in sites.csv`, file: RELATIONS, cells: { [column]: 'S9' }, column },
    ...{ rule: 'relation-without-site', value: 'S9' },
  })),
  {
    ...{ name: 'a second relation of the same sites and dates', file: RELATIONS },
    ...{ cells: { StartDate: '1/1/2001', EndDate: '2001-12-31 00:00:00' }, column: null, rule: 'duplicate-relation' },
    value: 'S1,S2,1/1/2001,2001-12-31 00:00:00',
  },
  {
    ...{ name: 'an allocation with neither AllocationUUID nor AllocationNativeID', file: ALLOCATIONS },
    ...{ cells: { AllocationNativeID: 'Unknown' }, column: 'AllocationUUID', rule: 'no-identifier', value: '' },
  },
];

test.each(cases)('rejects $name, and no other row', async ({ file, cells, column, rule, value }) => {
  const submission = submissionWith(file);
  const report = await service.load(withInsertedCopy(submission, file, cells));
  expect(findingsOf(report, rule)).toEqual([{ file, line: 3, column, rule, value }]);
  const rows = rowsOf(submission, file).length;
  expect(countsOf(report, file)).toEqual(
    expect.objectContaining({
      ...{ read: rows + 1, accepted: rows, rejected: 1, reasons: expect.objectContaining({ [rule]: 1 }) },
    }),
  );
  expect(report.verdict).not.toBe('refused');
});

test.each(REQUIRED_COLUMNS)('rejects a row of %s without its %s, and no other row', async (file, column) => {
  const submission = submissionWith(file);
  const report = await service.load(withInsertedCopy(submission, file, { [column]: ' ' }));
  expect(findingsOf(report, 'required-empty')).toEqual([{ file, line: 3, column, rule: 'required-empty', value: ' ' }]);
  const rows = rowsOf(submission, file).length;
  expect(countsOf(report, file)).toMatchObject({ read: rows + 1, accepted: rows, rejected: 1 });
  expect(report.verdict).not.toBe('refused');
});

test.each(REQUIRED_COLUMNS)('rejects every row of %s when the file lacks the column %s', async (file, column) => {
  const submission = submissionWith(file);
  const report = await service.load(withoutColumn(submission, file, column));
  expect(findingsOf(report, 'missing-column')).toEqual([{ file, line: 1, column, rule: 'missing-column', value: '' }]);
  const rows = rowsOf(submission, file).length;
  expect(countsOf(report, file)).toMatchObject({
    ...{ read: rows, accepted: 0, rejected: rows, reasons: { 'missing-column': 1 } },
  });
});

const everyKindOfRow: readonly Row[] = [
  ...rowsOf(siteAmountsSubmission, SITE_AMOUNTS),
  { ...rowsOf(siteAmountsSubmission, SITE_AMOUNTS)[0] },
  { ...rowsOf(siteAmountsSubmission, SITE_AMOUNTS)[0], WaterSourceUUID: 'WS9' },
  { ...rowsOf(siteAmountsSubmission, SITE_AMOUNTS)[0], SiteUUID: 'S9', MethodUUID: 'M9' },
  { ...rowsOf(siteAmountsSubmission, SITE_AMOUNTS)[0], Amount: '', SiteUUID: '' },
];

test('a rejected row has all of its reasons', async () => {
  const report = await service.load(withRows(siteAmountsSubmission, SITE_AMOUNTS, everyKindOfRow));
  const found = report.findings.filter(({ line, file }) => file === SITE_AMOUNTS && line >= 10);
  expect(found.map(({ line, column, rule }) => [line, column, rule])).toEqual(
    expect.arrayContaining([
      [10, 'SiteUUID', 'unknown-site'],
      [10, 'MethodUUID', 'unknown-method'],
      [11, 'SiteUUID', 'required-empty'],
      [11, 'Amount', 'required-empty'],
    ]),
  );
  expect(countsOf(report, SITE_AMOUNTS).rejected).toBe(3);
});

test('lists the first 1,000 findings of each reason and counts all of them', async () => {
  const [first] = rowsOf(siteAmountsSubmission, SITE_AMOUNTS);
  const rows = Array.from({ length: 1500 }, (_, index): Row => ({ ...first, ReportYearCV: index + 1, Amount: 'none' }));
  const submission = withRows(siteAmountsSubmission, SITE_AMOUNTS, [
    ...rowsOf(siteAmountsSubmission, SITE_AMOUNTS),
    ...rows,
  ]);
  const report = await service.load(submission, { rejectedShareLimit: 1 });
  expect(countsOf(report, SITE_AMOUNTS).reasons).toEqual({ 'required-unreadable': 1500, 'absent-column': 1 });
  const listed = findingsOf(report, 'required-unreadable').map(({ line }) => line);
  expect(listed).toEqual(Array.from({ length: 1000 }, (_, index) => index + 8));
});

test('shows at most 200 characters of a value', async () => {
  const report = await service.load(withCells(siteAmountsSubmission, SITE_AMOUNTS, 0, { Amount: 'x'.repeat(5000) }));
  expect(findingsOf(report, 'required-unreadable')).toMatchObject([{ value: 'x'.repeat(200) }]);
});
