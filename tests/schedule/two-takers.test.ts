// Ticks of several processes at once on one inbox and one store: each submission is taken by one of them.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { endOf } from '../fixtures/host-process';
import { pathsBelow } from '../fixtures/paths-below';
import { siteAmountsSubmission, writeSubmission } from '../fixtures/submission';
import { withCells } from '../fixtures/submission-changes';
import { temporaryFolder } from '../fixtures/temporary-folder';
import { startTick } from '../fixtures/tick-process';

const TAKERS = 3;
const NAMES = Array.from({ length: 9 }, (_, index) => `submission-${index}`);

const folder = temporaryFolder();
const inbox = join(folder, 'inbox');
const settings = { WATER_DATA_DIR: join(folder, 'data'), LOADER_QUIET_SECONDS: '0', SUBMISSIONS_INBOX: inbox };

test('two takers at once never take the same submission', async () => {
  for (const [index, name] of NAMES.entries()) {
    const cells = { Amount: 1000 + index };
    const submission = withCells(siteAmountsSubmission, 'sitespecificamounts.csv', 0, cells);
    writeFileSync(join(writeSubmission(join(inbox, 'waiting', name), submission), 'READY'), '');
  }
  const ended = await Promise.all(Array.from({ length: TAKERS }, () => endOf(startTick(settings))));
  expect(ended.map(({ code, errors }) => ({ code, errors }))).toEqual(ended.map(() => ({ code: 0, errors: '' })));
  const taken = ended.flatMap(({ output }) => [...output.matchAll(/^submission (\S+): Published/gm)]);
  expect(taken.map(([, name]) => name).sort()).toEqual(NAMES);
  const settled = pathsBelow(join(inbox, 'accepted')).filter((path) => path.endsWith('report.json'));
  expect(settled).toEqual(NAMES.map((name) => `${name}/report.json`));
  expect(pathsBelow(join(inbox, 'waiting'))).toEqual([]);
});
