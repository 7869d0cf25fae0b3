// Realistic damage to real submissions: it is detected and reported, and following the report literally restores the
// release of the undamaged submission (D65).

import { existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Report } from '../../data-loaders/format/report';
import { reportMarkdown } from '../../data-loaders/report/report-texts';
import { reportText } from '../../data-loaders/report/terminal-report';
import { damages, readUndamagedFiles } from '../fixtures/damages';
import { readPlainCsv } from '../fixtures/plain-csv';
import { getFileCounts, listFindings, loadRawFiles } from '../fixtures/raw-submission';
import type { SubmissionBytes } from '../fixtures/real-submissions';
import { allocationsSubmission, siteAmountsSubmission, writeCsv } from '../fixtures/submission';
import {
  getRows,
  withCells,
  withInsertedCopy,
  withoutFile,
  withRenamedColumn,
  withRows,
} from '../fixtures/submission-changes';
import { createTestService } from '../fixtures/test-service';

const AMOUNTS = 'sitespecificamounts.csv';
const RIGHTS = 'waterallocations.csv';
const SITES = 'sites.csv';

const service = createTestService();

async function load(files: SubmissionBytes, holdSubmissions = false) {
  const folder = mkdtempSync(join(service.folder, 'damaged-'));
  for (const [name, content] of files) writeFileSync(join(folder, name), content);
  const rejected = join(folder, 'beside');
  return {
    report: await service.loadFolder(folder, {
      rejectedDirectory: rejected,
      rejectedShareLimit: 0.1,
      holdSubmissions,
    }),
    rejected,
  };
}

/** The reports of the undamaged submissions, each loaded once. */
const wholes = new Map<string, Promise<Report>>();

function loadWhole(folder: string, files: SubmissionBytes): Promise<Report> {
  const loaded = wholes.get(folder) ?? load(files).then(({ report }) => report);
  wholes.set(folder, loaded);
  return loaded;
}

test.each(damages)('$name: is reported, and following the report repairs it', async (damage) => {
  const original = readUndamagedFiles(damage);
  const whole = await loadWhole(damage.folder, original);
  const damaged = damage.damage(original);
  const { report, rejected } = await load(damaged, damage.verdict === 'held');
  expect({ verdict: report.verdict, sentence: report.sentence }).toEqual({
    verdict: damage.verdict,
    sentence: expect.stringMatching(damage.expectedSentence),
  });
  expect(reportText(report).split('\n')[0]).toBe(report.sentence);
  const counted = report.files.flatMap(({ reasons }) => Object.keys(reasons));
  if (damage.rule !== undefined) expect(counted).toContain(damage.rule);
  const readRowList = (name: string): readonly (readonly string[])[] => {
    const path = join(rejected, name);
    if (!existsSync(path)) return [];
    const { header, rows } = readPlainCsv(readFileSync(path));
    return [header.cells, ...rows.map(({ cells = [] }) => cells)];
  };
  const mended = (await load(damage.fix(damaged, { report, readRowList }, original))).report;
  expect(mended.verdict).not.toBe('refused');
  expect(mended.dataSets.map(({ releaseId }) => releaseId)).toEqual(whole.dataSets.map(({ releaseId }) => releaseId));
  expect(mended.files.map(({ rejected: rows }) => rows)).toEqual(whole.files.map(({ rejected: rows }) => rows));
});

test('the first line of the report counts added, removed and changed records and rejected rows', async () => {
  const other = createTestService('MDY', join(service.folder, 'first-line'));
  expect((await other.load(siteAmountsSubmission)).sentence).toBe(
    'Published 6 records of SiteVariableAmounts: 6 added, 0 removed, 0 changed.',
  );
  const [first, second, ...others] = getRows(siteAmountsSubmission, AMOUNTS);
  const spoiled = withRows(siteAmountsSubmission, AMOUNTS, [
    { ...first, Amount: 'none' },
    { ...second, Amount: 7 },
    ...others,
  ]);
  const { sentence } = await other.load(spoiled);
  const said = '0 added, 1 removed, 1 changed; 1 row rejected.';
  expect(sentence).toBe(`Published 5 records of SiteVariableAmounts: ${said}`);
  expect((await other.load(spoiled)).sentence).toBe(
    'Nothing changes: 5 records of SiteVariableAmounts are published already, exactly the same; 1 row rejected.',
  );
  const dryRun = await other.load(siteAmountsSubmission, { isDryRun: true });
  expect(dryRun.sentence).toBe(
    'Dry run: 6 records of SiteVariableAmounts would be published: 1 added, 0 removed, 1 changed.',
  );
  await other.close();
});

