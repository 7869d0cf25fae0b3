// A rebuild of a release that has lost one of its two files (ADR 0050).

import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { entriesToRebuild, rebuild } from '../../data-loaders/manage-releases';
import { checkFormats } from '../../shared/store/readable-releases';
import { SILENT } from '../../data-loaders/stage/progress';
import { createStoreBeside } from '../fixtures/aged-release';
import { siteAmountsSubmission } from '../fixtures/submission';
import { createTestService, TEST_NOW } from '../fixtures/test-service';

const service = createTestService();

afterAll(() => service.close());

test('a release that lost its records is made anew from its kept rows', async () => {
  const releaseId = (await service.load(siteAmountsSubmission)).dataSets[0]?.releaseId ?? '';
  const before = await service.get('/v1/SiteVariableAmounts');
  rmSync(join(service.folder, 'data', 'releases', `${releaseId}.sqlite.blocks`));
  const aside = createStoreBeside(service);
  const [entry] = await entriesToRebuild(aside);
  if (entry === undefined) throw new Error('the release was not damaged');
  const stagingDirectory = join(service.folder, 'staging');
  const report = await rebuild({ store: aside, entry, stagingDirectory, progress: SILENT, now: () => TEST_NOW });
  expect(report).toMatchObject({ verdict: 'published', dataSets: [{ releaseId, records: 6 }] });
  expect(await checkFormats(aside)).toEqual([]);
  await aside.close();
  expect((await service.get('/v1/SiteVariableAmounts')).text).toBe(before.text);
});
