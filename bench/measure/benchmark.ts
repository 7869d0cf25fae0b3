// One run of the benchmark: load, start, ask, load with many clients; everything on data of one seed.

import { rmSync } from 'node:fs';
import { privateMegabytes } from './child-process';
import { benchmarkRequests, type DataShape, type RequestName } from './benchmark-requests';
import { timeColdStarts } from './cold-start';
import { askShape } from './data-shape';
import { submissionKinds } from '../generate/submissions';
import { HttpClient, type MeasuredServer } from './http-client';
import { loadedStore, type LoadedStore } from './measure-loading';
import { withServers } from './measured-servers';
import { runMixedLoads, soak } from './mixed-load';
import { median } from './quantiles';
import { describeRun, type BenchmarkReport } from '../report/benchmark-report';
import { REFERENCE_BYTES } from '../report/postgres-comparison';
import { timeRows } from './time-rows';
import { timeWalks } from './time-walks';

export interface BenchmarkOptions {
  readonly records: number;
  /** Leaves the loaded store for the next run. */
  readonly keeps: boolean;
  /** 0: none. */
  readonly soakMinutes: number;
  readonly log: (line: string) => void;
}

type Answers = Pick<BenchmarkReport, 'rows' | 'walks' | 'referenceFloor' | 'loads' | 'memory' | 'remarks' | 'soak'>;

const REFERENCE_TIMES = 25;

export async function benchmark(options: BenchmarkOptions): Promise<BenchmarkReport> {
  const { records, log } = options;
  const store = await loadedStore(`bench-${records}`, records, submissionKinds, log);
  try {
    log('starting fresh processes');
    const coldStart = await timeColdStarts(store.environment, store.folder);
    return {
      ...describeRun(records),
      storeMegabytes: store.megabytes,
      loading: store.submissions,
      coldStart,
      ...(await askServers(store, options)),
    };
  } finally {
    if (!options.keeps) rmSync(store.folder, { recursive: true, force: true });
  }
}

function askServers(store: LoadedStore, { records, soakMinutes, log }: BenchmarkOptions): Promise<Answers> {
  const rights = store.submissions.find(({ kind }) => kind === 'WaterAllocations')?.rows ?? 0;
  return withServers(store.environment, async (service, floor) => {
    const memory = (): number | undefined => privateMegabytes(service.child.pid);
    const afterStart = memory();
    const references = await timeReferenceFloor(floor);
    const shape = await askShape(service, records, rights);
    log('timing requests');
    const rows = await timeRows(service, floor, shape, measuredNames(shape));
    log('timing walks');
    const walks = await timeWalks(service, floor);
    const afterRows = memory();
    references.push(...(await timeReferenceFloor(floor)));
    log('mixed load');
    const loads = await runMixedLoads(service, floor, shape);
    const afterLoads = memory();
    references.push(...(await timeReferenceFloor(floor)));
    if (soakMinutes > 0) log(`32 clients for ${soakMinutes} minutes`);
    return {
      rows,
      walks,
      referenceFloor: median(references),
      loads,
      memory: { afterStart, afterRows, afterLoads },
      remarks: shape.entityTag === undefined ? ['No 304 was measured: the first page has no ETag yet.'] : [],
      ...(soakMinutes > 0 ? { soak: await soak(service, shape, soakMinutes) } : {}),
    };
  });
}

function measuredNames(shape: DataShape): RequestName[] {
  const names = Object.keys(benchmarkRequests(shape)) as RequestName[]; // The keys of a record of just these.
  return names.filter((name) => name !== 'first page, 304' || shape.entityTag !== undefined);
}

/** Milliseconds of what PostgreSQL's figures are scaled by; before, between and after them, since a machine has moods. */
async function timeReferenceFloor(floor: MeasuredServer): Promise<number[]> {
  const client = new HttpClient(floor);
  try {
    const times: number[] = [];
    for (let time = 0; time < REFERENCE_TIMES; time++) {
      times.push((await client.askFloor(REFERENCE_BYTES)).milliseconds);
    }
    return times;
  } finally {
    client.close();
  }
}