test('the report of a refusal does not suggest merging the rejected rows', async () => {
  const submission = withCells(siteAmountsSubmission, AMOUNTS, 0, { Amount: 'none' });
  const refused = reportMarkdown(await service.load(submission, { rejectedShareLimit: 0 }));
  expect(refused).toContain('send everything again');
  expect(refused).not.toContain('merge');
  expect(reportMarkdown(await service.load(submission))).toContain('send them as a `merge`');
});

test('a duplicate right is reported with the amounts of both rows', async () => {
  const twice = await service.load(withInsertedCopy(allocationsSubmission, RIGHTS, { AllocationVolume_AF: '' }));
  expect(listFindings(twice, 'duplicate-amount')).toMatchObject([
    {
      value: expect.stringContaining(
        '(AllocationFlow_CFS 1.5 there, 1.5 here; AllocationVolume_AF 300 there, (empty) here)',
      ),
    },
  ]);
});

test('every two-digit year gets a warning that says how it was read', async () => {
  const cells = {
    AllocationPriorityDate: '3/4/02',
    AllocationApplicationDate: '12/31/29',
    DataPublicationDate: '1/1/30',
  };
  const report = await service.load(withCells(allocationsSubmission, RIGHTS, 0, cells));
  expect(listFindings(report, 'two-digit-year').map(({ value }) => value)).toEqual([
    '12/31/29 (read as 2029-12-31)',
    '3/4/02 (read as 2002-03-04)',
    '1/1/30 (read as 1930-01-01)',
  ]);
  expect(report.dataSets[0]?.qualityWarnings).toMatchObject([{ name: 'priority-of-two-digits', count: 1 }]);
});

test('a priority date in the future is reported', async () => {
  // The current day in tests is 2026-01-02.
  const dates = ['2026-01-02', '2026-01-03'];
  const rights = getRows(allocationsSubmission, RIGHTS).map((row, index) => {
    return { ...row, AllocationPriorityDate: dates[index] ?? '' };
  });
  const report = await service.load(withRows(allocationsSubmission, RIGHTS, rights));
  expect(report.dataSets[0]?.qualityWarnings).toEqual([
    {
      name: 'priority-to-come',
      sentence: '1 right has a priority date after the day of the submission.',
      count: 1,
      examples: [
        {
          identity: { AllocationNativeID: '0007' },
          member: 'AllocationPriorityDate',
          before: null,
          after: '2026-01-03',
        },
      ],
    },
  ]);
});

test.each([
  ['TimeframeStart', '31/12/2020', 'day-first-date', '31/12/2020 (write 2020-12-31)'],
  ['TimeframeStart', '31.12.2020', 'day-first-date', '31.12.2020 (write 2020-12-31)'],
  ['TimeframeStart', '32/12/2020', 'unreadable-date', '32/12/2020'],
  ['TimeframeStart', '1.2.2020', 'unreadable-date', '1.2.2020'],
  ['TimeframeStart', '44197', 'serial-day', '44197 (write 2021-01-01)'],
  ['TimeframeStart', '44197.5', 'serial-day', '44197.5 (write 2021-01-01)'],
  ['TimeframeStart', '36526', 'serial-day', '36526 (write 2000-01-01)'],
  ['TimeframeStart', '1902', 'unreadable-date', '1902'],
  ['PopulationServed', '12,5', 'decimal-comma', '12,5 (write 12.5)'],
  ['PopulationServed', '-1234,125', 'decimal-comma', '-1234,125 (write -1234.125)'],
  ['PopulationServed', '0,125', 'decimal-comma', '0,125 (write 0.125)'],
  ['PopulationServed', '1,250', 'unreadable-number', '1,250 (write 1250, or 1.250 if the comma is a decimal comma)'],
  ['Amount', '-0.5', 'negative-amount', '-0.5'],
] as const)('%s that is %s is a %s', async (column, cell, rule, value) => {
  const report = await service.load(withCells(siteAmountsSubmission, AMOUNTS, 0, { [column]: cell }));
  expect(listFindings(report, rule)).toEqual([{ file: AMOUNTS, line: 2, column, rule, value }]);
});

