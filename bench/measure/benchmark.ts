// One run of the benchmark: loads the data, starts the service, sends queries one at a time, and then has many clients
// send queries. All data come from one seed.

import { rmSync, writeFileSync } from 'node:fs';
import { cpus, totalmem } from 'node:os';
import { submissionKinds } from '../generate/submissions';
import { type ColdStart, timeColdStarts } from './cold-start';
import { HttpClient } from './http-client';
import { type LoadedStore, type LoadedSubmission, makeFiles, openLoadedStore } from './loading';
import { type LoadRun, runMixedLoads, type Soak, soak } from './mixed-load';
import { readPrivateMegabytes, withServers } from './programs';
import { median } from './quantiles';
import { benchmarkRequests, type DataShape, type RequestName } from './requests';
import { askShape, type TimedRow, type TimedWalk, timeRow, timeWalks } from './time-requests';
import { type TimingClient, withClients } from './timing-client';

export interface BenchmarkOptions {
  readonly records: number;
  /** Keeps the loaded store for the next run. */
  readonly keepStore: boolean;
  /** 0 for no soak. */
  readonly soakMinutes: number;
  readonly log: (line: string) => void;
}

export interface MeasuredRun {
  readonly machine: string;
  /** YYYY-MM-DD. */
  readonly date: string;
  readonly records: number;
}

/** All figures of one run, as `--json` writes them. */
export interface BenchmarkReport extends MeasuredRun {
  readonly storeMegabytes: number;
  readonly loading: readonly LoadedSubmission[];
  readonly coldStart: ColdStart;
  readonly rows: readonly TimedRow[];
  readonly walks: readonly TimedWalk[];
  /** The milliseconds for REFERENCE_BYTES. */
  readonly referenceFloor: number;
  readonly loads: readonly LoadRun[];
  /** Private memory of the server in megabytes; undefined if /proc is missing. */
  readonly memory: Readonly<Record<'afterStart' | 'afterRows' | 'afterLoads', number | undefined>>;
  readonly soak?: Soak;
  /** The measurements that were impossible, with reasons. */
  readonly remarks: readonly string[];
}

type Answers = Pick<BenchmarkReport, 'rows' | 'walks' | 'referenceFloor' | 'loads' | 'memory' | 'remarks' | 'soak'>;

/** The length of the answer that was sent from memory on the machine where the PostgreSQL service was measured. */
const REFERENCE_BYTES = 8_400_000;
const REFERENCE_TIMES = 25;

export async function benchmark(options: BenchmarkOptions): Promise<BenchmarkReport> {
  const { records, log } = options;
  const store = await openLoadedStore({ name: `bench-${records}`, records, kinds: submissionKinds, log });
  try {
    await makeFiles(store, log);
    log('starting fresh processes');
    const coldStart = await timeColdStarts(store.environment);
    const { megabytes: storeMegabytes, submissions: loading } = store;
    return { ...describeRun(records), storeMegabytes, loading, coldStart, ...(await askServers(store, options)) };
  } finally {
    if (!options.keepStore) rmSync(store.folder, { recursive: true, force: true });
  }
}

/** The date and the machine of the run. */
function describeRun(records: number): MeasuredRun {
  const processors = cpus();
  const model = processors[0]?.model.trim() ?? 'unknown processor';
  const gibibytes = Math.round(totalmem() / 2 ** 30);
  const system = `${process.platform}, Node ${process.versions.node}`;
  const machine = `${processors.length} cores (${model}), ${gibibytes} GiB, ${system}`;
  return { machine, date: new Date().toISOString().slice(0, 10), records };
}

/** Writes the figures for programs and for comparison with later runs, not for people. */
export function writeFigures(file: string, figures: unknown): void {
  writeFileSync(file, `${JSON.stringify(figures, null, 2)}\n`);
}

function askServers(store: LoadedStore, { records, soakMinutes, log }: BenchmarkOptions): Promise<Answers> {
  const rights = store.submissions.find(({ kind }) => kind === 'WaterAllocations')?.rows ?? 0;
  return withServers(store.environment, (servers) =>
    withClients(HttpClient, servers, async (client, floor) => {
      const { service } = servers;
      const afterStart = readPrivateMegabytes(service);
      // Timed before, between and after the other measurements, because the speed of a shared machine varies.
      const references = await timeReferenceFloor(floor);
      const shape = await askShape(client, records, rights);
      log('timing requests');
      const rows = await timeRows(listMeasuredNames(shape), shape, client, floor);
      log('timing walks');
      const walks = await timeWalks(client, floor);
      const afterRows = readPrivateMegabytes(service);
      references.push(...(await timeReferenceFloor(floor)));
      log('mixed load');
      const loads = await runMixedLoads(service, servers.floor, shape);
      const memory = { afterStart, afterRows, afterLoads: readPrivateMegabytes(service) };
      references.push(...(await timeReferenceFloor(floor)));
      const remarks = shape.entityTag === undefined ? ['No 304 was measured: the first page has no ETag yet.'] : [];
      const answers = { rows, walks, referenceFloor: median(references), loads, memory, remarks };
      if (soakMinutes === 0) return answers;
      log(`32 clients for ${soakMinutes} minutes`);
      return { ...answers, soak: await soak(service, shape, soakMinutes) };
    }),
  );
}

async function timeRows(
  names: readonly RequestName[],
  shape: DataShape,
  service: TimingClient,
  floor: TimingClient,
): Promise<TimedRow[]> {
  const requests = benchmarkRequests(shape);
  const rows: TimedRow[] = [];
  for (const name of names) rows.push(await timeRow(name, requests[name], service, floor));
  return rows;
}

function listMeasuredNames(shape: DataShape): RequestName[] {
  const names = Object.keys(benchmarkRequests(shape)) as RequestName[]; // The record has exactly these keys.
  return names.filter((name) => name !== 'first page, 304' || shape.entityTag !== undefined);
}

async function timeReferenceFloor(floor: TimingClient): Promise<number[]> {
  const times: number[] = [];
  for (let time = 0; time < REFERENCE_TIMES; time++) times.push(await floor.askFloor(REFERENCE_BYTES));
  return times;
}
