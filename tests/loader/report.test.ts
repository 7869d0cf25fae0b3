import { siteAmountsSubmission, type Row } from '../fixtures/submission';
import { countsOf, findingsOf } from '../fixtures/raw-submission';
import { rowsOf, withCells, withRows } from '../fixtures/submission-changes';
import { createTestService } from '../fixtures/test-service';

const FILE = 'sitespecificamounts.csv';

const service = createTestService();

const everyKindOfRow: readonly Row[] = [
  ...rowsOf(siteAmountsSubmission, FILE),
  { ...rowsOf(siteAmountsSubmission, FILE)[0] },
  { ...rowsOf(siteAmountsSubmission, FILE)[0], WaterSourceUUID: 'WS9' },
  { ...rowsOf(siteAmountsSubmission, FILE)[0], SiteUUID: 'S9', MethodUUID: 'M9' },
  { ...rowsOf(siteAmountsSubmission, FILE)[0], Amount: '', SiteUUID: '' },
];

test('a rejected row has all of its reasons', async () => {
  const report = await service.load(withRows(siteAmountsSubmission, FILE, everyKindOfRow));
  const found = report.findings.filter(({ line, file }) => file === FILE && line >= 10);
  expect(found.map(({ line, column, rule }) => [line, column, rule])).toEqual(
    expect.arrayContaining([
      [10, 'SiteUUID', 'unknown-site'],
      [10, 'MethodUUID', 'unknown-method'],
      [11, 'SiteUUID', 'required-empty'],
      [11, 'Amount', 'required-empty'],
    ]),
  );
  expect(countsOf(report, FILE).rejected).toBe(3);
});

test('lists the first 1,000 findings of each reason and counts all of them', async () => {
  const [first] = rowsOf(siteAmountsSubmission, FILE);
  const rows = Array.from({ length: 1500 }, (_, index): Row => ({ ...first, ReportYearCV: index + 1, Amount: 'none' }));
  const submission = withRows(siteAmountsSubmission, FILE, [...rowsOf(siteAmountsSubmission, FILE), ...rows]);
  const report = await service.load(submission, { rejectedShareLimit: 1 });
  expect(countsOf(report, FILE).reasons).toEqual({ 'required-unreadable': 1500, 'absent-column': 1 });
  const listed = findingsOf(report, 'required-unreadable').map(({ line }) => line);
  expect(listed).toEqual(Array.from({ length: 1000 }, (_, index) => index + 8));
});

test('shows at most 200 characters of a value', async () => {
  const report = await service.load(withCells(siteAmountsSubmission, FILE, 0, { Amount: 'x'.repeat(5000) }));
  expect(findingsOf(report, 'required-unreadable')).toMatchObject([{ value: 'x'.repeat(200) }]);
});
