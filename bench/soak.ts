// `npm run soak -- --minutes N`: runs tests of which `npm test` runs only a few cases (kills, damaged submissions and
// so on) with full case counts, repeatedly and with new seeds. Each test reads its case count and its seed from the
// environment (tests/fixtures/soak.ts).

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { findProjectDirectory } from '../shared/project-files';
import { runCommand, UsageError } from '../tools/command';

/** Test files, keyed by the name of the soak part. */
const PARTS: Readonly<Record<string, string>> = {
  mutations: 'tests/property/mutated-submissions.test.ts',
  'killed-inboxes': 'tests/schedule/kill.test.ts',
  'killed-files': 'tests/host/downloads.test.ts',
  'left-exports': 'tests/host/serving.test.ts',
  'killed-workers': 'tests/host/killed-workers.test.ts',
  assistants: 'tests/endpoint/assistants.test.ts',
  fuzz: 'tests/property/openapi-fuzz.test.ts',
  cql2: 'tests/unit/cql2.test.ts',
  tiles: 'tests/property/tiles.test.ts',
  'cql2-filters': 'tests/ogc/cql2.test.ts',
  boundaries: 'tests/unit/boundary-matcher.test.ts',
  csv: 'tests/property/csv-records-laws.test.ts',
  features: 'tests/property/features.test.ts',
  places: 'tests/property/places.test.ts',
  totals: 'tests/property/totals.test.ts',
  searches: 'tests/property/search-laws.test.ts',
  'both-stores': 'tests/property/both-stores.test.ts',
  'real-submissions': 'tests/host/real-submissions.test.ts',
  'cosmos-faults': 'tests/store/cosmos-faults.test.ts',
  'changing-submissions': 'tests/schedule/changing-submissions.test.ts',
  'many-releases': 'tests/host/many-releases.test.ts',
  damages: 'tests/host/damages.test.ts',
  container: 'tests/host/container.test.ts',
  'fresh-machine': 'tests/host/fresh-machine.soak.ts',
  examples: 'tests/host/examples.test.ts',
  'visitor-tasks': 'tests/host/visitor-tasks.test.ts',
  'self-service-keys': 'tests/endpoint/self-service-keys.test.ts',
  'held-submissions': 'tests/property/held-mutations.test.ts',
};

const USAGE = `Usage: npm run soak -- --minutes N [--part NAME] [--seed NUMBER]
  --minutes  no part starts later than that; each runs once at least
  --part     only this one: ${Object.keys(PARTS).join(', ')}
  --seed     of the first round; each later one has the next (1)`;

const MS_PER_MINUTE = 60_000;

const OPTIONS = { minutes: { type: 'string' }, part: { type: 'string' }, seed: { type: 'string' } } as const;

void runCommand({ usage: USAGE, options: OPTIONS, maxOperands: 0 }, async ({ values }) => {
  const parts = Object.entries(PARTS).filter(([name]) => values.part === undefined || values.part === name);
  if (parts.length === 0) throw new UsageError(USAGE);
  const end = performance.now() + readNumber(values.minutes) * MS_PER_MINUTE;
  let failures = 0;
  for (let seed = readNumber(values.seed ?? '1'), isFirst = true; isFirst || performance.now() < end; seed++) {
    for (const [name, test] of parts) {
      if (!isFirst && performance.now() >= end) break;
      if (!(await runPart(name, test, seed))) failures++;
    }
    isFirst = false;
  }
  console.log(failures === 0 ? 'Nothing was found.' : `${failures} of the runs failed.`);
  return failures === 0 ? 0 : 1;
});

async function runPart(name: string, test: string, seed: number): Promise<boolean> {
  const start = performance.now();
  const jest = join(findProjectDirectory(), 'node_modules', 'jest', 'bin', 'jest.js');
  const child = spawn(process.execPath, [jest, '--runTestsByPath', join(findProjectDirectory(), test)], {
    cwd: findProjectDirectory(),
    env: { ...process.env, SOAK_SEED: String(seed) },
    stdio: ['ignore', 'inherit', 'pipe'],
  });
  let output = '';
  child.stderr.on('data', (text) => {
    output += String(text);
  });
  await once(child, 'close');
  const hasPassed = child.exitCode === 0;
  const seconds = Math.round((performance.now() - start) / 1000);
  console.log(`${name}, seed ${seed}: ${hasPassed ? 'good' : 'failed'}, ${seconds} s`);
  if (!hasPassed) console.log(`${output}\nAgain: npm run soak -- --minutes 0 --part ${name} --seed ${seed}`);
  return hasPassed;
}

function readNumber(text: string | undefined): number {
  if (text !== undefined && /^\d+$/.test(text)) return Number(text);
  throw new UsageError(USAGE);
}
