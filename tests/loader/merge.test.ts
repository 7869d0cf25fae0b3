// A submission laid over what is published (submissions.md, 5): the union by key, the newer winning, deletions.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import type { Report } from '../../data-loaders/format/report';
import { MERGE, loadRaw, findingsOf } from '../fixtures/raw-submission';
import { csvText, siteAmountsSubmission, type Row, type Submission } from '../fixtures/submission';
import { serviceMaker, type TestService } from '../fixtures/test-service';
import { rowsOf } from '../fixtures/submission-changes';

const FILE = 'sitespecificamounts.csv';

const nextService = serviceMaker();
let service: TestService;

beforeEach(async () => {
  service = nextService();
  await service.load(siteAmountsSubmission);
});

function merge(submission: Submission): Promise<Report> {
  return loadRaw(service, submission, MERGE);
}

const rows = siteAmountsSubmission[FILE] ?? [];

function rowAt(index: number): Row {
  const row = rows[index];
  if (row === undefined) throw new Error('no such row');
  return row;
}

async function amounts(): Promise<readonly number[]> {
  const { json } = await service.get('/v1/SiteVariableAmounts');
  const [organization] = json.Organizations;
  return organization.SiteVariableAmounts.map((record: { Amount: number }) => record.Amount);
}

test('a row of a known key replaces the published one', async () => {
  const report = await merge({ [FILE]: [{ ...rowAt(1), Amount: 7 }] });
  expect(report).toMatchObject({ dataSets: [{ records: 6, change: { added: 0, removed: 0, changed: 1 } }] });
  expect(await amounts()).toEqual([200, 7, 200.2, 200, 200.1, 200.2]);
});

test('a row of a lookup replaces the published one, also without any amount', async () => {
  const [site] = siteAmountsSubmission['sites.csv'] ?? [];
  const report = await merge({
    'organizations.csv': siteAmountsSubmission['organizations.csv'] ?? [],
    'sites.csv': [{ ...site, SiteName: 'New Headgate' }],
  });
  expect(report.verdict).toBe('published');
  const { json } = await service.get('/v1/SiteVariableAmounts?SiteUUID=S1');
  expect(json.Organizations[0].Sites[0].SiteName).toBe('New Headgate');
});

test('an amount at a new site needs only the new site', async () => {
  await merge({ 'sites.csv': [{ SiteUUID: 'S9' }], [FILE]: [{ ...rowAt(0), SiteUUID: 'S9', Amount: 9 }] });
  const { json } = await service.get('/v1/SiteVariableAmounts?SiteUUID=S9');
  expect(json.TotalSiteVariableAmountsCount).toBe(1);
});

test('a water source that comes later is found by the rows that named it before', async () => {
  await merge({ [FILE]: [{ ...rowAt(0), WaterSourceUUID: 'LATE', Amount: 5 }] });
  await merge({
    'organizations.csv': siteAmountsSubmission['organizations.csv'] ?? [],
    'watersources.csv': [{ WaterSourceUUID: 'LATE', WaterSourceTypeCV: 'Spring' }],
  });
  const { json } = await service.get('/v1/SiteVariableAmounts?SiteUUID=S1&EndDate=2000-12-31');
  expect(
    json.Organizations[0].SiteVariableAmounts.map((record: { WaterSourceUUID: string }) => record.WaterSourceUUID),
  ).toEqual(expect.arrayContaining(['LATE', 'WS1']));
});

const NOT_OF_THE_KEY = ['Amount', 'DataPublicationDate'];
const keyOfFirst: Row = Object.fromEntries(Object.entries(rowAt(0)).filter(([name]) => !NOT_OF_THE_KEY.includes(name)));

test('a row that deletes needs only its key', async () => {
  const report = await merge({ [FILE]: [{ ...keyOfFirst, Delete: 'true' }] });
  expect(report).toMatchObject({ verdict: 'published', dataSets: [{ records: 5, change: { removed: 1 } }] });
  expect(await amounts()).toEqual([200.1, 200.2, 200, 200.1, 200.2]);
});

test('a deletion of what is not there is rejected', async () => {
  const report = await merge({ [FILE]: [{ ...keyOfFirst, ReportYearCV: '1900', Delete: '1' }, rowAt(1)] });
  expect(findingsOf(report, 'nothing-to-delete')).toMatchObject([{ file: FILE, line: 2 }]);
  expect(await amounts()).toHaveLength(6);
});

