// Keys of rows, and merges of a submission into a published release (submissions.md, 5): newer rows replace older ones
// with the same key, and rows can be deleted.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import type { Report } from '../../data-loaders/format/report';
import { getFileCounts, listFindings, loadRawFiles, MERGE } from '../fixtures/raw-submission';
import {
  aggregatedSubmission,
  allocationsSubmission,
  type Row,
  siteAmountsSubmission,
  type Submission,
  writeCsv,
} from '../fixtures/submission';
import { getRows, toLineNumber, withInsertedCopy, withRows } from '../fixtures/submission-changes';
import { createServiceMaker, type TestService } from '../fixtures/test-service';

const SITE_AMOUNTS = 'sitespecificamounts.csv';
const AGGREGATED = 'aggregatedamounts.csv';
const ALLOCATIONS = 'waterallocations.csv';

const nextService = createServiceMaker();
let service: TestService;

beforeEach(async () => {
  service = nextService();
  await service.load(siteAmountsSubmission);
});

const [variable] = getRows(siteAmountsSubmission, 'variables.csv');
const [method] = getRows(siteAmountsSubmission, 'methods.csv');
const [source] = getRows(siteAmountsSubmission, 'watersources.csv');
const [unit] = getRows(aggregatedSubmission, 'reportingunits.csv');
const moreLookups = {
  'variables.csv': [{ ...variable }, { ...variable, VariableSpecificUUID: 'V2' }],
  'methods.csv': [{ ...method }, { ...method, MethodUUID: 'M2' }],
  'watersources.csv': [{ ...source }, { ...source, WaterSourceUUID: 'WS2' }],
  'reportingunits.csv': [{ ...unit }, { ...unit, ReportingUnitUUID: 'RU2' }],
};
const siteAmounts: Submission = { ...siteAmountsSubmission, ...moreLookups };
const aggregated: Submission = { ...aggregatedSubmission, ...moreLookups };

const partsOfBothKeys: readonly Row[] = [
  { VariableSpecificUUID: 'V2' },
  { MethodUUID: 'M2' },
  { WaterSourceUUID: 'WS2' },
  { WaterSourceUUID: '' },
  { TimeframeStart: '1999-05-05' },
  { TimeframeStart: '' },
  { TimeframeEnd: '2003-05-05' },
  { ReportYearCV: '2050' },
  { ReportYearCV: '' },
  { PrimaryUseCategory: 'Stockwatering' },
  { BeneficialUseCategory: 'Stockwatering' },
  { BeneficialUseCategory: '' },
  { CommunityWaterSupplySystem: 'Another system' },
];

const submissions: Readonly<Record<string, Submission>> = {
  [SITE_AMOUNTS]: siteAmounts,
  [AGGREGATED]: aggregated,
  [ALLOCATIONS]: allocationsSubmission,
};

/** Loads a file with additional copies of its first row, one for each difference. */
async function loadCopies(file: string, differences: readonly Row[]): Promise<readonly [own: number, Report]> {
  const submission = submissions[file] ?? {};
  const rows = getRows(submission, file);
  const copies = differences.map((cells) => ({ ...rows[0], ...cells }));
  return [rows.length, await service.load(withRows(submission, file, [...rows, ...copies]))];
}

test.each<[file: string, differences: readonly Row[]]>([
  [SITE_AMOUNTS, [...partsOfBothKeys, { SiteUUID: 'S2', TimeframeEnd: '2000-06-06' }]],
  [AGGREGATED, [...partsOfBothKeys, { ReportingUnitUUID: 'RU2' }]],
  [ALLOCATIONS, [{ AllocationNativeID: '42' }, { AllocationUUID: 'A1' }]],
])('accepts rows of %s that differ in one part of the key', async (file, differences) => {
  const [own, report] = await loadCopies(file, differences);
  expect(getFileCounts(report, file)).toMatchObject({ accepted: own + differences.length, rejected: 0 });
});

const sameKeys = [
  { Amount: '-1', CropTypeCV: 'Alfalfa' },
  { TimeframeStart: '1/1/2000 00:00' },
  { ReportYearCV: '2000.0' },
  { BeneficialUseCategory: 'Domestic, Irrigation' },
  { BeneficialUseCategory: 'Irrigation,Domestic,Irrigation,' },
  { CommunityWaterSupplySystem: ' Clear Creek Water\u00a0' },
];

