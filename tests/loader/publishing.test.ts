// The effects of a load on the published data, and that simultaneous loads do not lose each other's data
// (submissions.md, 5).

import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Report } from '../../data-loaders/format/report';
import { rebuild } from '../../data-loaders/manage-releases';
import { SILENT } from '../../data-loaders/stage/progress';
import { findReleaseFault } from '../../shared/store/readable-releases';
import { damageRelease, releaseDamages } from '../fixtures/changed-releases';
import { loadRawFiles, MERGE } from '../fixtures/raw-submission';
import {
  aggregatedSubmission,
  allocationsSubmission,
  siteAmountsSubmission,
  type Submission,
} from '../fixtures/submission';
import { getRows, withCells, withOrganization, withRows } from '../fixtures/submission-changes';
import { createServiceMaker, createTestService, TEST_NOW, type TestService } from '../fixtures/test-service';

const FILE = 'sitespecificamounts.csv';
const all: Submission = { ...siteAmountsSubmission, ...aggregatedSubmission, ...allocationsSubmission };

const nextService = createServiceMaker();
let service: TestService;

beforeEach(() => {
  service = nextService();
});

function outcomes(report: Report): readonly string[] {
  return report.dataSets.map(({ dataSet, outcome }) => `${dataSet} ${outcome}`);
}

/** All files in the data directory except the catalog's files, which change when the catalog is read. */
function files(): readonly string[] {
  const names = readdirSync(service.folder, { recursive: true, withFileTypes: true });
  const paths = names.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
  return paths.filter((path) => !/submission-|catalog\.sqlite/.test(path)).sort();
}

test('publishes the data sets of one submission in one step', async () => {
  const report = await service.load(all);
  expect(report).toMatchObject({ verdict: 'published', sentence: expect.stringMatching(/^Published .*\.$/) });
  expect(outcomes(report)).toEqual([
    'SiteVariableAmounts published',
    'AggregatedAmounts published',
    'WaterAllocations published',
  ]);
  expect(await service.store.history()).toHaveLength(1);
  const state = await service.store.currentState();
  expect(report.dataVersion).toBe(state.version);
  expect(state.entries.map(({ dataSet, records }) => [dataSet, records])).toEqual([
    ['AggregatedAmounts', 2],
    ['SiteVariableAmounts', 6],
    ['WaterAllocations', 2],
  ]);
});

test('a data set without an accepted row stays unchanged if another one is published', async () => {
  const before = await service.load(all);
  const bad = getRows(all, 'aggregatedamounts.csv').map((row) => ({ ...row, Amount: 'x' }));
  const report = await service.load(withCells(withRows(all, 'aggregatedamounts.csv', bad), FILE, 0, { Amount: '5' }));
  expect(outcomes(report)).toEqual([
    'SiteVariableAmounts published',
    'AggregatedAmounts kept',
    'WaterAllocations unchanged',
  ]);
  expect(report.sentence).toContain(
    '; 2 rows rejected. AggregatedAmounts stays as it was: its file has no row that could be accepted.',
  );
  const entries = (await service.store.currentState()).entries;
  const kept = before.dataSets.find(({ dataSet }) => dataSet === 'AggregatedAmounts');
  expect(entries.find(({ dataSet }) => dataSet === 'AggregatedAmounts')?.releaseId).toBe(kept?.releaseId);
});

test('loading the same files again changes nothing', async () => {
  const first = await service.load(all);
  const before = files();
  const again = await service.load(all);
  expect(again).toMatchObject({ verdict: 'unchanged', dataVersion: first.dataVersion });
  expect(outcomes(again)).toEqual([
    'SiteVariableAmounts unchanged',
    'AggregatedAmounts unchanged',
    'WaterAllocations unchanged',
  ]);
  expect(again.dataSets.map(({ change }) => change)).toEqual(Array(3).fill({ added: 0, removed: 0, changed: 0 }));
  expect(files()).toEqual(before);
  expect(await service.store.history()).toHaveLength(1);
});

test.each(['has lost its records', 'has records that are cut off', 'is missing'] as const)(
  'loading the same files again republishes a release that %s',
  async (damage) => {
    const first = await service.load(siteAmountsSubmission);
    damageRelease(service.folder, first, releaseDamages[damage]);
    const beside = createTestService('MDY', service.folder);
    expect(await findReleaseFault(beside.store, first.dataSets[0]?.releaseId ?? '', 'full')).toBeDefined();
    const dry = await beside.loadFolder(join(service.folder, 'submission-1'), { isDryRun: true });
    expect(dry.verdict).toBe('would-publish');
    const again = await beside.loadFolder(join(service.folder, 'submission-1'));
    expect(again).toMatchObject({
      verdict: 'published',
      dataVersion: first.dataVersion,
      dataSets: [{ outcome: 'published', change: { added: 0, removed: 0, changed: 0 } }],
      notes: [expect.stringContaining('could not be read and was written again')],
    });
    const { status, json } = await beside.get('/v1/SiteVariableAmounts');
    expect([status, json.TotalSiteVariableAmountsCount]).toEqual([200, 6]);
    expect((await beside.loadFolder(join(service.folder, 'submission-1'))).verdict).toBe('unchanged');
    await beside.store.close();
  },
);

