// A tick that is killed at any moment loses nothing and doubles nothing, and the next one ends its work.

import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { tidyUp } from '../../data-loaders/schedule/janitor';
import { endOf } from '../fixtures/host-process';
import { MANY_AMOUNTS, manyAmounts } from '../fixtures/many-amounts';
import { pathsBelow } from '../fixtures/paths-below';
import { soakCases, soakSeed } from '../fixtures/soak';
import { writeSubmission } from '../fixtures/submission';
import { createTestService, TEST_NOW } from '../fixtures/test-service';
import { startTick } from '../fixtures/tick-process';

const ROUNDS = soakCases(12);
const SEED = soakSeed(20_250_102);

/** Far more than a round takes on a slow machine. */
const MS_PER_ROUND = 20_000;

const FILE = 'sitespecificamounts.csv';

const service = createTestService();
const inbox = join(service.folder, 'inbox');
const data = join(service.folder, 'data');
const settings = { WATER_DATA_DIR: data, SUBMISSIONS_INBOX: inbox };

let submitted = 0;

/** Each version under one name, so that those that are settled need others. */
function submit(amount: number): void {
  const folder = writeSubmission(join(inbox, 'waiting', 'many'), manyAmounts(amount));
  writeFileSync(join(folder, 'READY'), '');
  submitted++;
}

/** The amounts that readers see: one value if all is well. */
async function seenAmounts(): Promise<readonly unknown[]> {
  const { json } = await service.get(`/v1/SiteVariableAmounts?RecordCount=${MANY_AMOUNTS}`);
  const amounts = json.Organizations.flatMap((organization: Record<string, { Amount: number }[]>) =>
    organization['SiteVariableAmounts']?.map(({ Amount }) => Amount),
  );
  expect([0, MANY_AMOUNTS]).toContain(amounts.length);
  return [...new Set<unknown>(amounts)];
}

/** The amount of each submission that lies anywhere in the inbox. */
function submittedAmounts(): readonly string[] {
  const paths = pathsBelow(inbox).filter((path) => path.endsWith(`/${FILE}`));
  return paths.map((path) => {
    const [header = '', row = ''] = readFileSync(join(inbox, path), 'utf8').split('\n', 2);
    return row.split(',')[header.split(',').indexOf('Amount')] ?? '';
  });
}

async function tick(): Promise<number> {
  const start = performance.now();
  expect(await endOf(startTick(settings))).toMatchObject({ code: 0, errors: '' });
  return performance.now() - start;
}

async function tickAndKill(afterMs: number): Promise<boolean> {
  const child = startTick(settings);
  child.stdout?.resume();
  child.stderr?.resume();
  const timer = setTimeout(() => child.kill('SIGKILL'), afterMs);
  await once(child, 'close');
  clearTimeout(timer);
  return child.signalCode === 'SIGKILL';
}

afterAll(() => service.close());

test(
  'killed at any moment: nothing lost, nothing doubled, no half publish, and the next tick finishes',
  async () => {
    submit(1);
    let former = 1;
    const duration = await tick();
    const shares = fc.sample(fc.integer({ min: 10, max: 105 }), { seed: SEED, numRuns: ROUNDS });
    const expected = ['1'];
    let kills = 0;
    for (const [index, share] of shares.entries()) {
      const amount = index + 2;
      submit(amount);
      expected.push(String(amount));
      if (await tickAndKill((duration * share) / 100)) kills++;
      expect([[former], [amount]]).toContainEqual(await seenAmounts());
      expect([...submittedAmounts()].sort()).toEqual([...expected].sort());
      await tick();
      expect(await seenAmounts()).toEqual([amount]);
      expect([...submittedAmounts()].sort()).toEqual([...expected].sort());
      const paths = pathsBelow(inbox).filter((path) => !path.startsWith('.working/'));
      expect(paths.filter((path) => path.startsWith('waiting/'))).toEqual([]);
      expect(paths.filter((path) => /^accepted\/[^/]+\/report\.json$/.test(path))).toHaveLength(submitted);
      await tidyUp({
        store: service.store,
        stagingDirectory: join(data, 'staging'),
        retentionDays: 30,
        now: () => TEST_NOW,
      });
      expect(pathsBelow(data).filter((path) => /^staging\/|\.unfinished$/.test(path))).toEqual([]);
      former = amount;
    }
    expect(kills).toBeGreaterThan(ROUNDS / 2);
  },
  (ROUNDS + 2) * MS_PER_ROUND,
);