test.each([
  [
    ['31/12/2020', '3/4/2020', '1/1/2020'],
    ['1 date with a day above 12, 1 that could have the day or the month first'],
  ],
  [['31/12/2020', '3/4/2020', '5/31/2020'], []],
  [['31/12/2020', '1/1/2020', '2020-03-04'], []],
  [['3/4/2020', '4/5/2020', '5/6/20'], []],
])('detects the order of day and month in %j: %j', async (dates, values) => {
  const amounts = getRows(siteAmountsSubmission, AMOUNTS).slice(0, dates.length);
  const rows = amounts.map((row, index) => ({ ...row, TimeframeStart: dates[index] ?? '', TimeframeEnd: '' }));
  const report = await service.load(withRows(siteAmountsSubmission, AMOUNTS, rows));
  expect(listFindings(report, 'day-first-column')).toEqual(
    values.map((value) => ({ file: AMOUNTS, line: 1, column: 'TimeframeStart', rule: 'day-first-column', value })),
  );
});

test('another coordinate system is reported once per file, with the number of rows', async () => {
  const rows = getRows(siteAmountsSubmission, SITES).map((row) => ({ ...row, EPSGCodeCV: '4269' }));
  const report = await service.load(withRows(siteAmountsSubmission, SITES, rows));
  expect(listFindings(report, 'other-system').map(({ line, value }) => [line, value])).toEqual([[1, '4269 (2 rows)']]);
  expect(getFileCounts(report, SITES)).toMatchObject({ reasons: { 'other-system': 1 } });
});

test.each([
  ['4326.0', -111.5, 40.5, {}],
  ['EPSG:4326', -111.5, 40.5, {}],
  ['', 431_250.5, 4_512_345.2, { 'projected-coordinates': 1 }],
  ['4326', 431_250.5, 4_512_345.2, { 'projected-coordinates': 1 }],
  ['4269', -111.5, 40.5, { 'other-system': 1 }],
  ['EPSG:26912', -111.5, 40.5, { 'other-system': 1 }],
  ['26912', 431_250.5, 4_512_345.2, { 'projected-system': 1 }],
  ['26912', '', '', { 'no-position': 1 }],
  ['NAD83', -111.5, 40.5, { 'other-system': 1 }],
  ['NAD27', -111.5, 40.5, { 'other-system': 1 }],
  ['UTM 12N', -111.5, 40.5, { 'other-system': 1 }],
  ['WGS 84', -111.5, 40.5, {}],
  ['GCS_WGS_1984', -111.5, 40.5, {}],
  ['4326', -1115, 40.5, { 'no-point': 1 }],
] as const)('a site in the system "%s" at %s %s gets %j', async (EPSGCodeCV, Longitude, Latitude, reasons) => {
  const report = await service.load(withCells(siteAmountsSubmission, SITES, 0, { EPSGCodeCV, Longitude, Latitude }));
  const counted = Object.entries(getFileCounts(report, SITES).reasons).filter(([rule]) => rule !== 'absent-column');
  expect(Object.fromEntries(counted)).toEqual(reasons);
});

test('a duplicate column is reported and only its first occurrence is read', async () => {
  const [header = '', ...lines] = writeCsv(getRows(siteAmountsSubmission, AMOUNTS)).trimEnd().split('\n');
  const doubled = [`${header},amount,What`, ...lines.map((line) => `${line},999,x`)].join('\n');
  const report = await loadRawFiles(service, siteAmountsSubmission, { [AMOUNTS]: doubled });
  expect(report.notes).toContain(`${AMOUNTS}: columns that are not read: amount (a second time), What.`);
  expect(getFileCounts(report, AMOUNTS)).toMatchObject({ warned: 0, rejected: 0 });
});

