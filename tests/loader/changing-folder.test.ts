// A folder of the caller's own that changes while `npm run load` reads it (ADR 0052).

import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadFolder } from '../../data-loaders/intake/load-folder';
import type { Report } from '../../data-loaders/format/report';
import { SILENT } from '../../data-loaders/stage/progress';
import { siteAmountsSubmission, writeSubmission } from '../fixtures/submission';
import { temporaryFolder } from '../fixtures/temporary-folder';
import { createTestService } from '../fixtures/test-service';
import { failing } from '../fixtures/tick-world';

const folder = temporaryFolder();
const service = createTestService();
let submissions = 0;

/** Loads a submission whose folder is changed while its release is built. */
function loadWhile(change: (submission: string) => void, isDryRun = false): Promise<Report> {
  const submission = writeSubmission(join(folder, `submission-${++submissions}`), siteAmountsSubmission);
  const startRelease: typeof service.store.startRelease = () => {
    change(submission);
    return service.store.startRelease();
  };
  return loadFolder(submission, {
    ...{ store: failing(service.store, { startRelease }), stagingDirectory: join(folder, 'staging') },
    ...{ rejectedShareLimit: 0.1, isDryRun, isSample: false, progress: SILENT },
    now: () => new Date(),
  });
}

test.each([
  [
    'is written over',
    (path: string) => {
      writeFileSync(path, 'MethodUUID\n');
    },
  ],
  [
    'goes away',
    (path: string) => {
      rmSync(path);
    },
  ],
])('a file that %s is named, and nothing is published', async (_, change) => {
  for (const isDryRun of [false, true]) {
    const report = await loadWhile((submission) => {
      change(join(submission, 'methods.csv'));
    }, isDryRun);
    expect(report).toMatchObject({
      verdict: 'refused',
      sentence: expect.stringMatching(/^Refused: methods\.csv changed while it was read; .*\.$/),
    });
  }
  expect(await service.store.history()).toEqual([]);
});

test('a file that the loader does not read may change', async () => {
  const report = await loadWhile((submission) => {
    writeFileSync(join(submission, 'sites.rejected.csv'), 'x');
  });
  expect(report).toMatchObject({ verdict: 'published' });
});

test('a fault of the machine is thrown, and not reported as a change of the folder', async () => {
  const fault = loadWhile(() => {
    throw new Error('the disk is full');
  });
  await expect(fault).rejects.toThrow('the disk is full');
});
