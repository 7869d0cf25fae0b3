// Measures the time from the start of the process to the first answer, in fresh processes.

import { HttpClient } from './http-client';
import { type Environment, startService, stopServer } from './programs';
import { median } from './quantiles';
import { SITE_AMOUNTS } from './requests';

/** Medians in milliseconds. */
export interface ColdStart {
  readonly toFirstAnswer: number;
  /** The first page of 1,000 records, requested as the first request of the process. */
  readonly firstAnswer: number;
}

const STARTS = 9;

/** The files of the store stay in the kernel's cache. */
export async function timeColdStarts(environment: Environment): Promise<ColdStart> {
  const starts = await repeat(STARTS, () => startOnce(environment));
  return {
    toFirstAnswer: median(starts.map((start) => start.toFirstAnswer)),
    firstAnswer: median(starts.map((start) => start.firstAnswer)),
  };
}

async function startOnce(environment: Environment): Promise<ColdStart> {
  const started = performance.now();
  const service = await startService(environment);
  const client = new HttpClient(service);
  try {
    const { milliseconds } = await client.askExpecting(200, { path: SITE_AMOUNTS });
    return { toFirstAnswer: performance.now() - started, firstAnswer: milliseconds };
  } finally {
    client.close();
    await stopServer(service);
  }
}

async function repeat<Value>(times: number, act: () => Promise<Value>): Promise<Value[]> {
  const values: Value[] = [];
  for (let time = 0; time < times; time++) values.push(await act());
  return values;
}