test('a misspelled column is reported with the missing column that it resembles', async () => {
  const slipped = withRenamedColumn(siteAmountsSubmission, AMOUNTS, 'PrimaryUseCategory', 'PrimaryUseCategroy');
  const report = await service.load(slipped);
  expect(listFindings(report, 'near-column')).toEqual([
    { file: AMOUNTS, line: 1, column: 'PrimaryUseCategory', rule: 'near-column', value: 'PrimaryUseCategroy' },
  ]);
  expect(getFileCounts(report, AMOUNTS)).toMatchObject({ warned: 0, rejected: 0 });
  expect(reportText(report)).toContain('noted 1 × near-column');
  expect(reportMarkdown(report)).toContain('`PrimaryUseCategroy`');
});

test.each([
  ['SITES.CSV', 'sites.csv'],
  ['site.csv', 'sites.csv'],
  ['sites (1).csv', 'sites.csv'],
  ['sites.csv.txt', 'sites.csv'],
  ['Site_Specific_Amounts.csv', AMOUNTS],
  ['submisson.json', 'submission.json'],
])('%s instead of %s is refused with the correct name', async (found, name) => {
  const content = name in siteAmountsSubmission ? writeCsv(getRows(siteAmountsSubmission, name)) : '{"mode":"merge"}';
  const report = await loadRawFiles(service, withoutFile(siteAmountsSubmission, name), { [found]: content });
  expect(report.sentence).toBe(`Refused: ${found} seems to be meant as ${name}: rename it to ${name}.`);
});

test.each([
  ['water.csv', 'watersources.csv', 'watersources.csv or waterallocations.csv'],
  ['Sources (2).csv', 'watersources.csv', 'watersources.csv'],
  ['amounts.csv', 'watersources.csv', 'aggregatedamounts.csv'],
  ['notes.csv', 'sites.csv', undefined],
])('%s next to a submission without %s does not refuse it', async (found, name, original) => {
  const report = await loadRawFiles(service, withoutFile(siteAmountsSubmission, name), { [found]: 'x' });
  expect(report.sentence).not.toContain('seems to be meant');
  const advice = original === undefined ? '' : ` If it is meant as ${original}, give it that name.`;
  expect(report.notes).toContain(`${found} was ignored: only the files listed in the guide are read.${advice}`);
});

test.each(['SITES.CSV', 'Sites.csv', 'Sites (2).csv'])(
  '%s next to sites.csv is reported together with the file that was read',
  async (found) => {
    const report = await loadRawFiles(service, siteAmountsSubmission, { [found]: 'x' });
    expect(report.notes).toContain(
      `${found} was ignored: only the files listed in the guide are read. sites.csv was read. ` +
        `If the newer rows are in ${found}, rename it to sites.csv.`,
    );
  },
);

test('files with other names are reported but not read', async () => {
  const others = ['sites_missing.csv', 'overlays.csv', 'date.csv', 'watersources_missing.csv'];
  const files = Object.fromEntries(others.map((name) => [name, 'x']));
  const report = await loadRawFiles(
    service,
    withoutFile(siteAmountsSubmission, 'podsitetopousiterelationships.csv'),
    files,
  );
  expect(report.verdict).not.toBe('refused');
  expect(report.notes).toEqual(
    [...others].sort().map((name) => `${name} was ignored: only the files listed in the guide are read.`),
  );
});

test('reports the malformed starts of all files at once', async () => {
  const title = `Methods\n${writeCsv(getRows(siteAmountsSubmission, 'methods.csv'))}`;
  const semicolons = `Variables\n${writeCsv(getRows(siteAmountsSubmission, 'variables.csv')).replaceAll(',', ';')}`;
  const report = await loadRawFiles(service, withoutFile(siteAmountsSubmission, SITES), {
    'methods.csv': title,
    'variables.csv': semicolons,
    'Sites.csv': writeCsv(getRows(siteAmountsSubmission, SITES)),
  });
  expect(report.sentence).toBe(
    'Refused: Sites.csv seems to be meant as sites.csv: rename it to sites.csv; ' +
      'variables.csv: its cells are separated by semicolons; save it with commas, and its header is line 2; remove the lines above it; ' +
      'methods.csv: its header is line 2; remove the lines above it.',
  );
});