test.each<[file: string, differences: readonly Row[]]>([
  [SITE_AMOUNTS, sameKeys],
  [AGGREGATED, [{ Amount: '0', PopulationServed: '12' }]],
  [ALLOCATIONS, [{ SiteUUID: 'S1', AllocationOwner: 'Other' }]],
])('rejects rows of %s that differ in no part of the key', async (file, differences) => {
  const [own, report] = await loadCopies(file, differences);
  const lines = listFindings(report, 'duplicate-amount').map(({ line }) => line);
  expect(lines).toEqual(differences.map((_, index) => toLineNumber(own + index)));
  expect(getFileCounts(report, file)).toMatchObject({ accepted: own, rejected: differences.length });
});

test.each([
  [
    { TimeframeStart: '1/1/2000', Amount: 7 },
    'as line 2 (Amount 200 there, 7 here): S1, V1, 1/1/2000, 2000-12-31, 2000, WS1, M1, Irrigation, Irrigation,Domestic',
  ],
  [{}, 'a copy of line 2: S1, V1, 2000-01-01, 2000-12-31, 2000, WS1, M1, Irrigation, Irrigation,Domestic'],
])('reports which row a duplicate with %j repeats, with the key as in the file', async (cells, value) => {
  const report = await service.load(withInsertedCopy(siteAmounts, SITE_AMOUNTS, cells));
  expect(listFindings(report, 'duplicate-amount')).toMatchObject([{ line: 3, value: expect.stringContaining(value) }]);
});

test('builds keys from resolved references: an unknown water source gives the same key as no water source', async () => {
  const copies = ['', 'WS9', 'WS8', 'Unknown'].map((WaterSourceUUID) => ({
    ...getRows(siteAmounts, SITE_AMOUNTS)[0],
    WaterSourceUUID,
  }));
  const report = await service.load(withRows(siteAmounts, SITE_AMOUNTS, copies));
  expect(listFindings(report, 'duplicate-amount').map(({ line }) => line)).toEqual([3, 4, 5]);
  expect(getFileCounts(report, SITE_AMOUNTS)).toMatchObject({ accepted: 1, rejected: 3, warned: 0 });
});

test('an AllocationUUID is the key, whatever the native identifier', async () => {
  const rows = ['0042', '0043'].map((AllocationNativeID) => ({
    ...getRows(allocationsSubmission, ALLOCATIONS)[0],
    AllocationUUID: 'A1',
    AllocationNativeID,
  }));
  const report = await service.load(withRows(allocationsSubmission, ALLOCATIONS, rows));
  expect(getFileCounts(report, ALLOCATIONS)).toMatchObject({ accepted: 1, rejected: 1 });
});

function merge(submission: Submission): Promise<Report> {
  return loadRawFiles(service, submission, MERGE);
}

const rows = getRows(siteAmountsSubmission, SITE_AMOUNTS);
const [first = {}, second = {}] = rows;

async function amounts(): Promise<readonly number[]> {
  const { json } = await service.get('/v1/SiteVariableAmounts');
  const [organization] = json.Organizations;
  return organization.SiteVariableAmounts.map((record: { Amount: number }) => record.Amount);
}

test('a row with a published key replaces the published row', async () => {
  const report = await merge({ [SITE_AMOUNTS]: [{ ...second, Amount: 7 }] });
  expect(report).toMatchObject({ dataSets: [{ records: 6, change: { added: 0, removed: 0, changed: 1 } }] });
  expect(await amounts()).toEqual([200, 7, 200.2, 200, 200.1, 200.2]);
});

test('a lookup row replaces the published row, even without amounts', async () => {
  const [site] = getRows(siteAmountsSubmission, 'sites.csv');
  const report = await merge({
    'organizations.csv': getRows(siteAmountsSubmission, 'organizations.csv'),
    'sites.csv': [{ ...site, SiteName: 'New Headgate' }],
  });
  expect(report.verdict).toBe('published');
  const { json } = await service.get('/v1/SiteVariableAmounts?SiteUUID=S1');
  expect(json.Organizations[0].Sites[0].SiteName).toBe('New Headgate');
});

test('an amount at a new site needs only the new site', async () => {
  await merge({ 'sites.csv': [{ SiteUUID: 'S9' }], [SITE_AMOUNTS]: [{ ...first, SiteUUID: 'S9', Amount: 9 }] });
  const { json } = await service.get('/v1/SiteVariableAmounts?SiteUUID=S9');
  expect(json.TotalSiteVariableAmountsCount).toBe(1);
});

