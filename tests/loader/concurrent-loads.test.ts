// Loads at the same moment do not lose what another of them published (submissions.md, 5).

import { join } from 'node:path';
import { rebuild } from '../../data-loaders/manage-releases';
import { SILENT } from '../../data-loaders/stage/progress';
import { loadRaw, MERGE } from '../fixtures/raw-submission';
import { siteAmountsSubmission } from '../fixtures/submission';
import { ofOrganization, withCells } from '../fixtures/submission-changes';
import { createTestService, TEST_NOW } from '../fixtures/test-service';

const FILE = 'sitespecificamounts.csv';
const [merging, rebuilding, sampling] = [createTestService(), createTestService(), createTestService()];

test('merges at the same moment are all published in the end', async () => {
  await merging.load(siteAmountsSubmission);
  const years = [1990, 1991, 1992, 1993];
  const [first] = siteAmountsSubmission[FILE] ?? [];
  const reports = await Promise.all(
    years.map((year) => {
      const row = { ...first, TimeframeStart: `${year}-01-01`, Amount: year };
      return loadRaw(merging, { [FILE]: [row] }, MERGE);
    }),
  );
  expect(reports.map(({ verdict }) => verdict)).toEqual(years.map(() => 'published'));
  const { json } = await merging.get('/v1/SiteVariableAmounts?SiteUUID=S1');
  const amounts = json.Organizations[0].SiteVariableAmounts.map((record: { Amount: number }) => record.Amount);
  expect(amounts).toEqual([...years, 200, 200.1, 200.2]);
});

test('a rebuild does not bring back what a newer load has replaced', async () => {
  await rebuilding.load(siteAmountsSubmission);
  const [entry] = (await rebuilding.store.currentState()).entries;
  if (entry === undefined) throw new Error('nothing is published');
  const newer = await rebuilding.load(withCells(siteAmountsSubmission, FILE, 0, { Amount: '7' }));
  const stagingDirectory = join(rebuilding.folder, 'staging');
  const report = await rebuild({
    ...{ store: rebuilding.store, entry, stagingDirectory, progress: SILENT },
    now: () => TEST_NOW,
  });
  expect(report).toMatchObject({ verdict: 'refused', sentence: expect.stringContaining('newer') as unknown });
  expect((await rebuilding.store.currentState()).entries[0]?.releaseId).toBe(newer.dataSets[0]?.releaseId);
});

test('samples are not published beside real data', async () => {
  await sampling.load(siteAmountsSubmission);
  const { version } = await sampling.store.currentState();
  await sampling.load(ofOrganization('SAMPLE_ORG', siteAmountsSubmission), { isSample: true });
  expect((await sampling.store.currentState()).version).toBe(version);
});
