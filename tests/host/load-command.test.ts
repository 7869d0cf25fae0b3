// `npm run load`: exit codes and printed output (docs/operating/loading.md).

import { join } from 'node:path';
import { runProgram } from '../fixtures/host-process';
import { createAmounts } from '../fixtures/many-amounts';
import { siteAmountsSubmission, writeSubmission } from '../fixtures/submission';
import { withCells, withoutFile } from '../fixtures/submission-changes';
import { createTemporaryFolder } from '../fixtures/temporary-folder';

const folder = createTemporaryFolder();
const settings = { WATER_DATA_DIR: join(folder, 'data') };
const FILE = 'sitespecificamounts.csv';
const good = writeSubmission(join(folder, 'good'), siteAmountsSubmission);
const oneBad = writeSubmission(join(folder, 'one-bad'), withCells(siteAmountsSubmission, FILE, 0, { Amount: 'x' }));
const withoutAmounts = writeSubmission(join(folder, 'without-amounts'), withoutFile(siteAmountsSubmission, FILE));

function load(...args: readonly string[]): ReturnType<typeof runProgram> {
  return runProgram('load', args, settings);
}

test('a dry run, a publish and an unchanged load exit with 0', async () => {
  const dryRun = await load(good, '--dry-run');
  expect(dryRun).toMatchObject({ code: 0, output: expect.stringContaining('would be published') });
  expect(await load(good)).toMatchObject({ code: 0, output: expect.stringMatching(/^Published 6 records/) });
  expect(await load(good)).toMatchObject({ code: 0, output: expect.stringMatching(/^Nothing changes/) });
});

test('a refusal exits with 1 and a reason; --rejected-limit accepts the submission once', async () => {
  expect(await load(oneBad)).toMatchObject({ code: 1, output: expect.stringMatching(/^Refused: 1 of the 6 rows/) });
  expect(await load(withoutAmounts)).toMatchObject({ code: 1, output: expect.stringContaining('Refused') });
  expect(await load(oneBad, '--rejected-limit', '0.5')).toMatchObject({ code: 0 });
  expect(await load(oneBad)).toMatchObject({ code: 1 });
});

test('a held submission exits with 3, and --confirm or HOLD_SUBMISSIONS=false publishes it', async () => {
  const before = writeSubmission(join(folder, 'before'), createAmounts());
  const after = writeSubmission(join(folder, 'after'), createAmounts(20, 20));
  expect(await load(before)).toMatchObject({ code: 0 });
  expect(await load(after, '--dry-run')).toMatchObject({ code: 3, output: expect.stringContaining('would be held') });
  const { code, output } = await load(after);
  expect({ code, output }).toEqual({ code: 3, output: expect.stringMatching(/^Held: /) });
  const [, confirm = ''] = /--confirm ([0-9a-f]{12})\.\n$/.exec(output) ?? [];
  expect(await load(after, '--confirm', '000000000000')).toMatchObject({ code: 3 });
  expect(await load(after, '--confirm', confirm)).toMatchObject({ code: 0 });
  const unheld = { ...settings, HOLD_SUBMISSIONS: 'false' };
  expect(await runProgram('load', [before], unheld)).toMatchObject({ code: 0 });
});

test('the templates command writes files that load, and overwrites no files', async () => {
  const begun = join(folder, 'begun');
  const written = await runProgram('templates', [begun], {});
  expect(written).toMatchObject({ code: 0, output: expect.stringContaining('Begin with guide.md.') });
  const other = { WATER_DATA_DIR: join(folder, 'of-templates') };
  const loaded = await runProgram('load', [join(begun, 'example'), '--rejected-limit', '0'], other);
  expect(loaded).toMatchObject({
    code: 0,
    output: expect.stringMatching(/^Published 2 records of SiteVariableAmounts/),
  });
  expect(await runProgram('templates', [begun], {})).toMatchObject({
    code: 1,
    errors: expect.stringContaining('is not empty'),
  });
});

test('--json prints the report and nothing else', async () => {
  const { output } = await load(oneBad, '--json');
  expect(JSON.parse(output)).toMatchObject({
    verdict: 'refused',
    files: expect.arrayContaining([expect.objectContaining({ file: FILE })]),
  });
});

test.each([
  { args: [], problem: 'Usage' },
  { args: ['nowhere'], problem: 'nowhere' },
  { args: [good, '--rejected-limit', '2'], problem: '--rejected-limit' },
  { args: [good, '--force'], problem: '--force' },
])('load $args fails with exit code 2', async ({ args, problem }) => {
  expect(await load(...args)).toMatchObject({ code: 2, output: '', errors: expect.stringContaining(problem) });
});
