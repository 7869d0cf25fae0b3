import { countsOf } from '../fixtures/raw-submission';
import { aggregatedSubmission, siteAmountsSubmission, type Row, type Submission } from '../fixtures/submission';
import {
  rowsOf,
  withCells,
  withInsertedCopy,
  withoutColumn,
  withoutFile,
  withRows,
} from '../fixtures/submission-changes';
import { createTestService } from '../fixtures/test-service';

const FILE = 'sitespecificamounts.csv';

const service = createTestService();

/** Ten amounts of which `bad` have no readable amount. */
function tenRows(bad: number): Submission {
  const [first] = rowsOf(siteAmountsSubmission, FILE);
  const rows = Array.from({ length: 10 }, (_, index): Row => ({
    ...first,
    ...{ ReportYearCV: 2000 + index, Amount: index < bad ? 'none' : index },
  }));
  return withRows(siteAmountsSubmission, FILE, rows);
}

const twoOrganizations = withCells(
  withInsertedCopy(siteAmountsSubmission, 'organizations.csv', { OrganizationUUID: 'ORG_2' }),
  FILE,
  4,
  { OrganizationUUID: 'ORG_2' },
);

test.each<readonly [name: string, submission: Submission, sentence: RegExp]>([
  [
    'without an amounts file',
    withoutFile(siteAmountsSubmission, FILE),
    /sitespecificamounts\.csv.*aggregated.*allocations/,
  ],
  ['without organizations.csv', withoutFile(siteAmountsSubmission, 'organizations.csv'), /organizations\.csv/],
  [
    'whose organization has no name',
    withCells(siteAmountsSubmission, 'organizations.csv', 0, { OrganizationName: '' }),
    /organizations\.csv/,
  ],
  ['whose amounts name two organizations', twoOrganizations, /2 organizations.*ORG_1.*ORG_2/],
  ['of which no amount is accepted', tenRows(10), /no amount.*10 of 10 rows of sitespecificamounts\.csv/],
  ['whose amounts file has only a header', withRows(siteAmountsSubmission, FILE, [{ SiteUUID: '' }]), /no amount/],
  ['without methods', withoutFile(siteAmountsSubmission, 'methods.csv'), /no amount.*6 of 6/],
])('refuses a submission %s, in a sentence that says so', async (_, submission, sentence) => {
  const before = await service.store.currentState();
  const report = await service.load(submission);
  expect(report).toMatchObject({ verdict: 'refused', dataSets: [], dataVersion: null });
  expect(report.sentence).toMatch(sentence);
  expect(report.sentence).toMatch(/^[A-Z].*\.$/);
  expect(await service.store.currentState()).toEqual(before);
});

test.each([
  [
    'a column that every row needs is not there',
    withoutColumn(siteAmountsSubmission, FILE, 'Amount'),
    '6 of 6 rows of sitespecificamounts.csv, which lacks Amount',
  ],
  [
    'nothing that the rows name is there',
    withoutFile(siteAmountsSubmission, 'methods.csv'),
    '6 of 6 rows of sitespecificamounts.csv, mostly because: methods.csv has no accepted row with this MethodUUID, as MethodUUID M1 on line 2',
  ],
  ['a file has only a header', { ...siteAmountsSubmission, [FILE]: [] }, '0 of 0 rows of sitespecificamounts.csv'],
])('says why no row could be taken where %s', async (_, submission, why) => {
  const { sentence } = await service.load(submission);
  expect(sentence).toBe(`Refused: no amount row could be accepted (rejected: ${why}).`);
});

test.each([
  { bad: 3, limit: 0.3, verdict: 'published' },
  { bad: 4, limit: 0.3, verdict: 'refused' },
  { bad: 1, limit: 0.1, verdict: 'published' },
  { bad: 1, limit: 0, verdict: 'refused' },
  { bad: 0, limit: 0, verdict: 'published' },
  { bad: 9, limit: 1, verdict: 'published' },
])('$bad rejected rows of ten are $verdict where the limit is $limit', async ({ bad, limit, verdict }) => {
  // An amount of its own for each case, so that none is unchanged after another.
  const other = withCells(tenRows(bad), FILE, 9, { Amount: bad * 100 + limit });
  const report = await service.load(other, { rejectedShareLimit: limit });
  expect(report.verdict).toBe(verdict);
  expect(countsOf(report, FILE)).toMatchObject({ read: 10, accepted: 10 - bad, rejected: bad });
});

test('a submission over the limit is told which file is, what would have changed, and its uses without a category', async () => {
  await service.load(tenRows(0));
  const submission = withCells(tenRows(4), FILE, 9, { BeneficialUseCategory: 'Unheard of', Amount: 12_345 });
  const report = await service.load(submission, { rejectedShareLimit: 0.3 });
  expect(report).toMatchObject({
    ...{ verdict: 'refused', dataVersion: null },
    dataSets: [
      {
        ...{ dataSet: 'SiteVariableAmounts', outcome: 'refused', releaseId: null, records: 6 },
        change: { added: 1, removed: 5, changed: 0 },
        uncategorizedUses: [{ use: 'Unheard of', records: 1 }],
      },
    ],
  });
  expect(report.sentence).toBe(
    'Refused: 4 of the 10 rows of sitespecificamounts.csv are rejected, 40 percent where the limit is 30 percent.',
  );
});

test('counts rows with a key that an earlier row has into the rejected share', async () => {
  const [first, ...others] = rowsOf(tenRows(0), FILE);
  const rows = [{ ...first }, { ...first }, ...others];
  const report = await service.load(withRows(siteAmountsSubmission, FILE, rows), { rejectedShareLimit: 0.05 });
  expect(report.verdict).toBe('refused');
  expect(report.sentence).toContain('1 of the 11 rows');
});

test('refuses the whole submission when one of its amounts files is over the limit', async () => {
  const before = await service.store.currentState();
  const both = {
    ...aggregatedSubmission,
    ...tenRows(4),
    'reportingunits.csv': rowsOf(aggregatedSubmission, 'reportingunits.csv'),
  };
  const report = await service.load(both, { rejectedShareLimit: 0.3 });
  expect(report.verdict).toBe('refused');
  expect(await service.store.currentState()).toEqual(before);
});

test('an organization that only rejected rows name does not count', async () => {
  const submission = withCells(twoOrganizations, FILE, 4, { OrganizationUUID: 'ORG_2', Amount: '' });
  expect((await service.load(submission)).verdict).toBe('published');
});
