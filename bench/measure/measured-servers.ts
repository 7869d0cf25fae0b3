// The service and the floor server, each in a process of its own.

import type { ChildProcess } from 'node:child_process';
import { firstLine, startProgram, stopProgram, type Environment } from './child-process';
import type { MeasuredServer } from './http-client';

export interface RunningServer extends MeasuredServer {
  readonly child: ChildProcess;
}

export async function startService(environment: Environment, nodeFlags?: readonly string[]): Promise<RunningServer> {
  const child = startProgram('host/local-host.js', [], environment, nodeFlags);
  const url = new URL(/http:\S+/.exec(await firstLine(child))?.[0] ?? '');
  return { child, origin: url.origin, headers: { 'X-API-Key': url.searchParams.get('key') ?? '' } };
}

async function startFloor(): Promise<RunningServer> {
  const child = startProgram('bench/measure/floor-server.js', [], {});
  return { child, origin: await firstLine(child), headers: {} };
}

/** Runs `task` with both, and stops them whatever becomes of it. */
export async function withServers<Result>(
  environment: Environment,
  task: (service: RunningServer, floor: RunningServer) => Promise<Result>,
): Promise<Result> {
  const floor = await startFloor();
  try {
    const service = await startService(environment);
    try {
      return await task(service, floor);
    } finally {
      await stopProgram(service.child);
    }
  } finally {
    await stopProgram(floor.child);
  }
}
