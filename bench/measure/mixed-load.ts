// The mixed load at 1, 8 and 32 clients, beside the floor; and the soak, which looks at the server's memory all along.

import { privateMegabytes, runProgram } from './child-process';
import type { DataShape } from './benchmark-requests';
import type { LoadFigures, LoadPlan, LoadResult } from './load-client';
import type { RunningServer } from './measured-servers';

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

/** After the questions that the rows asked. */
const FIRST_PLACE = 1000;

/** In the order of the mix after all of the shorter runs. */
const FIRST_SOAK_PLACE = 100_000;

const MINUTE_MS = 60_000;

export async function runMixedLoads(
  service: RunningServer,
  floor: RunningServer,
  shape: DataShape,
): Promise<LoadRun[]> {
  const runs: LoadRun[] = [];
  let firstPlace = FIRST_PLACE;
  for (const clients of CLIENTS) {
    const result = await runClients({
      service: { origin: service.origin, headers: service.headers },
      floor: { origin: floor.origin, headers: floor.headers },
      shape,
      clients,
      seconds: SECONDS,
      firstPlace,
    });
    runs.push({ clients, ...result });
    firstPlace = result.nextPlace;
  }
  return runs;
}

export async function soak(service: RunningServer, shape: DataShape, minutes: number): Promise<Soak> {
  const megabytes: number[] = [];
  const look = (): void => {
    megabytes.push(privateMegabytes(service.child.pid) ?? NaN);
  };
  look();
  const timer = setInterval(look, MINUTE_MS);
  try {
    const { service: figures } = await runClients({
      service: { origin: service.origin, headers: service.headers },
      floor: undefined,
      shape,
      clients: SOAK_CLIENTS,
      seconds: minutes * 60,
      firstPlace: FIRST_SOAK_PLACE,
    });
    // The last minute ends with the clients, whose timer may be the earlier one.
    if (megabytes.length <= minutes) look();
    return { figures, megabytes };
  } finally {
    clearInterval(timer);
  }
}

async function runClients(plan: LoadPlan): Promise<LoadResult> {
  const { output } = await runProgram('bench/measure/load-client.js', [JSON.stringify(plan)], {});
  return JSON.parse(output) as LoadResult; // What that program prints.
}
