// Rollback, withdrawal and rebuild of published data sets (submissions.md, 5).

import { join } from 'node:path';
import type { Report } from '../../data-loaders/format/report';
import {
  findUnreadableEntries,
  rebuild,
  recordFailedRebuild,
  rollBack,
  withdraw,
} from '../../data-loaders/manage-releases';
import { SILENT } from '../../data-loaders/stage/progress';
import type { DataSetName } from '../../shared/store/catalog-types';
import { checkFormats } from '../../shared/store/readable-releases';
import { openExistingRelease, readRecords } from '../../tools/store-contract/release-content';
import { ageRelease, damageRelease, openSecondStore, releaseDamages } from '../fixtures/changed-releases';
import { loadRawFiles } from '../fixtures/raw-submission';
import { siteAmountsSubmission, writeCsv } from '../fixtures/submission';
import { getRows, withCells, withInsertedCopy } from '../fixtures/submission-changes';
import { createServiceMaker, TEST_NOW, type TestService } from '../fixtures/test-service';

const FILE = 'sitespecificamounts.csv';
const NAME: DataSetName = { organizationUuid: 'ORG_1', dataSet: 'SiteVariableAmounts' };
const AT = '2026-02-03T04:05:06.000Z';

const nextService = createServiceMaker();
let service: TestService;

beforeEach(() => {
  service = nextService();
});

const changed = withCells(siteAmountsSubmission, FILE, 0, { Amount: '7' });
const changedAgain = withCells(siteAmountsSubmission, FILE, 0, { Amount: '8' });

interface Seen {
  readonly version: string | undefined;
  readonly text: string;
}

async function seen(): Promise<Seen> {
  const { headers, text } = await service.get('/v1/SiteVariableAmounts');
  return { version: headers['Data-Version'], text };
}

async function total(): Promise<number> {
  return (await service.get('/v1/SiteVariableAmounts')).json.TotalSiteVariableAmountsCount;
}

function rebuildOnly(entry: Parameters<typeof rebuild>[0]['entry'], store = service.store): Promise<Report> {
  const stagingDirectory = join(service.folder, 'staging');
  return rebuild({ store, entry, stagingDirectory, progress: SILENT, now: () => TEST_NOW });
}

async function entryToRebuild(store = service.store): Promise<Parameters<typeof rebuild>[0]['entry']> {
  const [entry, ...others] = (await findUnreadableEntries(store)).map((unreadable) => unreadable.entry);
  if (entry === undefined || others.length > 0) throw new Error('not one release is to be rebuilt');
  return entry;
}

function getReleaseId(report: Report): string {
  return report.dataSets[0]?.releaseId ?? '';
}

test('each rollback goes back one release, until there is no earlier release', async () => {
  const first = getReleaseId(await service.load(siteAmountsSubmission));
  const second = getReleaseId(await service.load(changed));
  await service.load(changedAgain);
  expect(await rollBack(service.store, NAME, AT)).toMatchObject({ ok: true, value: { releaseId: second } });
  expect(await rollBack(service.store, NAME, AT)).toMatchObject({ ok: true, value: { releaseId: first } });
  expect(await rollBack(service.store, NAME, AT)).toMatchObject({ ok: false });
});

test('a rollback restores the previous release with its data version and bytes', async () => {
  await service.load(siteAmountsSubmission);
  const earlierData = await seen();
  await service.load(changed);
  const newer = await seen();
  expect(newer.version).not.toBe(earlierData.version);
  expect(await rollBack(service.store, NAME, AT)).toMatchObject({ ok: true, value: { records: 6 } });
  expect(await seen()).toEqual(earlierData);
  expect(await service.store.currentState()).toMatchObject({ since: AT, cause: 'rollback' });
});

test('refuses to roll back after the first publish', async () => {
  await service.load(siteAmountsSubmission);
  expect(await rollBack(service.store, NAME, AT)).toMatchObject({
    ok: false,
    problem: expect.stringContaining('ORG_1'),
  });
  expect(await rollBack(service.store, { ...NAME, organizationUuid: 'ORG_9' }, AT)).toMatchObject({ ok: false });
});

test('a rollback skips a release that the store no longer holds', async () => {
  const first = await service.load(siteAmountsSubmission);
  const second = await service.load(changed);
  await service.load(changedAgain);
  // A store that has not opened the release, because a store with an open file keeps reading it after it is deleted.
  const aside = openSecondStore(service);
  damageRelease(service.folder, second, releaseDamages['is missing']);
  const done = await rollBack(aside, NAME, AT);
  await aside.close();
  expect(done).toMatchObject({ ok: true, value: { releaseId: first.dataSets[0]?.releaseId } });
});

test('a rollback to a release in another format is refused, and the message names the newest usable release', async () => {
  const first = getReleaseId(await service.load(changed));
  await service.load(siteAmountsSubmission);
  await ageRelease(service);
  await rebuildOnly(await entryToRebuild());
  const before = await service.store.currentState();
  const done = await rollBack(service.store, NAME, AT);
  const words = `of ORG_1 SiteVariableAmounts has format .*releases -- rollback ORG_1 SiteVariableAmounts ${first}`;
  expect(done).toEqual({ ok: false, problem: expect.stringMatching(words) });
  expect(await service.store.currentState()).toEqual(before);
  expect(await rollBack(service.store, NAME, AT, first)).toMatchObject({ ok: true, value: { releaseId: first } });
  expect((await seen()).text).toContain('"Amount":7');
});

