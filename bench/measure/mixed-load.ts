// The mixed load at 1, 8 and 32 clients, beside the floor; and the soak, which looks at the server's memory all along.

import type { LoadFigures, LoadPlan, LoadResult } from './load-clients';
import { privateMegabytes, runProgram, type StartedServer } from './programs';
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

/** Begins after the questions that the rows asked. */
const FIRST_PLACE = 1000;
/** Begins after the questions of the shorter runs. */
const FIRST_SOAK_PLACE = 100_000;

const MINUTE_MS = 60_000;

export async function runMixedLoads(
  service: StartedServer,
  floor: StartedServer,
  shape: DataShape,
): Promise<LoadRun[]> {
  const runs: LoadRun[] = [];
  for (const clients of CLIENTS) {
    const firstPlace = runs.at(-1)?.nextPlace ?? FIRST_PLACE;
    runs.push({ clients, ...(await runClients({ service, floor, shape, clients, seconds: SECONDS, firstPlace })) });
  }
  return runs;
}

export async function soak(service: StartedServer, shape: DataShape, minutes: number): Promise<Soak> {
  const megabytes: number[] = [];
  const look = (): void => {
    megabytes.push(privateMegabytes(service) ?? NaN);
  };
  look();
  const timer = setInterval(look, MINUTE_MS);
  try {
    const plan = { service, floor: undefined, shape, clients: SOAK_CLIENTS, firstPlace: FIRST_SOAK_PLACE };
    const { service: figures } = await runClients({ ...plan, seconds: minutes * 60 });
    // The last minute ends with the clients, whose timer may be the earlier one.
    if (megabytes.length <= minutes) look();
    return { figures, megabytes };
  } finally {
    clearInterval(timer);
  }
}

async function runClients({ service, floor, ...plan }: LoadPlan): Promise<LoadResult> {
  const asText = JSON.stringify({
    service: { origin: service.origin, headers: service.headers },
    floor: floor === undefined ? undefined : { origin: floor.origin, headers: floor.headers },
    ...plan,
  } satisfies LoadPlan);
  const { output } = await runProgram('load-clients', [asText]);
  return JSON.parse(output) as LoadResult; // What that program prints.
}
