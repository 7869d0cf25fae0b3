// The mixed load with 1, 8 and 32 clients, compared with the floor; and the soak, which monitors the server's memory.

import type { LoadFigures, LoadPlan, LoadResult } from './load-clients';
import { readPrivateMegabytes, runProgram, type StartedServer } from './programs';
import type { DataShape } from './requests';

export interface LoadRun extends LoadResult {
  readonly clients: number;
}

export interface Soak {
  readonly figures: LoadFigures;
  /** Private memory of the server at the start and after each minute. */
  readonly megabytes: readonly number[];
}

const CLIENTS = [1, 8, 32];
const SOAK_CLIENTS = 32;
const SECONDS = 10;

/** The position of the first question, after the questions of the timed rows. */
const FIRST_POSITION = 1000;
/** The position of the first question of a soak, after the questions of the shorter runs. */
const FIRST_SOAK_POSITION = 100_000;

const MINUTE_MS = 60_000;

export async function runMixedLoads(
  service: StartedServer,
  floor: StartedServer,
  shape: DataShape,
): Promise<LoadRun[]> {
  const runs: LoadRun[] = [];
  for (const clients of CLIENTS) {
    const firstPosition = runs.at(-1)?.nextPosition ?? FIRST_POSITION;
    runs.push({
      clients,
      ...(await runClients({ service, floor, shape, clients, seconds: SECONDS, firstPosition: firstPosition })),
    });
  }
  return runs;
}

export async function soak(service: StartedServer, shape: DataShape, minutes: number): Promise<Soak> {
  const megabytes: number[] = [];
  const recordMemory = (): void => {
    megabytes.push(readPrivateMegabytes(service) ?? NaN);
  };
  recordMemory();
  const timer = setInterval(recordMemory, MINUTE_MS);
  try {
    const plan = { service, floor: undefined, shape, clients: SOAK_CLIENTS, firstPosition: FIRST_SOAK_POSITION };
    const { service: figures } = await runClients({ ...plan, seconds: minutes * 60 });
    // The last minute ends when the clients end, possibly before the timer fires.
    if (megabytes.length <= minutes) recordMemory();
    return { figures, megabytes };
  } finally {
    clearInterval(timer);
  }
}

async function runClients({ service, floor, ...plan }: LoadPlan): Promise<LoadResult> {
  const planText = JSON.stringify({
    service: { origin: service.origin, headers: service.headers },
    floor: floor === undefined ? undefined : { origin: floor.origin, headers: floor.headers },
    ...plan,
  } satisfies LoadPlan);
  const { output } = await runProgram('load-clients', [planText]);
  return JSON.parse(output) as LoadResult; // The output of load-clients.
}
