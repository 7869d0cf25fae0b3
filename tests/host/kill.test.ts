// Kills loaders at any moment: readers see one whole release, the old or the new, and leftovers are soon removed.

import { createHash } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { killAfter, runProgram, startProgram } from '../fixtures/host-process';
import { MANY_AMOUNTS, manyAmounts } from '../fixtures/many-amounts';
import { soakCases, soakSeed } from '../fixtures/soak';
import { writeSubmission } from '../fixtures/submission';
import { createTestService } from '../fixtures/test-service';

const ROUNDS = soakCases(100, 0.02);
const SEED = soakSeed(20_250_101);

/** Far more than a round takes on a slow machine. */
const MS_PER_ROUND = 20_000;

interface Walk {
  readonly records: number;
  readonly digest: string;
}

interface Round {
  /** The share of a whole load's time after which the loader was killed. */
  readonly share: number;
  readonly wasKilled: boolean;
  readonly former: Walk;
  readonly seen: Walk;
  readonly next: Walk;
  readonly nextExitCode: number | null;
  readonly leftovers: readonly string[];
}

const service = createTestService();
const data = join(service.folder, 'data');
const settings = { WATER_DATA_DIR: data };
const folders = [1, 2].map((amount) => writeSubmission(join(service.folder, `version-${amount}`), manyAmounts(amount)));
const rounds: Round[] = [];
const whole: Walk[] = [];

async function walk(): Promise<Walk> {
  const hash = createHash('sha256');
  let records = 0;
  for (;;) {
    const { json, text } = await service.get(`/v1/SiteVariableAmounts?RecordCount=2500&StartIndex=${records}`);
    hash.update(text);
    const [organization] = json.Organizations;
    if (organization === undefined) return { records, digest: hash.digest('hex') };
    records += Number(organization.SiteVariableAmounts.length);
  }
}

function leftovers(): readonly string[] {
  const entries = readdirSync(data, { recursive: true, withFileTypes: true });
  const paths = entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
  return paths.map((path) => path.slice(data.length + 1)).filter((path) => /^staging\/|\.unfinished/.test(path));
}

function load(version: number): Promise<{ readonly code: number | null }> {
  return runProgram('tools/load', [folders[version] ?? '', '--json'], settings);
}

function loadAndKill(version: number, afterMs: number): Promise<boolean> {
  return killAfter(startProgram('tools/load', [folders[version] ?? '', '--json'], settings), afterMs);
}

beforeAll(
  async () => {
    let duration = 0;
    for (const version of [0, 1]) {
      const start = performance.now();
      await load(version);
      duration = performance.now() - start;
      whole.push(await walk());
    }
    const shares = fc.sample(fc.integer({ min: 10, max: 105 }), { seed: SEED, numRuns: ROUNDS });
    for (const [index, share] of shares.entries()) {
      const version = index % 2;
      const former = await walk();
      const wasKilled = await loadAndKill(version, (duration * share) / 100);
      const seen = await walk();
      const { code } = await load(version);
      rounds.push({ share, wasKilled, former, seen, next: await walk(), nextExitCode: code, leftovers: leftovers() });
    }
  },
  (ROUNDS + 2) * MS_PER_ROUND,
);

afterAll(() => service.close());

test('the two versions are whole and differ', () => {
  expect(whole.map(({ records }) => records)).toEqual([MANY_AMOUNTS, MANY_AMOUNTS]);
  expect(whole[0]?.digest).not.toBe(whole[1]?.digest);
  expect(rounds).toHaveLength(ROUNDS);
});

test('loaders were killed before their end', () => {
  expect(rounds.filter(({ wasKilled }) => wasKilled).length).toBeGreaterThan(0);
});

test('after each kill a reader sees one whole release, the old or the new', () => {
  for (const [index, { former, seen, share }] of rounds.entries()) {
    const wanted = whole[index % 2];
    expect({
      share,
      seen: [former, wanted].some((one) => one?.digest === seen.digest && one.records === seen.records),
    }).toEqual({
      ...{ share, seen: true },
    });
  }
});

test('the next load succeeds', () => {
  for (const [index, { next, nextExitCode }] of rounds.entries()) {
    expect({ nextExitCode, next }).toEqual({ nextExitCode: 0, next: whole[index % 2] });
  }
});

test('the next load leaves no staged rows and no unfinished release of a dead loader behind', () => {
  expect([...new Set(rounds.flatMap((round) => round.leftovers))]).toEqual([]);
});
