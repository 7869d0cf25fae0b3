import { countsOf, findingsOf } from '../fixtures/report-reading';
import { REQUIRED_COLUMNS, submissionWith } from '../fixtures/required-columns';
import { rowsOf, withInsertedCopy, withoutColumn } from '../fixtures/submission-changes';
import { createTestService } from '../fixtures/test-service';

const service = createTestService();

afterAll(() => service.close());

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
    read: rows,
    accepted: 0,
    rejected: rows,
    reasons: { 'missing-column': 1 },
  });
});