test('a lookup that is still referred to is not deleted', async () => {
  const report = await merge({ 'variables.csv': [{ VariableSpecificUUID: 'V1', Delete: 'yes' }], [FILE]: [rowAt(0)] });
  expect(findingsOf(report, 'still-referred')).toMatchObject([{ file: 'variables.csv', line: 2, value: 'V1' }]);
  expect(report.verdict).toBe('unchanged');
});

test('a site goes together with its amounts and relations', async () => {
  const relations = siteAmountsSubmission['podsitetopousiterelationships.csv'] ?? [];
  const report = await merge({
    'sites.csv': [{ SiteUUID: 'S1', Delete: 'true' }],
    'podsitetopousiterelationships.csv': relations.map((relation) => ({ ...relation, Delete: 'true' })),
    [FILE]: rows.slice(0, 3).map((row) => ({ ...row, Delete: 'true' })),
  });
  expect(report.findings.filter(({ rule }) => rule !== 'absent-column')).toEqual([]);
  const { json } = await service.get('/v1/SiteVariableAmounts');
  expect(json.TotalSiteVariableAmountsCount).toBe(3);
  expect(json.Organizations[0].Sites.map((site: { SiteUUID: string }) => site.SiteUUID)).toEqual(['S2']);
  expect(json.Organizations[0].Sites[0].RelatedPODSites).toEqual([]);
  const again = await merge({ [FILE]: [{ ...rowAt(0), Amount: 3 }, rowAt(4)] });
  expect(findingsOf(again, 'unknown-site')).toHaveLength(1);
});

test('a cell Delete that is neither true nor false rejects its row', async () => {
  const report = await merge({ [FILE]: [{ ...rowAt(0), Delete: 'perhaps' }, rowAt(1)] });
  expect(findingsOf(report, 'unreadable-delete')).toMatchObject([{ line: 2, column: 'Delete' }]);
});

test('merging in steps gives the release that one submission of everything gives', async () => {
  const whole = await service.load(siteAmountsSubmission);
  service = nextService();
  await service.load({ ...siteAmountsSubmission, [FILE]: rows.slice(0, 2) });
  await merge({ [FILE]: rows.slice(2, 4) });
  const last = await merge({ [FILE]: rows.slice(4) });
  expect(last.dataSets[0]?.releaseId).toBe(whole.dataSets[0]?.releaseId);
});

test('rejected rows that are mended and sent as a merge are taken in', async () => {
  const spoilt = rows.map((row, index) => (index === 3 ? { ...row, Amount: 'n/a' } : row));
  const rejectedDirectory = join(service.folder, 'rejected');
  const report = await service.load({ ...siteAmountsSubmission, [FILE]: spoilt }, { rejectedDirectory });
  expect(report).toMatchObject({ verdict: 'published', dataSets: [{ records: 5 }] });
  const rejected = readFileSync(join(rejectedDirectory, 'sitespecificamounts.rejected.csv'), 'utf8');
  expect(rejected.split('\n')[0]).toMatch(/,RejectedRule,RejectedReason$/);
  expect(rejected).toContain('required-unreadable');
  const mended = await loadRaw(service, {}, { ...MERGE, [FILE]: rejected.replace('n/a', '200') });
  expect(mended).toMatchObject({ verdict: 'published', dataSets: [{ records: 6 }] });
  expect(await amounts()).toEqual([200, 200.1, 200.2, 200, 200.1, 200.2]);
});

test('a rejected row that does not fit the header stands whole in the first cell, a second one says which row it repeats', async () => {
  const rejectedDirectory = join(service.folder, 'rejected-rows');
  const [header = '', first = '', ...lines] = csvText(rowsOf(siteAmountsSubmission, FILE)).trimEnd().split('\n');
  const text = [header, first, `${first},"one, more"`, first, ...lines].join('\n');
  await loadRaw(service, siteAmountsSubmission, { [FILE]: text }, { rejectedDirectory });
  const written = readFileSync(join(rejectedDirectory, 'sitespecificamounts.rejected.csv'), 'utf8');
  const rows = parse<Record<string, string>>(written, { columns: true });
  expect(rows).toMatchObject([
    { OrganizationUUID: `${first},"one, more"`, SiteUUID: '', RejectedRule: 'cell-count' },
    { RejectedRule: 'duplicate-amount', RejectedReason: expect.stringContaining('It is a copy of line 2: S1, V1') },
  ]);
});

test('a merge into an empty store is a replace', async () => {
  service = nextService();
  expect(await merge(siteAmountsSubmission)).toMatchObject({ verdict: 'published', dataSets: [{ records: 6 }] });
});