test('the order of rows and columns and white space make no difference', async () => {
  await service.load(all);
  const shuffled = Object.entries(all).map(([file, rows]) => [
    file,
    [...rows].reverse().map((row) =>
      Object.fromEntries(
        Object.entries(row)
          .reverse()
          .map(([name, value]) => [name, ` ${value}\u00a0`]),
      ),
    ),
  ]);
  const report = await service.load(Object.fromEntries(shuffled) as Submission);
  expect(report.verdict).toBe('unchanged');
});

test('the report counts changed, added and removed rows', async () => {
  const first = await service.load(siteAmountsSubmission);
  const [one, two, , ...others] = getRows(siteAmountsSubmission, FILE);
  const rows = [{ ...one, Amount: '7' }, { ...two, Amount: '8' }, ...others, { ...one, ReportYearCV: '1999' }];
  const second = await service.load(withRows(siteAmountsSubmission, FILE, rows));
  expect(second.dataSets).toMatchObject([
    {
      outcome: 'published',
      records: 6,
      formerReleaseId: first.dataSets[0]?.releaseId,
      change: { added: 1, removed: 1, changed: 2 },
    },
  ]);
  expect(second.dataSets[0]?.releaseId).not.toBe(first.dataSets[0]?.releaseId);
  expect(second.dataVersion).not.toBe(first.dataVersion);
  const { json } = await service.get(`/v1/SiteVariableAmounts?RecordCount=1&DataVersion=${first.dataVersion ?? ''}`);
  expect(json.Organizations[0].SiteVariableAmounts[0].Amount).toBe(200);
});

test('a dry run reports what would be published and stores nothing', async () => {
  await service.load(aggregatedSubmission);
  const filesBefore = files();
  const stateBefore = await service.store.currentState();
  const report = await service.load(all, { isDryRun: true });
  expect(report).toMatchObject({ verdict: 'would-publish', sentence: expect.stringContaining('would be published') });
  expect(outcomes(report)).toEqual([
    'SiteVariableAmounts would-publish',
    'AggregatedAmounts unchanged',
    'WaterAllocations would-publish',
  ]);
  expect(await service.store.currentState()).toEqual(stateBefore);
  expect(files()).toEqual(filesBefore);
});

test('the first real publish removes all samples in the same step', async () => {
  await service.load(withOrganization('SAMPLE', allocationsSubmission), { isSample: true });
  await service.load(aggregatedSubmission, { isSample: true });
  expect((await service.store.currentState()).entries.map(({ isSample }) => isSample)).toEqual([true, true]);
  const report = await service.load(aggregatedSubmission);
  expect(report.verdict).toBe('published');
  expect((await service.store.currentState()).entries).toMatchObject([{ organizationUuid: 'ORG_1', isSample: false }]);
  expect(await service.store.history()).toHaveLength(3);
});

test('simultaneous merges are all published in the end', async () => {
  await service.load(siteAmountsSubmission);
  const years = [1990, 1991, 1992, 1993];
  const [first] = siteAmountsSubmission[FILE] ?? [];
  const reports = await Promise.all(
    years.map((year) => {
      const row = { ...first, TimeframeStart: `${year}-01-01`, Amount: year };
      return loadRawFiles(service, { [FILE]: [row] }, MERGE);
    }),
  );
  expect(reports.map(({ verdict }) => verdict)).toEqual(years.map(() => 'published'));
  const { json } = await service.get('/v1/SiteVariableAmounts?SiteUUID=S1');
  const amounts = json.Organizations[0].SiteVariableAmounts.map((record: { Amount: number }) => record.Amount);
  expect(amounts).toEqual([...years, 200, 200.1, 200.2]);
});

test('a rebuild does not bring back what a newer load has replaced', async () => {
  await service.load(siteAmountsSubmission);
  const [entry] = (await service.store.currentState()).entries;
  if (entry === undefined) throw new Error('nothing is published');
  const newer = await service.load(withCells(siteAmountsSubmission, FILE, 0, { Amount: '7' }));
  const stagingDirectory = join(service.folder, 'staging');
  const report = await rebuild({
    store: service.store,
    entry,
    stagingDirectory,
    progress: SILENT,
    now: () => TEST_NOW,
  });
  expect(report).toMatchObject({ verdict: 'refused', sentence: expect.stringContaining('newer') as unknown });
  expect((await service.store.currentState()).entries[0]?.releaseId).toBe(newer.dataSets[0]?.releaseId);
});

test('samples are not published next to real data', async () => {
  await service.load(siteAmountsSubmission);
  const { version } = await service.store.currentState();
  await service.load(withOrganization('SAMPLE_ORG', siteAmountsSubmission), { isSample: true });
  expect((await service.store.currentState()).version).toBe(version);
});
