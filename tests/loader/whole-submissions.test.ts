// The metadata in submission.json, which is stored with the publish (ADR 0105), and submissions that are refused as a
// whole, with a reason.

import type { Report } from '../../data-loaders/format/report';
import type { SubmissionStatement } from '../../shared/store/catalog-types';
import { getFileCounts, loadRawFiles } from '../fixtures/raw-submission';
import { aggregatedSubmission, type Row, siteAmountsSubmission, type Submission } from '../fixtures/submission';
import {
  getRows,
  withCells,
  withInsertedCopy,
  withoutColumn,
  withoutFile,
  withRows,
} from '../fixtures/submission-changes';
import { createTestService } from '../fixtures/test-service';

const FILE = 'sitespecificamounts.csv';

const service = createTestService();

let amount = 100;

/** Changes an amount each time, so that something is published. */
function changed(): Submission {
  amount++;
  return withCells(siteAmountsSubmission, FILE, 0, { Amount: amount });
}

function load(metadata: object, name = 'third quarter', submission = changed()): Promise<Report> {
  return loadRawFiles(service, submission, { 'submission.json': JSON.stringify(metadata) }, { name });
}

async function stated(): Promise<SubmissionStatement | undefined> {
  return (await service.store.currentState()).entries[0]?.submission;
}

const terms = {
  termsOfUse: 'Provisional data, subject to revision',
  license: 'https://creativecommons.org/licenses/by/4.0/',
  citation: 'Office of Water (2026)',
};
const whole = { mode: 'replace', contact: 'data@example.org', note: 'first', ...terms };
const none = { contact: null, note: null, termsOfUse: null, license: null, citation: null };

test("the catalog entry has the trimmed members of submission.json and the submission's name", async () => {
  expect((await load({ ...whole, contact: ' data@example.org ' })).notes).toEqual([]);
  expect(await stated()).toEqual({ name: 'third quarter', contact: 'data@example.org', note: 'first', ...terms });
});

test('missing and blank members are null', async () => {
  await load({ contact: ' ', license: '' });
  expect(await stated()).toEqual({ name: 'third quarter', ...none });
});

test('a submission without submission.json is named after its folder', async () => {
  await service.load(changed());
  expect(await stated()).toEqual({ name: expect.stringMatching(/^submission-\d+$/), ...none });
});

test('the data version does not depend on the name and the note of a submission', async () => {
  const submission = changed();
  await load(whole, 'one', submission);
  const { version } = await service.store.currentState();
  await load({});
  await load({ ...whole, note: 'another' }, 'two', submission);
  expect((await service.store.currentState()).version).toBe(version);
  expect(await stated()).toMatchObject({ name: 'two', note: 'another' });
});

test.each(Object.keys({ contact: '', ...terms }))(
  'another %s is published even if the rows are the same, and the report says so',
  async (name) => {
    const submission = changed();
    await load(whole, 'one', submission);
    const { verdict, dataSets, notes } = await load({ ...whole, [name]: 'https://example.org/2' }, 'two', submission);
    expect(verdict).toBe('published');
    expect(dataSets[0]?.change).toEqual({ added: 0, removed: 0, changed: 0 });
    expect(notes).toEqual([
      'The contact, terms, license or citation of SiteVariableAmounts differ from those that were published.',
    ]);
    expect(await stated()).toMatchObject({ name: 'two', [name]: 'https://example.org/2' });
    expect((await load({ ...whole, [name]: 'https://example.org/2' }, 'three', submission)).verdict).toBe('unchanged');
  },
);

test.each([
  [{}, terms],
  [{ contact: 'new@example.org' }, { ...terms, contact: 'new@example.org' }],
  [{ citation: 'Office of Water (2027)' }, { ...terms, citation: 'Office of Water (2027)' }],
  [
    { license: null, termsOfUse: '' },
    { ...terms, license: null, termsOfUse: null },
  ],
])('a merge with %j keeps the contact and the other terms of the published release', async (own, expected) => {
  await load(whole);
  expect((await load({ mode: 'merge', ...own }, 'a merge')).verdict).toBe('published');
  expect(await stated()).toEqual({ name: 'a merge', contact: 'data@example.org', note: null, ...expected });
});

test('a replacement keeps no terms of the previous release', async () => {
  await load(whole);
  await load({ contact: 'new@example.org' });
  expect(await stated()).toEqual({ name: 'third quarter', ...none, contact: 'new@example.org' });
});

test('unknown members are reported', async () => {
  await load({});
  const { notes, verdict } = await load({ licence: 'x', toString: 1 });
  expect({ notes, verdict }).toEqual({
    notes: ['submission.json: unknown members that were not read: licence, toString.'],
    verdict: 'published',
  });
});

