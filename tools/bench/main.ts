// `npm run bench -- --records N`: generated data of a fixed seed, loaded by the real loader, asked over HTTP from a server in
// its own process; beside each figure the floor, node:http sending as many bytes from memory in the same run.

import { existsSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { projectDirectory } from '../../shared/project-files';
import { parseArguments, runCommand, UsageError } from '../command';
import { benchmarkRequests, type BenchmarkRequest } from './benchmark-requests';
import { firstLine, privateMegabytes, runProgram, startProgram, stopProgram } from './child-process';
import { generateSubmissions, type GeneratedSubmission } from './generate-submissions';
import { closeClient, median, timedGet } from './http-client';

const USAGE = `Usage: npm run bench -- [--records N] [--keep]
  --records N  how many site amounts; rights are 28 percent of it, aggregated amounts 3 (default 100000)
  --keep       leave the generated files and the loaded store for the next run, and use them if they are there`;

const SEED = 1;

void runCommand(async (args) => {
  const options = {
    records: { type: 'string', default: '100000' },
    keep: { type: 'boolean', default: false },
  } as const;
  const { values } = parseArguments({ args: [...args], options }, USAGE);
  const records = Number(values.records);
  if (!Number.isSafeInteger(records) || records < 1000) throw new UsageError(USAGE);
  const folder = join(projectDirectory(), '.data', `bench-${records}`);
  const environment = {
    WATER_DATA_DIR: join(folder, 'store'),
    STAGING_DIR: join(folder, 'staging'),
    PORT: '0',
    LOAD_SAMPLES: 'false',
  };
  try {
    if (!existsSync(environment.WATER_DATA_DIR)) await load(folder, records, environment);
    await ask(records, environment);
  } finally {
    if (!values.keep) rmSync(folder, { recursive: true, force: true });
  }
  return 0;
});

async function load(folder: string, records: number, environment: Readonly<Record<string, string>>): Promise<void> {
  mkdirSync(folder, { recursive: true });
  const submissions = await generateSubmissions(join(folder, 'submissions'), records, SEED);
  print('loading', 'rows', 'rows/s', 'peak MB');
  for (const submission of submissions) await loadOne(submission, environment);
}

async function loadOne(submission: GeneratedSubmission, environment: Readonly<Record<string, string>>): Promise<void> {
  const { seconds, peakMegabytes } = await runProgram('tools/load.js', [submission.folder, '--json'], environment);
  const { kind, rows } = submission;
  print(kind, String(rows), (rows / seconds).toFixed(0), peakMegabytes?.toFixed(0) ?? '');
}

async function ask(records: number, environment: Readonly<Record<string, string>>): Promise<void> {
  const host = startProgram('tools/local-host.js', [], environment);
  const floor = startProgram('tools/bench/floor-server.js', [], {});
  try {
    const url = new URL(/http:\S+/.exec(await firstLine(host))?.[0] ?? '');
    const floorPort = await firstLine(floor);
    print('request', 'ms', 'floor ms', 'ratio', 'KB');
    for (const request of benchmarkRequests(records)) {
      await timeRow(request, url.origin, url.searchParams.get('key') ?? '', `http://127.0.0.1:${floorPort}`);
    }
    print('private memory, MB', privateMegabytes(host.pid)?.toFixed(0) ?? '');
  } finally {
    closeClient();
    await stopProgram(host);
    await stopProgram(floor);
  }
}

async function timeRow(request: BenchmarkRequest, origin: string, key: string, floorOrigin: string): Promise<void> {
  const times: number[] = [];
  const floors: number[] = [];
  let bytes = 0;
  if (request.query(0) === request.query(1)) await timedGet(`${origin}${request.query(0)}&key=${key}`);
  for (let time = 0; time < request.times; time++) {
    const answer = await timedGet(`${origin}${request.query(time)}&key=${key}`);
    if (answer.status !== 200) throw new Error(`${request.name}: ${answer.status} ${answer.body.toString()}`);
    times.push(answer.milliseconds);
    bytes = answer.bytes;
    floors.push((await timedGet(`${floorOrigin}/${bytes}`)).milliseconds);
  }
  const [own, floor] = [median(times), median(floors)];
  print(request.name, own.toFixed(2), floor.toFixed(2), (own / floor).toFixed(1), (bytes / 1000).toFixed(0));
}

function print(name: string, ...figures: readonly string[]): void {
  console.log(name.padEnd(32) + figures.map((figure) => figure.padStart(10)).join(''));
}