test('earlier rows refer to a water source that a later submission adds', async () => {
  await merge({ [SITE_AMOUNTS]: [{ ...first, WaterSourceUUID: 'LATE', Amount: 5 }] });
  await merge({
    'organizations.csv': getRows(siteAmountsSubmission, 'organizations.csv'),
    'watersources.csv': [{ WaterSourceUUID: 'LATE', WaterSourceTypeCV: 'Spring' }],
  });
  const { json } = await service.get('/v1/SiteVariableAmounts?SiteUUID=S1&EndDate=2000-12-31');
  expect(
    json.Organizations[0].SiteVariableAmounts.map((record: { WaterSourceUUID: string }) => record.WaterSourceUUID),
  ).toEqual(expect.arrayContaining(['LATE', 'WS1']));
});

const NOT_OF_THE_KEY = ['Amount', 'DataPublicationDate'];
const keyOfFirst: Row = Object.fromEntries(Object.entries(first).filter(([name]) => !NOT_OF_THE_KEY.includes(name)));

test('a deletion needs only its key', async () => {
  const report = await merge({ [SITE_AMOUNTS]: [{ ...keyOfFirst, Delete: 'true' }] });
  expect(report).toMatchObject({ verdict: 'published', dataSets: [{ records: 5, change: { removed: 1 } }] });
  expect(await amounts()).toEqual([200.1, 200.2, 200, 200.1, 200.2]);
});

test('a deletion of an unknown record is rejected', async () => {
  const report = await merge({ [SITE_AMOUNTS]: [{ ...keyOfFirst, ReportYearCV: '1900', Delete: '1' }, second] });
  expect(listFindings(report, 'nothing-to-delete')).toMatchObject([{ file: SITE_AMOUNTS, line: 2 }]);
  expect(await amounts()).toHaveLength(6);
});

test('a referenced lookup is not deleted', async () => {
  const report = await merge({
    'variables.csv': [{ VariableSpecificUUID: 'V1', Delete: 'yes' }],
    [SITE_AMOUNTS]: [first],
  });
  expect(listFindings(report, 'still-referred')).toMatchObject([{ file: 'variables.csv', line: 2, value: 'V1' }]);
  expect(report.verdict).toBe('unchanged');
});

test('a site can be deleted together with its amounts and relations', async () => {
  const relations = siteAmountsSubmission['podsitetopousiterelationships.csv'] ?? [];
  const report = await merge({
    'sites.csv': [{ SiteUUID: 'S1', Delete: 'true' }],
    'podsitetopousiterelationships.csv': relations.map((relation) => ({ ...relation, Delete: 'true' })),
    [SITE_AMOUNTS]: rows.slice(0, 3).map((row) => ({ ...row, Delete: 'true' })),
  });
  expect(report.findings.filter(({ rule }) => rule !== 'absent-column')).toEqual([]);
  const { json } = await service.get('/v1/SiteVariableAmounts');
  expect(json.TotalSiteVariableAmountsCount).toBe(3);
  expect(json.Organizations[0].Sites.map((site: { SiteUUID: string }) => site.SiteUUID)).toEqual(['S2']);
  expect(json.Organizations[0].Sites[0].RelatedPODSites).toEqual([]);
  const again = await merge({ [SITE_AMOUNTS]: [{ ...first, Amount: 3 }, ...rows.slice(4, 5)] });
  expect(listFindings(again, 'unknown-site')).toHaveLength(1);
});

test('a cell Delete that is neither true nor false rejects its row', async () => {
  const report = await merge({ [SITE_AMOUNTS]: [{ ...first, Delete: 'perhaps' }, second] });
  expect(listFindings(report, 'unreadable-delete')).toMatchObject([{ line: 2, column: 'Delete' }]);
});

test('merging in steps gives the same release as one complete submission', async () => {
  const whole = await service.load(siteAmountsSubmission);
  service = nextService();
  await service.load({ ...siteAmountsSubmission, [SITE_AMOUNTS]: rows.slice(0, 2) });
  await merge({ [SITE_AMOUNTS]: rows.slice(2, 4) });
  const last = await merge({ [SITE_AMOUNTS]: rows.slice(4) });
  expect(last.dataSets[0]?.releaseId).toBe(whole.dataSets[0]?.releaseId);
});