test('a rollback to a damaged release is refused if there is no usable release', async () => {
  const first = getReleaseId(await service.load(siteAmountsSubmission));
  await service.load(changed);
  damageRelease(service.folder, first);
  const aside = openSecondStore(service);
  const done = await rollBack(aside, NAME, AT);
  await aside.close();
  expect(done).toEqual({ ok: false, problem: expect.stringMatching('is damaged: .*load its submission again') });
  expect(await rollBack(service.store, NAME, AT, 'unknown')).toMatchObject({ ok: false });
});

test('a withdrawn data set and its organization are gone with the next request', async () => {
  await service.load(siteAmountsSubmission);
  const { version = '' } = await seen();
  expect(await withdraw(service.store, NAME, AT)).toMatchObject({ ok: true, value: { records: 6 } });
  const { json } = await service.get('/v1/SiteVariableAmounts');
  expect(json).toEqual({ TotalSiteVariableAmountsCount: 0, Organizations: [] });
  const kept = await service.get(`/v1/SiteVariableAmounts?DataVersion=${version}`);
  expect(kept.json.TotalSiteVariableAmountsCount).toBe(6);
});

test('a rollback restores a withdrawn data set', async () => {
  await service.load(siteAmountsSubmission);
  await service.load(changed);
  const before = await seen();
  await withdraw(service.store, NAME, AT);
  await rollBack(service.store, NAME, AT);
  expect(await seen()).toEqual(before);
});

test('a rebuild of a release in an older format gives the same name and bytes as before', async () => {
  // Windows line ends, a byte order mark, unknown columns and a rejected row must not affect the rebuild.
  const submission = withInsertedCopy(siteAmountsSubmission, FILE, { Amount: 'none', Remark: 'unknown column' });
  const text = writeCsv(getRows(submission, FILE)).replaceAll('\n', '\r\n');
  const methods = '\ufeffMethodUUID,MethodName,MethodDescription\r\nM1,"Metered, twice","two\r\nlines, ü"\r\n';
  const loaded = await loadRawFiles(service, submission, { [FILE]: text, 'methods.csv': methods });
  expect(loaded.dataSets[0]?.records).toBe(6);
  const before = await seen();
  await ageRelease(service);
  const report = await rebuildOnly(await entryToRebuild());
  expect(report).toMatchObject({
    verdict: 'published',
    dataSets: [{ records: 6, releaseId: loaded.dataSets[0]?.releaseId }],
  });
  expect(await seen()).toEqual(before);
  // The service may still have the previous file open; another store reads what the rebuild wrote.
  const aside = openSecondStore(service);
  expect(await findUnreadableEntries(aside)).toEqual([]);
  const records = await readRecords(
    await openExistingRelease(aside, { releaseId: getReleaseId(report) }),
    [0, 1, 2, 3, 4, 5],
  );
  expect(before.text).toContain(records);
  await aside.close();
});

test('a data version whose releases have an older format gets a 410', async () => {
  await service.load(siteAmountsSubmission);
  await ageRelease(service);
  const { version } = await service.store.currentState();
  await rebuildOnly(await entryToRebuild());
  const { status } = await service.get(`/v1/SiteVariableAmounts?DataVersion=${version}`);
  expect(status).toBe(410);
});

test('a rebuild omits and reports the rows that a newer rule rejects', async () => {
  await service.load(siteAmountsSubmission);
  await ageRelease(service, { rewriteRow: (text) => text.replace(/\bV1\b/, 'V9') });
  const entry = await entryToRebuild();
  const report = await rebuildOnly(entry);
  expect(report).toMatchObject({ verdict: 'published', dataSets: [{ records: 5 }] });
  expect(report.findings).toContainEqual(expect.objectContaining({ file: FILE, value: 'V9' }));
  expect(await total()).toBe(5);
});

test('the service starts without a release that cannot be rebuilt, once the failure is recorded', async () => {
  await service.load(siteAmountsSubmission);
  await ageRelease(service, { rewriteRow: (text) => text.replaceAll(/\bV1\b/g, 'V9') });
  const entry = await entryToRebuild();
  const before = await service.store.currentState();
  expect((await rebuildOnly(entry)).verdict).toBe('refused');
  expect(await service.store.currentState()).toEqual(before);
  await expect(checkFormats(service.store)).rejects.toThrow('npm run releases -- rebuild');
  await recordFailedRebuild(service.store, entry, AT);
  expect(await checkFormats(service.store)).toMatchObject([{ entry: { releaseId: entry.releaseId } }]);
  expect((await service.store.currentState()).version).toBe(before.version);
  // The rebuild is tried again. A release that this program builds from the old one has no such mark.
  expect(await findUnreadableEntries(service.store)).toHaveLength(1);
  await service.load(siteAmountsSubmission);
  expect((await service.store.currentState()).entries[0]?.notRebuiltTo).toBeUndefined();
});

test('a release that lost its records is rebuilt from its source rows', async () => {
  const releaseId = getReleaseId(await service.load(siteAmountsSubmission));
  const before = await seen();
  damageRelease(service.folder, releaseId);
  const aside = openSecondStore(service);
  const entry = await entryToRebuild(aside);
  const report = await rebuildOnly(entry, aside);
  expect(report).toMatchObject({ verdict: 'published', dataSets: [{ releaseId, records: 6 }] });
  expect(await checkFormats(aside)).toEqual([]);
  await aside.close();
  expect(await seen()).toEqual(before);
});