test.each<readonly [content: object, sentence: string]>([
  [{ mode: 'append' }, 'its mode must be "replace" or "merge"'],
  [{ contact: 7 }, 'its contact must be text of at most 2000 characters'],
  [{ note: ['a'] }, 'its note must be text of at most 2000 characters'],
  [{ citation: 'x'.repeat(2001) }, 'its citation must be text of at most 2000 characters'],
  [
    { license: 'CC-BY' },
    'its license must be a web address that starts with https:// or http://, of at most 2000 characters',
  ],
  [
    { license: 'javascript:alert(1)' },
    'its license must be a web address that starts with https:// or http://, of at most 2000 characters',
  ],
  [
    { mode: 1, termsOfUse: {} },
    'its mode must be "replace" or "merge", and its termsOfUse must be text of at most 2000 characters',
  ],
  [[], 'it must be an object, such as {"mode": "replace"}'],
])('refuses %j', async (content, sentence) => {
  expect((await load(content)).sentence).toBe(`Refused: submission.json is invalid: ${sentence}.`);
});

test('refuses a submission.json that is not JSON, and one that is too long', async () => {
  const findSentence = async (text: string): Promise<string> =>
    (await loadRawFiles(service, changed(), { 'submission.json': text })).sentence;
  expect(await findSentence('{mode: merge}')).toBe(
    'Refused: submission.json is not readable as JSON; write an object such as {"mode": "replace"}, or leave the file empty.',
  );
  expect(await findSentence(' '.repeat(65_537))).toBe('Refused: submission.json is longer than 65536 bytes.');
});

/** Ten amounts, of which `bad` are unreadable. */
function tenRows(bad: number): Submission {
  const [first] = getRows(siteAmountsSubmission, FILE);
  const rows = Array.from({ length: 10 }, (_, index): Row => ({
    ...first,
    ReportYearCV: 2000 + index,
    Amount: index < bad ? 'none' : index,
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
  ['whose amounts belong to two organizations', twoOrganizations, /2 organizations.*ORG_1.*ORG_2/],
  ['without any accepted amount', tenRows(10), /no amount.*10 of 10 rows of sitespecificamounts\.csv/],
])('refuses a submission %s, and says so', async (_, submission, sentence) => {
  const before = await service.store.currentState();
  const report = await service.load(submission);
  expect(report).toMatchObject({ verdict: 'refused', dataSets: [], dataVersion: null });
  expect(report.sentence).toMatch(sentence);
  expect(report.sentence).toMatch(/^[A-Z].*\.$/);
  expect(await service.store.currentState()).toEqual(before);
});

test.each([
  [
    'a column that every row needs is missing',
    withoutColumn(siteAmountsSubmission, FILE, 'Amount'),
    '6 of 6 rows of sitespecificamounts.csv, which lacks Amount',
  ],
  [
    'all lookups that the rows refer to are missing',
    withoutFile(siteAmountsSubmission, 'methods.csv'),
    '6 of 6 rows of sitespecificamounts.csv, mostly because: methods.csv has no accepted row with this MethodUUID, as MethodUUID M1 on line 2',
  ],
  ['a file has only a header', { ...siteAmountsSubmission, [FILE]: [] }, '0 of 0 rows of sitespecificamounts.csv'],
])('explains that no row was accepted because %s', async (_, submission, why) => {
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
])(
  'a submission with $bad rejected rows of ten is $verdict if the limit is $limit',
  async ({ bad, limit, verdict }) => {
    // Each case has a different amount, so that no case leaves the data unchanged.
    const other = withCells(tenRows(bad), FILE, 9, { Amount: bad * 100 + limit });
    const report = await service.load(other, { rejectedShareLimit: limit });
    expect(report.verdict).toBe(verdict);
    expect(getFileCounts(report, FILE)).toMatchObject({ read: 10, accepted: 10 - bad, rejected: bad });
  },
);

test('a report over the limit names the file, the changes and the uncategorized uses', async () => {
  await service.load(tenRows(0));
  const submission = withCells(tenRows(4), FILE, 9, { BeneficialUseCategory: 'Unheard of', Amount: 12_345 });
  const report = await service.load(submission, { rejectedShareLimit: 0.3 });
  expect(report).toMatchObject({
    verdict: 'refused',
    dataVersion: null,
    dataSets: [
      {
        dataSet: 'SiteVariableAmounts',
        outcome: 'refused',
        releaseId: null,
        records: 6,
        change: { added: 1, removed: 5, changed: 0 },
        uncategorizedUses: [{ use: 'Unheard of', records: 1 }],
      },
    ],
  });
  expect(report.sentence).toBe(
    'Refused: 4 of the 10 rows of sitespecificamounts.csv are rejected, 40 percent where the limit is 30 percent.',
  );
});

test('duplicates count as rejected rows for the limit', async () => {
  const [first, ...others] = getRows(tenRows(0), FILE);
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
    'reportingunits.csv': getRows(aggregatedSubmission, 'reportingunits.csv'),
  };
  const report = await service.load(both, { rejectedShareLimit: 0.3 });
  expect(report.verdict).toBe('refused');
  expect(await service.store.currentState()).toEqual(before);
});

test('an organization that occurs only in rejected rows is ignored', async () => {
  const submission = withCells(twoOrganizations, FILE, 4, { OrganizationUUID: 'ORG_2', Amount: '' });
  expect((await service.load(submission)).verdict).toBe('published');
});