test('rejected rows are accepted once they are fixed and sent as a merge', async () => {
  const spoilt = rows.map((row, index) => (index === 3 ? { ...row, Amount: 'n/a' } : row));
  const rejectedDirectory = join(service.folder, 'rejected');
  const report = await service.load({ ...siteAmountsSubmission, [SITE_AMOUNTS]: spoilt }, { rejectedDirectory });
  expect(report).toMatchObject({ verdict: 'published', dataSets: [{ records: 5 }] });
  const rejected = readFileSync(join(rejectedDirectory, 'sitespecificamounts.rejected.csv'), 'utf8');
  expect(rejected.split('\n')[0]).toMatch(/,RejectedRule,RejectedReason$/);
  expect(rejected).toContain('required-empty');
  const mended = await loadRawFiles(service, {}, { ...MERGE, [SITE_AMOUNTS]: rejected.replace('n/a', '200') });
  expect(mended).toMatchObject({ verdict: 'published', dataSets: [{ records: 6 }] });
  expect(await amounts()).toEqual([200, 200.1, 200.2, 200, 200.1, 200.2]);
});

test('formulas in rejected and warned rows are guarded, and rows that are sent again have their original cells', async () => {
  const system = '=HYPERLINK("http://a.example")';
  const changes: Row = { CommunityWaterSupplySystem: system, AllocationCropDutyAmount: '@x' };
  const spoilt: readonly Row[] = rows.map((row, index) =>
    index === 3 ? { ...row, ...changes, Amount: '-n/a' } : { ...row, ...changes },
  );
  const rejectedDirectory = join(service.folder, 'rejected-formulas');
  await service.load({ ...siteAmountsSubmission, [SITE_AMOUNTS]: spoilt }, { rejectedDirectory });
  const read = (name: string): string =>
    readFileSync(join(rejectedDirectory, `sitespecificamounts.${name}.csv`), 'utf8');
  const rejected = read('rejected');
  for (const text of [rejected, read('warned')]) {
    const cells = splitCsv(text);
    expect(cells.filter((cell) => /^[=+@-]/.test(cell) && Number.isNaN(Number(cell)))).toEqual([]);
  }
  expect(splitCsv(rejected)).toEqual(expect.arrayContaining([`'${system}`, "'-n/a"]));
  const fixed = rejected.replace("'-n/a", '200');
  const merged = await loadRawFiles(service, {}, { ...MERGE, [SITE_AMOUNTS]: fixed });
  expect(merged).toMatchObject({ verdict: 'published', dataSets: [{ records: 6 }] });
  const whole = await nextService().load({
    ...siteAmountsSubmission,
    [SITE_AMOUNTS]: spoilt.map((row) => ({ ...row, Amount: row['Amount'] === '-n/a' ? '200' : (row['Amount'] ?? '') })),
  });
  expect(merged.dataSets[0]?.releaseId).toBe(whole.dataSets[0]?.releaseId);
});

/** All cells of all rows. */
function splitCsv(text: string): readonly string[] {
  return parse(text, { columns: false }).flat();
}

test('rejected rows that do not fit the header are written into the first cell', async () => {
  const rejectedDirectory = join(service.folder, 'rejected-rows');
  const [header = '', first = '', ...lines] = writeCsv(getRows(siteAmountsSubmission, SITE_AMOUNTS))
    .trimEnd()
    .split('\n');
  const text = [header, first, `${first},"one, more"`, first, ...lines].join('\n');
  await loadRawFiles(service, siteAmountsSubmission, { [SITE_AMOUNTS]: text }, { rejectedDirectory });
  const written = readFileSync(join(rejectedDirectory, 'sitespecificamounts.rejected.csv'), 'utf8');
  const rows = parse<Record<string, string>>(written, { columns: true, bom: true });
  expect(rows).toMatchObject([
    { OrganizationUUID: `${first},"one, more"`, SiteUUID: '', RejectedRule: 'cell-count' },
    { RejectedRule: 'duplicate-amount', RejectedReason: expect.stringContaining('It is a copy of line 2: S1, V1') },
  ]);
});

test('a merge into an empty store acts as a replacement', async () => {
  service = nextService();
  expect(await merge(siteAmountsSubmission)).toMatchObject({ verdict: 'published', dataSets: [{ records: 6 }] });
});
